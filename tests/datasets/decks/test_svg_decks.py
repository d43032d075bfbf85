"""Decks rendered from the installed packages."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasets.decks.splits import default_cache
from datasets.decks.svg_decks import GNOME_FOLDER, HELD_OUT, SVG_DECKS, DeckSourceError, load_svg_deck
from datasets.scenes.layouts import CARD_MM


@pytest.mark.parametrize("name", SVG_DECKS)
def test_package_cards_fill_their_pictures(name: str) -> None:
    try:
        deck = load_svg_deck(name, default_cache())
    except DeckSourceError as error:
        pytest.skip(str(error))
    for face, pictures in deck.faces.items():
        for picture in pictures:
            assert (picture[:, :, 3] > 127).mean() > 0.9, face


@pytest.mark.skipif(not GNOME_FOLDER.is_dir(), reason="the package gnome-cards-data is not installed")
def test_installed_deck_is_rendered(tmp_path: Path) -> None:
    found = load_svg_deck("anglo_poker", tmp_path)
    assert len(found.faces) == 53
    assert found.height / CARD_MM > 4
    assert 0.1 < found.rank_box[3] < 0.2
    assert set(SVG_DECKS) > HELD_OUT
