"""Which fonts are used for what."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.decks import drawn_decks
from datasets.decks import signs as font_files
from datasets.decks.deck_art import DeckArt
from datasets.decks.drawn_decks import (
    with_new_jokers,
)
from datasets.decks.jokers import plain as plain_jokers
from datasets.decks.signs import Mask, NoFontsError, fonts, glyph, is_held_out


def test_training_and_held_out_fonts_are_disjoint() -> None:
    assert not any(is_held_out(font) for font in fonts(held_out=False))
    assert not set(fonts(held_out=True)) & set(fonts(held_out=False)) or len(fonts(held_out=False)) == 1


def test_fonts_without_the_letters_of_an_index_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """They print an empty box for an ace, a jack, a queen and a king alike."""
    lacks, whole = Path("NotoKufiArabic-Bold.ttf"), Path("Whole-Bold.ttf")

    def printed(font: Path, text: str) -> Mask:
        number = 0 if font == lacks and text.isalpha() else sum(map(ord, text))
        return np.full((8, 8), 255, np.uint8) - np.uint8(number)

    monkeypatch.setattr(font_files, "_installed", lambda: [lacks, whole])
    monkeypatch.setattr(font_files, "glyph", printed)
    assert font_files._all_fonts.__wrapped__() == (whole,)


def test_fancy_fonts_are_used_for_jokers_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, deck: DeckArt) -> None:
    plain = fonts(held_out=False)[0]
    odd = tmp_path / "aenigma" / plain.name
    odd.parent.mkdir()
    odd.write_bytes(plain.read_bytes())
    monkeypatch.setattr(font_files, "FONT_FOLDERS", (tmp_path,))
    assert font_files._installed_fancy_fonts.__wrapped__() == (odd,)
    with pytest.raises(NoFontsError):
        font_files._all_fonts.__wrapped__()
    asked = []

    def noted(font: Path, text: str) -> Mask:
        asked.append((font, text))
        return glyph(font, text)

    monkeypatch.setattr(plain_jokers, "glyph", noted)
    monkeypatch.setattr(drawn_decks, "fancy_fonts", lambda: (odd,))
    for share, font in ((1.0, odd), (0.0, plain)):
        asked.clear()
        monkeypatch.setattr(drawn_decks, "FANCY_FONT_SHARE", share)
        for seed in range(6):
            with_new_jokers(deck, np.random.default_rng(seed))
        assert asked and all((one == odd) is (font == odd) for one, _ in asked)
