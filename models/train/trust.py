"""Fits how far looks of agreed rounds are believed: ``python -m models.train.trust --count 200``.

Draws households of the development part, half of them with many jokers that carry signs of their own, reads their
rounds in turn, and weighs the figures of their cards by whether they were right. One card in 200 is agreed to with a
wrong rank.
The weights of a candidate get them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from datasets.assets.manifest import AssetsError, read_manifest, use_part
from datasets.decks.deck_art import DeckArt
from datasets.decks.splits import sample_deck
from datasets.decks.styles import Look
from datasets.scenes.tables import Table
from models.evaluate.households import Household, agreed, draw_household
from models.evaluate.metrics import cards_there, right_ranks
from models.export.manifest import write_fitted
from vision.arrays import Floats, floats
from vision.detect.detections import ScoredDetections
from vision.errors import VisionError
from vision.looks.labelling import agreed_looks
from vision.looks.looks import Looks, SeenIndices, joined
from vision.looks.trust import FIGURES, LOOKS, card_figures
from vision.reader import CardReader, load_reader
from vision.values import Frame, Reading, SeenCard

SEED = 515_000
ROUNDS = 9
MISTAKES = 0.005
"""Share of cards that people agree to with a wrong rank."""
JOKER_SHARE = 0.1
"""Share of jokers on the tables of every other household, whose deck has signs of its own on them."""
INVERSE_PENALTY = 10.0
"""Of ``LogisticRegression``."""
RIGHT, OTHER_RANK, NO_CARD = range(3)
Outcomes = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class ReadRound:
    """One round as it was read without looks: the ``cards`` that were built of its ``detections``, the whole
    ``reading``, and what lies there."""

    cards: Sequence[SeenCard]
    detections: ScoredDetections
    reading: Reading
    table: Table


def household_of(number: int, packaged: Sequence[DeckArt]) -> Household:
    """Household ``number`` to learn from."""
    drawn = draw_household(SEED, number, packaged)
    if not number % 2:
        return drawn
    deck = sample_deck(packaged, np.random.default_rng([SEED, number, 7]), Look(own_signs="training"))
    return replace(drawn, deck=deck, joker_share=JOKER_SHARE)


def read_rounds(reader: CardReader, household: Household) -> Iterator[ReadRound]:
    """The first ROUNDS of a household; those in which nothing is seen are left out."""
    for table in islice(household.rounds(), ROUNDS):
        reading, trace = reader.read_traced(Frame(table.picture, datetime.now(UTC), "household"))
        if trace.scored is not None and len(trace.scored):
            yield ReadRound(trace.paired, trace.scored, reading, table)


def weighed_cards(rounds: Iterable[ReadRound], seed: Sequence[int]) -> tuple[Floats, Outcomes]:
    """The figures (n, FIGURES) of all cards after the first round, and what each turned out to be, (n,)."""
    figures, outcomes = [np.zeros((0, FIGURES), np.float32)], [np.zeros(0, np.int64)]
    known: list[Looks] = []  # the newest first
    for number, one in enumerate(rounds):
        looks = joined(known)
        judged = card_figures(one.cards, one.detections, looks) if looks else None
        if judged:
            right, there = right_ranks(one.table, one.cards), cards_there(one.table, one.cards)
            figures.append(judged.figures)
            outcomes.append(np.where(right, RIGHT, np.where(there, OTHER_RANK, NO_CARD)))
        rng = np.random.default_rng([*seed, number])
        told = agreed_looks(SeenIndices.of(one.detections, ""), *agreed(one.reading, one.table, rng, MISTAKES))
        known.insert(0, told)
    return floats(np.concatenate(figures)), np.concatenate(outcomes)


def fit_trust(figures: Floats, outcomes: Outcomes) -> list[float]:
    """The weights of ``Trust`` for cards with these ``figures`` (n, FIGURES) and ``outcomes`` (n,).

    Raises:
        ValueError: one of the outcomes never occurs.
    """
    if len(np.unique(outcomes)) < NO_CARD + 1:
        raise ValueError("expected right cards, cards of other ranks and false ones: draw more households")
    mean, spread = figures.mean(0), figures.std(0) + 1e-6
    fitted = LogisticRegression(C=INVERSE_PENALTY, max_iter=2000).fit((figures - mean) / spread, outcomes)
    weights = fitted.coef_ / spread
    return np.column_stack([fitted.intercept_ - weights @ mean, weights]).ravel().tolist()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="number of households (default: 200)")
    parser.add_argument("--assets", type=Path, default=Path("runs/assets"), help="folder of fonts and decks")
    parser.add_argument("--weights", type=Path, default=Path("runs/weights"), help="candidate (default: runs/weights)")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    try:
        packaged = use_part(options.assets, "development", read_manifest())
        reader = load_reader(weights=options.weights)
        parts = [
            weighed_cards(read_rounds(reader, household_of(number, packaged)), (SEED, number))
            for number in range(options.count)
        ]
        figures, outcomes = (np.concatenate(part) for part in zip(*parts, strict=True))
        fitted = fit_trust(floats(figures), outcomes)
    except (ValueError, AssetsError, VisionError) as error:
        parser.error(str(error))
    print(f"{len(outcomes)} cards: {', '.join(map(str, np.bincount(outcomes)))} right, of another rank, false")
    write_fitted(options.weights, {LOOKS: fitted})


if __name__ == "__main__":
    main()
