"""Drawn households: rounds that one deck plays at one table, under one camera, and what people there agree on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from datasets.decks.deck_art import DeckArt
from datasets.decks.splits import sample_deck
from datasets.decks.styles import Look
from datasets.scenes.tables import Table, draw_table
from models.evaluate.metrics import matched_cards
from vision.looks.labelling import AddedCard, AgreedCard
from vision.values import Reading

OWN_SIGNS, ANY_INDEX = 0.3, 0.15
"""Shares of households whose jokers carry signs of their own, and whose indices have any width."""
HEIGHTS = (12.0, 16.0, 16.0, 16.0)
"""Smallest heights of a household's ranks in pixels; each as likely as another."""
CARD_WIDTHS, LARGEST = (70.0, 130.0), 260.0
"""Width of a card at the picture's centre where its rank is high enough, and at most, in pixels."""
MAX_TILT, SWAY = 0.7, 0.05
"""Greatest angle of a household's camera from the vertical, and how far it moves between rounds, in radians."""
JOKER_SHARE, FACE_DOWN_SHARE, UNEVEN_LIGHT_SHARE, TIGHT_SHARE = 0.03, 0.3, 0.1, 0.1
MIN_CARDS = 12
"""Cards of a round's photo at least."""
POINTED_AT = 0.5
"""Share of missing cards that people add by pointing at them."""


@dataclass(frozen=True, slots=True)
class Household:
    """One deck, at one table under one camera.

    Attributes:
        deck: its cards.
        size: width and height of its photos, in pixels.
        card_width: of a card at the centre of a photo, in pixels.
        tilt: the camera's angle from the vertical, in radians.
        seed: of everything else.
        joker_share: share of jokers among the cards of its tables.
    """

    deck: DeckArt
    size: tuple[int, int]
    card_width: float
    tilt: float
    seed: tuple[int, int]
    joker_share: float = JOKER_SHARE

    def rounds(self) -> Iterator[Table]:
        """One photo of each round, for ever; each in a light of its own."""
        rng = np.random.default_rng([*self.seed, 1])
        tilts = (max(0.0, self.tilt - SWAY), self.tilt + SWAY)
        while True:
            table = draw_table(
                rng,
                [self.deck],
                self.size,
                card_pixels=self.card_width,
                packs=1,
                joker_share=self.joker_share,
                face_down_share=FACE_DOWN_SHARE,
                uneven_light_share=UNEVEN_LIGHT_SHARE,
                tight_share=TIGHT_SHARE,
                tilts=tilts,
            )
            if len(table.cards) >= MIN_CARDS:
                yield table


def draw_household(seed: int, number: int, packaged: Sequence[DeckArt]) -> Household:
    """Draws household ``number`` of a ``seed``: most with a newly drawn deck, some with one of ``packaged``."""
    rng = np.random.default_rng([seed, number])
    look = Look(any_index=bool(rng.random() < ANY_INDEX), own_signs="training" if rng.random() < OWN_SIGNS else "")
    deck = sample_deck(packaged, rng, look)
    rank_height = (deck.rank_box[3] - deck.rank_box[1]) * deck.height / deck.back.shape[1]
    least = float(rng.choice(HEIGHTS)) / rank_height * rng.uniform(1.1, 1.8)
    card_width = min(max(least, float(rng.uniform(*CARD_WIDTHS))), LARGEST)
    size = (1600, 1200) if card_width > 110 else (1280, 960)
    return Household(deck, size, card_width, float(rng.uniform(0, MAX_TILT)), (seed, number))


def agreed(
    reading: Reading, table: Table, rng: np.random.Generator, mistakes: float = 0.0
) -> tuple[list[AgreedCard], list[AddedCard]]:
    """What people make of a reading who see the table: they correct ranks, remove cards and add missing ones.

    Args:
        reading: the cards as read.
        table: what lies there.
        rng: decides which cards are pointed at, and where people err.
        mistakes: share of cards that they agree to with a wrong rank.

    Returns:
        The cards of the reading, and those that were added.
    """
    pairs = matched_cards(table, reading.cards)
    ranks = sorted({card.face.rank for card in table.cards})
    cards = []
    for number, card in enumerate(reading.cards):
        rank = pairs[number].face.rank if number in pairs else None
        if rank is not None and rng.random() < mistakes:
            rank = str(rng.choice(ranks))
        cards.append(AgreedCard.of(card, rank))
    there = {id(card) for card in pairs.values()}
    added = []
    for missing in table.cards:
        if id(missing) not in there:
            x, y = missing.quad.mean(0).tolist()
            added.append(AddedCard(missing.face.rank, (x, y) if rng.random() < POINTED_AT else None))
    return cards, added
