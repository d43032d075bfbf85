"""Drawn tables for evaluation."""

from __future__ import annotations

from dataclasses import replace

from datasets.decks.drawn_decks import draw_deck
from models.samples.drawn_tables import LARGEST, readable_table
from vision.geometry import quad_width


def test_ranks_too_small_for_the_height_are_as_high_as_the_largest_card_allows() -> None:
    deck = draw_deck("small", 3)
    x0, y0, x1, y1 = deck.rank_box
    tiny = replace(deck, rank_box=(x0, y0, x1, y0 + 0.3 * (y1 - y0)))
    table = readable_table(3, 0, [tiny], 24.0)
    assert max(quad_width(card.quad) for card in table.cards) > 0.6 * LARGEST
