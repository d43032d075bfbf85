"""Marking readings against the truth: found, wrong, missed, tables exactly right, and where it goes wrong."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from datasets.scenes.tables import Table, TrueCard
from vision.geometry import overlap_share, width_of
from vision.values import Reading, SeenCard

HEIGHTS = (8, 12, 16, 24, 32, 48)
"""Bounds, in pixels, between which the heights of ranks are counted together."""
DOUBTS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995)
"""Confidences under which a card may be doubted, for the curve of ``Marks.trade_off``."""


@dataclass
class Part:
    """Cards of one sort that lie on the tables: how many were read right, how many not."""

    found: int = 0
    missed: int = 0


@dataclass(frozen=True)
class Picture:
    """How one picture was read: its mistakes, wrong cards and missed ones together, the least confidence in any of its
    cards (1 where there is none), and whether a group was doubted."""

    name: str
    mistakes: int
    least: float
    group_doubted: bool


@dataclass
class Marks:
    """Counts over many pictures; ``wrong`` are cards read that do not lie there, ``missed`` those that do, unread.

    ``counted`` are the pictures with as many cards of each rank as lie there, though one be outlined beside its place.
    ``parts`` count the cards by height of their rank, by layout and by sort of group; ``read`` has, for every card read
    on a drawn table, the confidence given and whether its rank was right.
    """

    found: int = 0
    wrong: int = 0
    missed: int = 0
    right_suit: int = 0
    undoubted_wrong: int = 0
    counted: int = 0
    twins: int = 0
    twins_right: int = 0
    groups: int = 0
    groups_right: int = 0
    seconds: float = 0.0
    confused: Counter[str] = field(default_factory=Counter)
    parts: dict[str, Part] = field(default_factory=lambda: defaultdict(Part))
    read: list[tuple[float, bool]] = field(default_factory=list)
    looked_at: list[Picture] = field(default_factory=list)

    @property
    def pictures(self) -> int:
        return len(self.looked_at)

    @property
    def exact(self) -> int:
        """Pictures on which every card was read with its rank, and no other."""
        return sum(not picture.mistakes for picture in self.looked_at)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall of cards by rank, 0..1."""
        return 2 * self.found / max(2 * self.found + self.wrong + self.missed, 1)

    @property
    def f1_by_face(self) -> float:
        """The same by rank and suit."""
        return 2 * self.right_suit / max(2 * self.found + self.wrong + self.missed, 1)

    def reliability(self, bounds: Sequence[float] = (0, *DOUBTS, 1.0001)) -> list[tuple[float, float, int, int]]:
        """For each stretch of confidence: its bounds, how many cards were said to be so sure, how many were right."""
        table = []
        for low, high in pairwise(bounds):
            right = [ok for confidence, ok in self.read if low <= confidence < high]
            table.append((low, min(high, 1.0), len(right), sum(right)))
        return table

    def trade_off(self) -> list[tuple[float, float, float]]:
        """For each confidence under which a card would be doubted: the share of all pictures with a doubt, and the
        share of them that are wrong without one."""
        count = max(self.pictures, 1)
        curve = []
        for bound in DOUBTS:
            doubted = [picture.group_doubted or picture.least < bound for picture in self.looked_at]
            silent = [not doubt and picture.mistakes for doubt, picture in zip(doubted, self.looked_at, strict=True)]
            curve.append((bound, sum(doubted) / count, sum(map(bool, silent)) / count))
        return curve


def _close(marks: Marks, name: str, reading: Reading, mistakes: int) -> None:
    least = min((card.confidence for card in reading.cards), default=1.0)
    by_group = any(group.doubt for group in reading.groups)
    marks.looked_at.append(Picture(name, mistakes, least, by_group))
    marks.seconds += reading.seconds
    marks.undoubted_wrong += bool(mistakes) and not by_group and not any(card.doubt for card in reading.cards)


def mark_faces(marks: Marks, reading: Reading, faces: Sequence[str], ranks_only: bool, name: str = "") -> bool:
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
    marks.counted += true == read
    missing, extra = list((true - read).elements()), list((read - true).elements())
    if len(missing) == 1 and len(extra) == 1:
        marks.confused[f"{missing[0]}>{extra[0]}"] += 1
    _close(marks, name, reading, len(missing) + len(extra))
    return true == read


def _match(true: Sequence[TrueCard], read: Sequence[SeenCard], same_rank: bool) -> dict[int, int]:
    """Pairs of (place in ``true``, place in ``read``) that outline the same card, best overlaps first; only those that
    agree on the rank where ``same_rank``."""
    tries = []
    for i, card in enumerate(true):
        for j, seen in enumerate(read):
            if same_rank and card.face.rank != seen.face.rank:
                continue
            quad = np.asarray(seen.quad, np.float32)
            apart = np.hypot(*(card.quad.mean(0) - quad.mean(0))) / width_of(card.quad)
            if apart < 0.5:
                tries.append((-overlap_share(card.quad, quad), i, j))
    pairs: dict[int, int] = {}
    used: set[int] = set()
    for cost, i, j in sorted(tries):
        if cost < -0.6 and i not in pairs and j not in used:
            pairs[i] = j
            used.add(j)
    return pairs


