"""Decks that are light on dark paper are told from others by the detector."""

from __future__ import annotations

from datasets.decks.drawn_decks import draw_deck
from datasets.decks.unsuited.draw import fixed_unsuited_decks
from models.learn.dark_paper import is_dark
from vision.engines.load import load_detector


def test_indices_of_a_dark_deck_are_found_on_the_negative() -> None:
    detector = load_detector()
    poster = next(deck for deck in fixed_unsuited_decks() if deck.name == "hand-n-foot-poster")
    assert is_dark(poster, detector) and not is_dark(draw_deck("ours", 3), detector)
