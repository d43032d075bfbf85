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
"""Confidences under which a card may be doubted, for the curve of ``Metrics.trade_off``."""


@dataclass
class PartCount:
    """Cards of one sort that lie on the tables: how many were read right, how many not."""

    found: int = 0
    missed: int = 0


@dataclass(frozen=True)
class PictureResult:
    """How one picture was read: its mistakes, wrong cards and missed ones together, the least confidence in any of its
    cards (1 where there is none), and whether a group was doubted."""

    name: str
    mistakes: int
    least: float
    group_doubted: bool


@dataclass
class Metrics:
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
    identical_pairs: int = 0
    identical_pairs_right: int = 0
    melds: int = 0
    melds_right: int = 0
    seconds: float = 0.0
    confused: Counter[str] = field(default_factory=Counter)
    parts: dict[str, PartCount] = field(default_factory=lambda: defaultdict(PartCount))
    read: list[tuple[float, bool]] = field(default_factory=list)
    results: list[PictureResult] = field(default_factory=list)

    @property
    def pictures(self) -> int:
        return len(self.results)

    @property
    def exact(self) -> int:
        """Pictures on which every card was read with its rank, and no other."""
        return sum(not picture.mistakes for picture in self.results)

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
            doubted = [picture.group_doubted or picture.least < bound for picture in self.results]
            silent = [not doubt and picture.mistakes for doubt, picture in zip(doubted, self.results, strict=True)]
            curve.append((bound, sum(doubted) / count, sum(map(bool, silent)) / count))
        return curve


def _add_result(metrics: Metrics, name: str, reading: Reading, mistakes: int) -> None:
    least = min((card.confidence for card in reading.cards), default=1.0)
    by_group = any(group.doubt for group in reading.groups)
    metrics.results.append(PictureResult(name, mistakes, least, by_group))
    metrics.seconds += reading.seconds
    metrics.undoubted_wrong += bool(mistakes) and not by_group and not any(card.doubt for card in reading.cards)


def score_faces(metrics: Metrics, reading: Reading, faces: Sequence[str], ranks_only: bool, name: str = "") -> bool:
    """Metrics a reading of one pack against the faces that lie there (or only their ranks); True if exactly right."""

    def rank(face: str) -> str:
        return face if ranks_only or face == "JK" else face[:-1]

    true = Counter(rank(face) for face in faces)
    read = Counter(card.face.rank for card in reading.cards)
    found = sum((true & read).values())
    metrics.found += found
    metrics.missed += sum(true.values()) - found
    metrics.wrong += sum(read.values()) - found
    if not ranks_only:
        metrics.right_suit += sum((Counter(faces) & Counter(str(card.face) for card in reading.cards)).values())
    metrics.counted += true == read
    missing, extra = list((true - read).elements()), list((read - true).elements())
    if len(missing) == 1 and len(extra) == 1:
        metrics.confused[f"{missing[0]}>{extra[0]}"] += 1
    _add_result(metrics, name, reading, len(missing) + len(extra))
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
    optional = match(table.partial, left, True)
    missing = [i for i in range(len(table.cards)) if i not in right]
    misread = match([table.cards[i] for i in missing], [j for j in left if j not in optional.values()], False)
    return right, {missing[i]: j for i, j in misread.items()}, optional


def right_ranks(table: Table, read: Sequence[SeenCard]) -> list[bool]:
    """Whether each card read lies there and has its rank."""
    right, _, optional = _pairs(table, read)
    fine = {*right.values(), *optional.values()}
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


def _score_melds(
    metrics: Metrics, reading: Reading, table: Table, pairs: dict[int, int], optional: dict[int, int]
) -> None:
    """Counts the melds, and those whose cards, and no others, were put together. Those of its partly hidden cards that
    were read, in ``optional``, may lie in its group or not."""
    lying: dict[int, list[int]] = defaultdict(list)
    hidden: dict[int, set[int]] = defaultdict(set)
    for i, card in enumerate(table.cards):
        if card.kind == "meld" and card.layout in ("column", "row", "fan"):
            lying[card.group].append(pairs.get(i, -1))
    for i, j in optional.items():
        hidden[table.partial[i].group].add(j)
    for group, members in lying.items():
        if len(members) >= 3:
            metrics.melds += 1
            metrics.melds_right += any({*members} == {*found.cards} - hidden[group] for found in reading.groups)


def score_table(metrics: Metrics, reading: Reading, table: Table, name: str = "") -> bool:
    """Metrics a reading card by card against a drawn table; True if every card is there with its rank and no other."""
    right, misread, optional = _pairs(table, reading.cards)
    for i, j in misread.items():
        metrics.confused[f"{table.cards[i].face.rank}>{reading.cards[j].face.rank}"] += 1
    wrong = len(reading.cards) - len(right) - len(optional)
    missed = len(table.cards) - len(right)
    metrics.found += len(right)
    metrics.wrong += wrong
    metrics.missed += missed
    metrics.right_suit += sum(table.cards[i].face == reading.cards[j].face for i, j in right.items())
    fine = {*right.values(), *optional.values()}
    lacking = Counter(card.face.rank for i, card in enumerate(table.cards) if i not in right)
    metrics.counted += lacking == Counter(card.face.rank for j, card in enumerate(reading.cards) if j not in fine)
    metrics.read += [(card.confidence, j in fine) for j, card in enumerate(reading.cards)]
    for i, sorts in enumerate(_sorts(table)):
        for sort in sorts:
            metrics.parts[sort].found += i in right
            metrics.parts[sort].missed += i not in right
    for i in range(len(table.cards) - 1):
        a, b = table.cards[i], table.cards[i + 1]
        if a.group == b.group and a.face == b.face:
            metrics.identical_pairs += 1
            metrics.identical_pairs_right += i in right and i + 1 in right
    _score_melds(metrics, reading, table, right | misread, optional)
    _add_result(metrics, name, reading, wrong + missed)
    return not wrong and not missed
