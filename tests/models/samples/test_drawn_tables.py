"""Drawn tables for evaluation and for the relation model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.decks.drawn_decks import draw_deck
from models.samples.drawn_tables import FEW, LARGEST, MIN_FEW_HEIGHT, SIZES, few_table, readable_table
from vision.geometry import quad_width


def test_table_of_few_cards_varies_in_distance_and_is_reproducible() -> None:
    decks = [draw_deck("few", 3)]
    tables = [few_table(3, number, decks) for number in range(12)]
    for table in tables:
        assert 1 <= len(table.cards) <= FEW
        assert table.picture.shape[1::-1] in SIZES
        assert min(index.tall for index in table.indices) >= MIN_FEW_HEIGHT
    shares = [quad_width(table.cards[0].quad) / table.picture.shape[1] for table in tables]
    assert min(shares) < 0.15 < 0.25 < max(shares)
    assert np.array_equal(few_table(3, 0, decks).picture, tables[0].picture)


def test_ranks_too_small_for_the_height_are_as_high_as_the_largest_card_allows() -> None:
    deck = draw_deck("small", 3)
    x0, y0, x1, y1 = deck.rank_box
    tiny = replace(deck, rank_box=(x0, y0, x1, y0 + 0.3 * (y1 - y0)))
    table = readable_table(3, 0, [tiny], 24.0)
    assert max(quad_width(card.quad) for card in table.cards) > 0.6 * LARGEST
