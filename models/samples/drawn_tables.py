"""Drawn tables to measure on: ranks of a least height, decks and lettering that training never sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from datasets.decks.deck_art import DeckArt
from datasets.scenes.layouts import CARD_MM, lay_table
from datasets.scenes.tables import Table, TrueCard, TrueIndex, draw_table

FEW = 8
"""At most so many cards lie on a table of few."""
SIZES = ((1280, 960), (1600, 1200), (640, 480), (960, 1280), (1920, 1440), (800, 600))
"""Of pictures of few cards, width and height."""
SMALLEST = 8.0
"""Pixels; ranks of few cards are at least so high."""


def readable_table(
    seed: int,
    number: int,
    decks: Sequence[DeckArt],
    least: float,
    backs: float = 0.0,
    jokers: float = 0.0,
    uneven: float = 0.0,
    tight: float = 0.0,
) -> Table:
    """A drawn table on which every readable rank is at least ``least`` pixels high; drawn anew until it is so.
    ``backs``, ``jokers``, ``uneven`` and ``tight`` are those of ``draw_table``."""
    rng = np.random.default_rng([seed, number])
    while True:
        deck = decks[int(rng.integers(len(decks)))]
        ranks = deck.rank_box[3] - deck.rank_box[1]
        share = ranks * deck.height / deck.back.shape[1]
        across = max(least / share * rng.uniform(1.15, 2.2), 70)
        size = (1600, 1200) if across > 110 else (1280, 960)
        pixels = float(min(across, 330))
        table = draw_table(
            rng,
            [deck],
            size,
            card_pixels=pixels,
            face_down_share=backs,
            joker_share=jokers,
            uneven_light_share=uneven,
            tight_share=tight,
        )
        heights = [ranks * float(np.hypot(*(index.quad[3] - index.quad[0]))) for index in table.indices]
        if len(table.cards) >= 3 and min(heights) >= least:
            return table


def few_table(seed: int, number: int, decks: Sequence[DeckArt]) -> Table:
    """A drawn table with one card to FEW, from far off or so near that a card fills half the picture; drawn anew until
    one can be read."""
    rng = np.random.default_rng([seed, number, 7])
    while True:
        deck = decks[int(rng.integers(len(decks)))]
        size = SIZES[int(rng.integers(len(SIZES)))]
        across = float(np.exp(rng.uniform(np.log(60), np.log(size[0] * 0.45))))
        most, share = int(rng.integers(1, FEW + 1)), float(rng.uniform(0.3, 0.9))
        extent = (size[0] * CARD_MM / across * share, size[1] * CARD_MM / across * share)
        placed = lay_table(rng, [deck], extent, max_cards=most, loose_share=0.6)
        table = draw_table(rng, [deck], size, card_pixels=across, cards=placed)
        if table.cards and min(index.tall for index in table.indices) >= SMALLEST:
            return table


def shrunk(table: Table, least: float) -> Table:
    """The same table taken from further off: its smallest readable rank is ``least`` pixels high, if it was higher."""
    share = least / min(index.tall for index in table.indices)
    if share >= 1:
        return table
    picture = cv2.resize(table.picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)

    def cards(of: Sequence[TrueCard]) -> tuple[TrueCard, ...]:
        return tuple(replace(card, quad=card.quad * np.float32(share)) for card in of)

    def indices(of: Sequence[TrueIndex]) -> tuple[TrueIndex, ...]:
        return tuple(replace(index, quad=index.quad * np.float32(share), tall=index.tall * share) for index in of)

    return Table(
        np.asarray(picture, np.uint8),
        cards(table.cards),
        indices(table.indices),
        table.hidden,
        indices(table.covered),
        cards(table.partial),
        indices(table.doubtful),
    )
