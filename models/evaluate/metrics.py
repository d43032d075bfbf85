"""Scores readings against the ground truth: found, wrong and missed cards, and exact tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from datasets.scenes.tables import Table, TrueCard
from scorer.faces import JOKER, Face
from vision.geometry import overlap_share, quad_width
from vision.values import Reading, SeenCard


@dataclass
class Metrics:
    """Counts over many pictures.

    Attributes:
        pictures, exact: pictures, and those on which every card was read with its rank, and no other.
        found: cards read with the right rank.
        wrong: cards read that are not there.
        missed: cards not read.
        jokers, jokers_missed: jokers of drawn tables, and those not read.
        undoubted_wrong: pictures with a mistake and no doubt.
        right_doubts, right_warnings: doubts about cards and groups, and warnings, on pictures without a mistake.
        seconds: time of all readings.
    """

    pictures: int = 0
    exact: int = 0
    found: int = 0
    wrong: int = 0
    missed: int = 0
    jokers: int = 0
    jokers_missed: int = 0
    undoubted_wrong: int = 0
    right_doubts: int = 0
    right_warnings: int = 0
    seconds: float = 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall of cards by rank, 0..1."""
        return 2 * self.found / max(2 * self.found + self.wrong + self.missed, 1)

    def line(self, name: str) -> str:
        """All figures as one line."""
        pictures = max(self.pictures, 1)
        return (
            f"{name}: {self.pictures} pictures, {self.found + self.missed} cards: "
            f"found {self.found}, wrong {self.wrong}, missed {self.missed}; F1 by rank {self.f1:.4f}; "
            f"exactly right {self.exact} ({self.exact / pictures:.1%}); "
            f"on those {self.right_doubts} doubts and {self.right_warnings} warnings; "
            f"wrong and undoubted {self.undoubted_wrong} ({self.undoubted_wrong / pictures:.1%}); "
            f"{self.seconds / pictures:.2f} s each"
        )

    def add(self, reading: Reading, found: int, wrong: int, missed: int) -> bool:
        """Counts a picture; returns whether it is exactly right."""
        self.pictures += 1
        self.found += found
        self.wrong += wrong
        self.missed += missed
        self.seconds += reading.seconds
        doubts = sum(bool(card.doubt) for card in reading.cards) + sum(bool(group.doubt) for group in reading.groups)
        if wrong or missed:
            self.undoubted_wrong += not doubts
            return False
        self.exact += 1
        self.right_doubts += doubts
        self.right_warnings += len(reading.warnings)
        return True


def score_faces(metrics: Metrics, reading: Reading, faces: Sequence[str]) -> bool:
    """Scores a reading of one pack against its true faces, or ranks; returns whether it is exactly right."""
    true = Counter(Face.parse(face).rank for face in faces)
    read = Counter(card.face.rank for card in reading.cards)
    found = (true & read).total()
    return metrics.add(reading, found, read.total() - found, true.total() - found)


def _match(true: Sequence[TrueCard], read: Sequence[SeenCard], same_rank: bool) -> dict[int, int]:
    """Matches true cards to read ones by overlap, best first; only those of equal rank if ``same_rank``.

    Returns positions in ``read`` by positions in ``true``.
    """
    candidates = []
    for i, card in enumerate(true):
        for j, read_card in enumerate(read):
            if same_rank and card.face.rank != read_card.face.rank:
                continue
            quad = np.asarray(read_card.quad, np.float32)
            apart = np.hypot(*(card.quad.mean(0) - quad.mean(0))) / quad_width(card.quad)
            if apart < 0.5:
                candidates.append((-overlap_share(card.quad, quad), i, j))
    pairs: dict[int, int] = {}
    used: set[int] = set()
    for cost, i, j in sorted(candidates):
        if cost < -0.6 and i not in pairs and j not in used:
            pairs[i] = j
            used.add(j)
    return pairs


def _pairs(table: Table, read: Sequence[SeenCard]) -> tuple[dict[int, int], dict[int, int], dict[int, int]]:
    """Matches the table's cards to those read: with the right rank, with a wrong one, and partly hidden cards with the
    right rank, which need not be read.

    Matches of equal rank come first: otherwise, in a tight row, the reading of a partly hidden card would count as a
    wrong reading of its neighbour.
    """

    def match(true: Sequence[TrueCard], places: Sequence[int], same_rank: bool) -> dict[int, int]:
        return {i: places[j] for i, j in _match(true, [read[j] for j in places], same_rank).items()}

    right = match(table.cards, range(len(read)), True)
    left = [j for j in range(len(read)) if j not in right.values()]
    optional = match(table.partial, left, True)
    missing = [i for i in range(len(table.cards)) if i not in right]
    misread = match([table.cards[i] for i in missing], [j for j in left if j not in optional.values()], False)
    return right, {missing[i]: j for i, j in misread.items()}, optional


def right_ranks(table: Table, read: Sequence[SeenCard]) -> list[bool]:
    """Tells for each card read whether it is there and has the right rank."""
    right, _, optional = _pairs(table, read)
    right_or_optional = {*right.values(), *optional.values()}
    return [j in right_or_optional for j in range(len(read))]


def cards_there(table: Table, read: Sequence[SeenCard]) -> list[bool]:
    """Tells for each card read whether a card is there, whatever its name."""
    there = matched_cards(table, read)
    return [j in there for j in range(len(read))]


def matched_cards(table: Table, read: Sequence[SeenCard]) -> dict[int, TrueCard]:
    """The card of the table that each card read is, whatever its name, by positions in ``read``; false ones are left
    out."""
    right, misread, optional = _pairs(table, read)
    matches = {j: table.cards[i] for pairs in (right, misread) for i, j in pairs.items()}
    return matches | {j: table.partial[i] for i, j in optional.items()}


def score_table(metrics: Metrics, reading: Reading, table: Table) -> bool:
    """Scores a reading against a drawn table card by card; returns whether it is exactly right."""
    right, _, optional = _pairs(table, reading.cards)
    jokers = [i for i, card in enumerate(table.cards) if card.face == JOKER]
    metrics.jokers += len(jokers)
    metrics.jokers_missed += sum(i not in right for i in jokers)
    wrong = len(reading.cards) - len(right) - len(optional)
    return metrics.add(reading, len(right), wrong, len(table.cards) - len(right))