def _pairs(table: Table, read: Sequence[SeenCard]) -> tuple[dict[int, int], dict[int, int], dict[int, int]]:
    """Pairs of (place in the table's cards, place in ``read``) that agree on the rank, pairs that do not, and those of
    (place in the table's partly hidden cards, place in ``read``) that agree: nobody is asked to read these.

    Those that agree come first: in a tight row the reading of a partly hidden card would else pass for a wrong one of
    its neighbour.
    """

    def match(true: Sequence[TrueCard], places: Sequence[int], same_rank: bool) -> dict[int, int]:
        return {i: places[j] for i, j in _match(true, [read[j] for j in places], same_rank).items()}

    right = match(table.cards, range(len(read)), True)
    left = [j for j in range(len(read)) if j not in right.values()]
    excused = match(table.partial, left, True)
    missing = [i for i in range(len(table.cards)) if i not in right]
    misnamed = match([table.cards[i] for i in missing], [j for j in left if j not in excused.values()], False)
    return right, {missing[i]: j for i, j in misnamed.items()}, excused


def named_right(table: Table, read: Sequence[SeenCard]) -> list[bool]:
    """Whether each card read lies there and has its rank."""
    right, _, excused = _pairs(table, read)
    fine = {*right.values(), *excused.values()}
    return [j in fine for j in range(len(read))]


def _sorts(table: Table) -> list[list[str]]:
    """What each card of a table is counted under: the height of its tallest readable rank, its layout, its kind."""
    tallest = [0.0] * len(table.cards)
    for index in table.indices:
        tallest[index.card] = max(tallest[index.card], index.tall)
    sorts = []
    for card, tall in zip(table.cards, tallest, strict=True):
        step = sum(tall >= bound for bound in HEIGHTS)
        low, high = (0, *HEIGHTS)[step], (*HEIGHTS, None)[step]
        height = f"rank {low} to {high} px" if high else f"rank over {low} px"
        sorts.append([height, card.layout, "joker" if card.face.rank == "JK" else f"{card.kind} card"])
    return sorts


def _mark_groups(marks: Marks, reading: Reading, table: Table, pairs: dict[int, int], excused: dict[int, int]) -> None:
    """Counts the melds, and those whose cards, and no others, were put together. Those of its partly hidden cards that
    were read, in ``excused``, may lie in its group or not."""
    lying: dict[int, list[int]] = defaultdict(list)
    hidden: dict[int, set[int]] = defaultdict(set)
    for i, card in enumerate(table.cards):
        if card.kind == "meld" and card.layout in ("column", "row", "fan"):
            lying[card.group].append(pairs.get(i, -1))
    for i, j in excused.items():
        hidden[table.partial[i].group].add(j)
    for group, members in lying.items():
        if len(members) >= 3:
            marks.groups += 1
            marks.groups_right += any({*members} == {*found.cards} - hidden[group] for found in reading.groups)


def mark_table(marks: Marks, reading: Reading, table: Table, name: str = "") -> bool:
    """Marks a reading card by card against a drawn table; True if every card is there with its rank and no other."""
    right, misnamed, excused = _pairs(table, reading.cards)
    for i, j in misnamed.items():
        marks.confused[f"{table.cards[i].face.rank}>{reading.cards[j].face.rank}"] += 1
    wrong = len(reading.cards) - len(right) - len(excused)
    missed = len(table.cards) - len(right)
    marks.found += len(right)
    marks.wrong += wrong
    marks.missed += missed
    marks.right_suit += sum(table.cards[i].face == reading.cards[j].face for i, j in right.items())
    fine = {*right.values(), *excused.values()}
    lacking = Counter(card.face.rank for i, card in enumerate(table.cards) if i not in right)
    marks.counted += lacking == Counter(card.face.rank for j, card in enumerate(reading.cards) if j not in fine)
    marks.read += [(card.confidence, j in fine) for j, card in enumerate(reading.cards)]
    for i, sorts in enumerate(_sorts(table)):
        for sort in sorts:
            marks.parts[sort].found += i in right
            marks.parts[sort].missed += i not in right
    for i in range(len(table.cards) - 1):
        a, b = table.cards[i], table.cards[i + 1]
        if a.group == b.group and a.face == b.face:
            marks.twins += 1
            marks.twins_right += i in right and i + 1 in right
    _mark_groups(marks, reading, table, right | misnamed, excused)
    _close(marks, name, reading, wrong + missed)
    return not wrong and not missed
