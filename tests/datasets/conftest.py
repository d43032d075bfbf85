"""A drawn deck; the tests of this folder are skipped if no font is installed."""

from __future__ import annotations

import pytest

from datasets.decks.deck_art import DeckArt
from datasets.decks.drawn_decks import draw_deck
from datasets.decks.signs import NoFontsError, fonts


@pytest.fixture(autouse=True, scope="session")
def _needs_fonts() -> None:
    try:
        fonts(held_out=False)
    except NoFontsError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def deck() -> DeckArt:
    return draw_deck("drawn-5", 5)
