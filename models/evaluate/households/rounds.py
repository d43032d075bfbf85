"""Reads the rounds of a household in turn, and lets each agreed round teach what its indices look like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import islice

import numpy as np

from models.evaluate.households.drawn import Household, agreed
from models.evaluate.metrics import Metrics, score_table
from scorer.faces import JOKER
from vision.detect.trace import Trace
from vision.looks.labelling import AddedCard, AgreedCard, agreed_looks
from vision.looks.looks import NO_INDEX, Looks, SeenIndices, joined
from vision.reader import CardReader
from vision.values import Frame, Reading

NEAREST = 5
"""So many of the nearest looks say what a detection is, each with one vote."""
MAX_LOOKS = 20_000


@dataclass(frozen=True, slots=True)
class RoundResult:
    """How one round was read.

    Attributes:
        household, number: which household, and which of its rounds, from 1.
        cards, wrong, missed: cards that lie there, cards read that do not, and cards not read.
        jokers, jokers_missed: jokers that lie there, and those not read.
        doubts: number of doubts by their code, of cards and groups.
        kept, kept_right: detections that were agreed to be an index, and those of them that the nearest looks name so.
        dropped, dropped_right: detections agreed to be none, and those of them of which the nearest looks say so.
    """

    household: int
    number: int
    cards: int
    wrong: int
    missed: int
    jokers: int
    jokers_missed: int
    doubts: dict[str, int]
    kept: int = 0
    kept_right: int = 0
    dropped: int = 0
    dropped_right: int = 0

    @property
    def is_exact(self) -> bool:
        return not self.wrong and not self.missed

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


def read_rounds(reader: CardReader, household: Household, rounds: int, mistakes: float = 0.0) -> Iterator[RoundResult]:
    """Reads ``rounds`` of a household; people agree on each, ``mistakes`` of its cards with a wrong rank."""
    known: list[Looks] = []  # the newest first
    for number, table in enumerate(islice(household.rounds(), rounds), 1):
        frame = Frame(table.picture, datetime.now(UTC), f"household {household.seed} round {number}")
        looks = joined(known, MAX_LOOKS)
        reading, trace = reader.read_traced(frame, looks=looks)
        metrics = Metrics()
        score_table(metrics, reading, table)
        jokers = metrics.parts["joker"]
        rng = np.random.default_rng([*household.seed, 2, number])
        told = _looks_of(trace, *agreed(reading, table, rng, mistakes))
        yield RoundResult(
            household.seed[1],
            number,
            len(table.cards),
            metrics.wrong,
            metrics.missed,
            sum(card.face == JOKER for card in table.cards),
            jokers.missed,
            _doubts(reading),
            *_named_by_looks(told, looks),
        )
        if told is not None:
            known.insert(0, told)


def _looks_of(trace: Trace, cards: Sequence[AgreedCard], added: Sequence[AddedCard]) -> Looks | None:
    if trace.scored is None or not len(trace.scored):
        return None
    return agreed_looks(SeenIndices.of(trace.scored, trace.networks), cards, added)


def _doubts(reading: Reading) -> dict[str, int]:
    doubts = [card.doubt for card in reading.cards] + [group.doubt for group in reading.groups]
    return dict(Counter(str(doubt) for doubt in doubts if doubt is not None))


def _named_by_looks(told: Looks | None, known: Looks | None) -> tuple[int, int, int, int]:
    """Of the looks of a round what ``RoundResult`` counts; all 0 for a household's first round."""
    if told is None or known is None or len(known) < NEAREST:
        return 0, 0, 0, 0
    labels = np.array([*map({rank: n for n, rank in enumerate(known.ranks)}.get, told.ranks), NO_INDEX])
    true = [labels[label] for label in told.labels]
    nearest = np.argpartition(-(told.embeddings @ known.embeddings.T), NEAREST - 1, axis=1)[:, :NEAREST]
    said = [Counter(known.labels[row].tolist()).most_common(1)[0][0] for row in nearest]
    right = np.array([one == other for one, other in zip(said, true, strict=True)], bool)
    kept = told.labels != NO_INDEX
    return int(kept.sum()), int(right[kept].sum()), int((~kept).sum()), int(right[~kept].sum())
