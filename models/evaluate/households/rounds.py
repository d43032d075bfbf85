"""Reads the rounds of a household in turn, and lets each agreed round teach what its indices look like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import islice

import numpy as np

from models.evaluate.households.drawn import Household, agreed
from models.evaluate.metrics import Metrics, score_table
from scorer.faces import JOKER
from vision.looks.labelling import agreed_looks
from vision.looks.looks import Looks, SeenIndices, joined
from vision.reader import CardReader
from vision.values import Frame, Reading


@dataclass(frozen=True, slots=True)
class RoundResult:
    """How one round was read.

    Attributes:
        household, number: which household, and which of its rounds, from 1.
        cards, wrong, missed: cards that lie there, cards read that do not, and cards not read.
        jokers, jokers_missed: jokers that lie there, and those not read.
        doubts: number of doubts by their code, of cards and groups.
    """

    household: int
    number: int
    cards: int
    wrong: int
    missed: int
    jokers: int
    jokers_missed: int
    doubts: dict[str, int]

    @property
    def mistakes(self) -> int:
        return self.wrong + self.missed

    @property
    def is_exact(self) -> bool:
        return not self.mistakes

    @property
    def is_quiet(self) -> bool:
        """Exactly right, and nothing asked."""
        return self.is_exact and not self.doubts

    @property
    def is_silent(self) -> bool:
        """Wrong, and nothing asked."""
        return not self.is_exact and not self.doubts

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def read_rounds(
    reader: CardReader, household: Household, rounds: int, mistakes: float = 0.0, learns: bool = True
) -> Iterator[RoundResult]:
    """Reads ``rounds`` of a household; people agree on each, ``mistakes`` of its cards with a wrong rank.

    Unless the reader ``learns``, each is read as the first.
    """
    known: list[Looks] = []  # the newest first
    for number, table in enumerate(islice(household.rounds(), rounds), 1):
        frame = Frame(table.picture, datetime.now(UTC), f"household {household.seed} round {number}")
        looks = joined(known)
        reading, trace = reader.read_traced(frame, looks=looks)
        metrics = Metrics()
        score_table(metrics, reading, table)
        jokers = metrics.parts["joker"]
        rng = np.random.default_rng([*household.seed, 2, number])
        yield RoundResult(
            household.seed[1],
            number,
            len(table.cards),
            metrics.wrong,
            metrics.missed,
            sum(card.face == JOKER for card in table.cards),
            jokers.missed,
            _doubts(reading),
        )
        if learns and trace.scored is not None and len(trace.scored):
            seen = SeenIndices.of(trace.scored, trace.networks)
            known.insert(0, agreed_looks(seen, *agreed(reading, table, rng, mistakes)))


def _doubts(reading: Reading) -> dict[str, int]:
    doubts = [card.doubt for card in reading.cards] + [group.doubt for group in reading.groups]
    return dict(Counter(str(doubt) for doubt in doubts if doubt is not None))
