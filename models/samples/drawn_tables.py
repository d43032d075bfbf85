"""Drawn tables for evaluation, of a minimum rank height."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from datasets.decks.deck_art import DeckArt
from datasets.scenes.tables import Table, draw_table

LARGEST = 330.0
"""Width of the largest card on a readable table, in pixels."""


def readable_table(
    seed: int,
    number: int,
    decks: Sequence[DeckArt],
    min_height: float,
    *,
    face_down_share: float = 0.0,
    joker_share: float = 0.0,
    uneven_light_share: float = 0.0,
    tight_share: float = 0.0,
    unusual_light: bool = False,
) -> Table:
    """Draws a table on which every readable rank is at least ``min_height`` pixels high; repeats until it is so.

    Of a deck whose ranks are too small for that even on the LARGEST cards, they are as high as those allow. The
    shares and ``unusual_light`` are those of ``draw_table``.
    """
    rng = np.random.default_rng([seed, number])
    while True:
        deck = decks[int(rng.integers(len(decks)))]
        ranks = deck.rank_box[3] - deck.rank_box[1]
        share = ranks * deck.height / deck.back.shape[1]
        least = min(min_height, share * LARGEST / 1.5)
        across = max(least / share * rng.uniform(1.15, 2.2), 70)
        size = (1600, 1200) if across > 110 else (1280, 960)
        table = draw_table(
            rng,
            [deck],
            size,
            card_pixels=float(min(across, LARGEST)),
            joker_share=joker_share,
            face_down_share=face_down_share,
            uneven_light_share=uneven_light_share,
            tight_share=tight_share,
            unusual_light=unusual_light,
        )
        heights = [ranks * float(np.hypot(*(index.quad[3] - index.quad[0]))) for index in table.indices]
        if len(table.cards) >= 3 and min(heights) >= least:
            return table
