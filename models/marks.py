"""Marking readings against the truth: found, wrong, missed, tables exactly right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from datasets.tables import Table, TrueCard
from vision.geometry import overlap_share, width_of
from vision.values import Reading, SeenCard


@dataclass
class Marks:
    """Counts over many pictures; ``wrong`` are cards read that do not lie there, ``missed`` those that do, unread."""

    pictures: int = 0
    exact: int = 0
    found: int = 0
    wrong: int = 0
    missed: int = 0
    right_suit: int = 0
    undoubted_wrong: int = 0
    twins: int = 0
    twins_right: int = 0
    seconds: float = 0.0
    confused: Counter[str] = field(default_factory=Counter)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall of cards by rank, 0..1."""
        return 2 * self.found / max(2 * self.found + self.wrong + self.missed, 1)

    def report(self, name: str) -> str:
        pictures = max(self.pictures, 1)
        line = (
            f"{name}: {self.pictures} pictures, {self.found + self.missed} cards: "
            f"found {self.found}, wrong {self.wrong}, missed {self.missed}; F1 by rank {self.f1:.4f}; "
            f"exactly right {self.exact} ({self.exact / pictures:.1%}); "
            f"wrong and undoubted {self.undoubted_wrong} ({self.undoubted_wrong / pictures:.1%}); "
            f"{self.seconds / pictures:.2f} s each"
        )
        if self.twins:
            line += f"; identical neighbours counted right {self.twins_right} of {self.twins}"
        if self.found and self.right_suit:
            line += f"; suit right {self.right_suit / self.found:.2%} of found"
        if self.confused:
            line += "; most confused (truth>read): " + ", ".join(f"{k} {n}" for k, n in self.confused.most_common(8))
        return line


def _close(marks: Marks, reading: Reading, exact: bool) -> None:
    marks.pictures += 1
    marks.seconds += reading.seconds
    marks.exact += exact
    doubted = any(card.doubt for card in reading.cards) or any(group.doubt for group in reading.groups)
    marks.undoubted_wrong += not exact and not doubted


def mark_faces(marks: Marks, reading: Reading, faces: Sequence[str], ranks_only: bool) -> bool:
    """Marks a reading of one pack against the faces that lie there (or only their ranks); True if exactly right."""

    def rank(face: str) -> str:
        return face if ranks_only or face == "JK" else face[:-1]

    true = Counter(rank(face) for face in faces)
    read = Counter(card.face.rank for card in reading.cards)
    found = sum((true & read).values())
    marks.found += found
    marks.missed += sum(true.values()) - found
    marks.wrong += sum(read.values()) - found
    if not ranks_only:
        marks.right_suit += sum((Counter(faces) & Counter(str(card.face) for card in reading.cards)).values())
    missing, extra = list((true - read).elements()), list((read - true).elements())
    if len(missing) == 1 and len(extra) == 1:
        marks.confused[f"{missing[0]}>{extra[0]}"] += 1
    exact = true == read
    _close(marks, reading, exact)
    return exact


def _match(true: Sequence[TrueCard], read: Sequence[SeenCard]) -> dict[int, int]:
    """Pairs of (place in ``true``, place in ``read``) that outline the same card, best overlaps first."""
    tries = []
    for i, card in enumerate(true):
        for j, seen in enumerate(read):
            quad = np.asarray(seen.quad, np.float32)
            apart = np.hypot(*(card.quad.mean(0) - quad.mean(0))) / width_of(card.quad)
            if apart < 0.5:
                same = overlap_share(card.quad, quad)
                same_rank = card.face.rank == seen.face.rank
                tries.append((-same - 0.05 * same_rank, i, j))
    pairs: dict[int, int] = {}
    used: set[int] = set()
    for cost, i, j in sorted(tries):
        if cost < -0.6 and i not in pairs and j not in used:
            pairs[i] = j
            used.add(j)
    return pairs


def mark_table(marks: Marks, reading: Reading, table: Table) -> bool:
    """Marks a reading card by card against a drawn table; True if every card is there with its rank and no other."""
    pairs = _match(table.cards, reading.cards)
    right = {i for i, j in pairs.items() if table.cards[i].face.rank == reading.cards[j].face.rank}
    for i, j in pairs.items():
        if i not in right:
            marks.confused[f"{table.cards[i].face.rank}>{reading.cards[j].face.rank}"] += 1
    left = [card for j, card in enumerate(reading.cards) if j not in pairs.values()]
    guessed = _match(table.partial, left)
    excused = sum(table.partial[i].face.rank == left[j].face.rank for i, j in guessed.items())
    wrong = len(pairs) - len(right) + len(left) - excused
    marks.found += len(right)
    marks.wrong += wrong
    marks.missed += len(table.cards) - len(right)
    marks.right_suit += sum(table.cards[i].face == reading.cards[pairs[i]].face for i in right)
    for i in range(len(table.cards) - 1):
        a, b = table.cards[i], table.cards[i + 1]
        if a.group == b.group and a.face == b.face:
            marks.twins += 1
            marks.twins_right += i in right and i + 1 in right
    exact = len(right) == len(table.cards) and wrong == 0
    _close(marks, reading, exact)
    return exact
