"""The script of a film: which card is laid when, and what disturbs the picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from datasets.decks.deck_art import DeckArt
from datasets.decks.play import MELD_RANKS
from datasets.scenes.layouts import CARD_MM, SceneCard
from scorer.faces import SUITS, Face

_LONGEST_ROW = 140.0
"""Millimetres between the centres of the first and last card, at most; so all are in view at any camera angle."""


FilmKind = Literal["laying", "dealing"]


@dataclass(frozen=True)
class Step:
    """How one card is laid: the seconds at which the hand comes in, lets go, leaves, and is out of view."""

    card: SceneCard
    comes: float
    lets_go: float
    leaves: float
    out: float


@dataclass(frozen=True)
class Disturbance:
    """A disturbance: ``shake``, ``lamp`` or ``focus``, and the seconds at which it begins and ends."""

    kind: str
    begins: float
    ends: float


def _placed(rng: np.random.Generator, deck: DeckArt, face: Face, x: float, y: float, turn: float) -> SceneCard:
    pictures = deck.faces[face]
    return SceneCard(deck, face, pictures[int(rng.integers(len(pictures)))], x, y, turn, 0, "meld")


def cards_in_a_row(rng: np.random.Generator, deck: DeckArt) -> list[SceneCard]:
    """Two to five cards of one rank in a row near the centre."""
    count, rank = int(rng.integers(2, 6)), str(rng.choice(MELD_RANKS))
    faces = [Face(rank, str(rng.choice(SUITS))) for _ in range(count)]
    step = min(float(rng.uniform(0.3, 1.1)) * CARD_MM, _LONGEST_ROW / (count - 1))
    x0, y0 = -step * (count - 1) / 2 + rng.uniform(-20, 20), rng.uniform(-20, 20)
    return [
        _placed(rng, deck, face, x0 + step * i, y0 + rng.normal(0, 3), rng.normal(0, 0.05))
        for i, face in enumerate(faces)
    ]


def cards_on_a_pile(rng: np.random.Generator, deck: DeckArt) -> list[SceneCard]:
    """A pile of one rank with wilds; identical cards follow each other as often as with several packs."""
    count, rank = int(rng.choice([3, 5, 7, 7, 7, 8, 9])), str(rng.choice(MELD_RANKS))
    suits = [str(rng.choice(SUITS)) for _ in range(count)]
    faces = [Face("2", suit) if rng.random() < 0.15 else Face(rank, suit) for suit in suits]
    if count > 3 and rng.random() < 0.6:  # the hard case: the same card twice in a row
        place = int(rng.integers(1, count))
        faces[place] = faces[place - 1]
    return [_placed(rng, deck, face, rng.normal(0, 2.5), rng.normal(0, 2.5), rng.normal(0, 0.05)) for face in faces]


def write_script(rng: np.random.Generator, cards: list[SceneCard], kind: FilmKind) -> list[Step]:
    """Samples when each card is laid."""
    steps, now = [], float(rng.uniform(0.4, 1.0))
    for place, card in enumerate(cards):
        last = place == len(cards) - 1
        if kind == "laying":
            way, back = rng.uniform(0.5, 0.9), rng.uniform(0.3, 0.6)
            # a hand may stay on the table, longest after the last card
            rest = rng.uniform(0, 0.4) if rng.random() < 0.5 else rng.uniform(0.5, 4.0 if last else 2.0)
            gap = rng.uniform(0.1, 0.8)
        else:
            way, back, rest = rng.uniform(0.28, 0.4), rng.uniform(0.2, 0.3), rng.uniform(0.0, 0.08)
            gap = rng.uniform(0.35, 0.6)
        lets_go = now + way
        steps.append(Step(card, now, lets_go, lets_go + rest, lets_go + rest + back))
        now = steps[-1].out + gap
    return steps


def choose_disturbances(rng: np.random.Generator, steps: list[Step]) -> list[Disturbance]:
    """Samples disturbances, each kind in about a third of the films; shake and focus follow the last hand."""
    found, out = [], steps[-1].out
    if rng.random() < 0.35:
        begins = out + float(rng.uniform(-0.2, 0.6))
        found.append(Disturbance("shake", begins, begins + float(rng.uniform(0.3, 1.0))))
    if rng.random() < 0.35:
        begins = out + float(rng.uniform(-0.3, 0.5))
        found.append(Disturbance("focus", begins, begins + float(rng.uniform(0.8, 1.6))))
    if rng.random() < 0.35:
        begins = float(rng.uniform(steps[0].comes, out + 4.0))
        found.append(Disturbance("lamp", begins, begins + 0.7))
    return found
