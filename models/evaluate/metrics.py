"""Scores readings against the ground truth: found, wrong and missed cards, exact tables, and where it goes wrong."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from datasets.scenes.tables import Table, TrueCard
from scorer.faces import Face
from vision.geometry import overlap_share, quad_width
from vision.values import Reading, SeenCard

HEIGHTS = (8, 12, 16, 24, 32, 48)
"""Bounds of the classes of rank heights, in pixels."""
DOUBTS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995)
"""Thresholds of confidence for ``Metrics.trade_off``."""


@dataclass
class PartCount:
    """Cards of one kind on the tables: how many were read correctly, and how many not."""

    found: int = 0
    missed: int = 0


@dataclass(frozen=True)
class PictureResult:
    """The result of one picture.

    Attributes:
        name: its name.
        mistakes: number of wrong and missed cards together.
        least: lowest confidence of its cards; 1 if there are none.
        group_doubted: whether a group has a doubt.
    """

    name: str
    mistakes: int
    least: float
    group_doubted: bool


@dataclass
class Metrics:
    """Counts over many pictures.

    Attributes:
        found: cards read with the right rank.
        wrong: cards read that are not there.
        missed: cards not read.
        right_suit: found cards with the right suit.
        undoubted_wrong: pictures with a mistake and no doubt.
        right_quiet: pictures with neither.
        right_doubts, right_warnings: doubts about cards and groups, and warnings, on pictures without a mistake.
        counted: pictures with the right number of cards of each rank, wherever they are outlined.
        identical_pairs, identical_pairs_right: neighbours with the same face, and those of them both found.
        melds, melds_right: melds, and those grouped with all their cards and no other.
        seconds: time of all readings.
        confused: misread ranks, as "truth>read".
        parts: cards by height of their rank, by layout and by kind of group.
        read: confidence of each card read on drawn tables, and whether its rank was right.
        results: the result of each picture.
    """

    found: int = 0
    wrong: int = 0
    missed: int = 0
    right_suit: int = 0
    undoubted_wrong: int = 0
    right_quiet: int = 0
    right_doubts: int = 0
    right_warnings: int = 0
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
        """Number of pictures on which every card was read with its rank, and no other."""
        return sum(not picture.mistakes for picture in self.results)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall of cards by rank, 0..1."""
        return 2 * self.found / max(2 * self.found + self.wrong + self.missed, 1)

    @property
    def f1_by_face(self) -> float:
        """Like ``f1``, by rank and suit."""
        return 2 * self.right_suit / max(2 * self.found + self.wrong + self.missed, 1)

    def reliability(self, bounds: Sequence[float] = (0, *DOUBTS, 1.0001)) -> list[tuple[float, float, int, int]]:
        """Returns for each range of confidence: its bounds, number of cards, number of right ones."""
        table = []
        for low, high in pairwise(bounds):
            right = [ok for confidence, ok in self.read if low <= confidence < high]
            table.append((low, min(high, 1.0), len(right), sum(right)))
        return table

    def trade_off(self) -> list[tuple[float, float, float]]:
        """Returns for each threshold of confidence under which cards would be doubted: the share of pictures with a
        doubt, and the share of pictures that are wrong without one."""
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
    doubts = sum(bool(card.doubt) for card in reading.cards) + sum(bool(group.doubt) for group in reading.groups)
    if mistakes:
        metrics.undoubted_wrong += not doubts
    else:
        metrics.right_quiet += not doubts
        metrics.right_doubts += doubts
        metrics.right_warnings += len(reading.warnings)


def score_faces(metrics: Metrics, reading: Reading, faces: Sequence[str], ranks_only: bool, name: str = "") -> bool:
    """Scores a reading of one pack against its true faces (or only ranks); returns whether it is exactly right."""

    def rank(face: str) -> str:
        return face if ranks_only else Face.parse(face).rank

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


def misread(table: Table, read: Sequence[SeenCard]) -> list[tuple[Face, SeenCard]]:
    """Returns each card read with a wrong rank, and the face of the card that lies there."""
    return [(table.cards[i].face, read[j]) for i, j in _pairs(table, read)[1].items()]


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


def _part_names(table: Table) -> list[list[str]]:
    """Returns the parts under which each card is counted: height of its tallest readable rank, layout, kind."""
    tallest = [0.0] * len(table.cards)
    for index in table.indices:
        tallest[index.card] = max(tallest[index.card], index.tall)
    names = []
    for card, tall in zip(table.cards, tallest, strict=True):
        step = sum(tall >= bound for bound in HEIGHTS)
        low, high = (0, *HEIGHTS)[step], (*HEIGHTS, None)[step]
        height = f"rank {low} to {high} px" if high else f"rank over {low} px"
        names.append([height, card.layout, "joker" if card.face.rank == "JK" else f"{card.kind} card"])
    return names


def _score_melds(
    metrics: Metrics, reading: Reading, table: Table, pairs: dict[int, int], optional: dict[int, int]
) -> None:
    """Counts the melds, and those whose cards, and no others, form one group.

    Partly hidden cards that were read (``optional``) may be in their meld's group or not.
    """
    melds: dict[int, list[int]] = defaultdict(list)
    hidden: dict[int, set[int]] = defaultdict(set)
    for i, card in enumerate(table.cards):
        if card.kind == "meld" and card.layout in ("column", "row", "fan"):
            melds[card.group].append(pairs.get(i, -1))
    for i, j in optional.items():
        hidden[table.partial[i].group].add(j)
    for group, members in melds.items():
        if len(members) >= 3:
            metrics.melds += 1
            metrics.melds_right += any({*members} == {*found.cards} - hidden[group] for found in reading.groups)


def score_table(metrics: Metrics, reading: Reading, table: Table, name: str = "") -> bool:
    """Scores a reading against a drawn table card by card; returns whether it is exactly right."""
    right, misread, optional = _pairs(table, reading.cards)
    for i, j in misread.items():
        metrics.confused[f"{table.cards[i].face.rank}>{reading.cards[j].face.rank}"] += 1
    wrong = len(reading.cards) - len(right) - len(optional)
    missed = len(table.cards) - len(right)
    metrics.found += len(right)
    metrics.wrong += wrong
    metrics.missed += missed
    metrics.right_suit += sum(table.cards[i].face == reading.cards[j].face for i, j in right.items())
    right_or_optional = {*right.values(), *optional.values()}
    lacking = Counter(card.face.rank for i, card in enumerate(table.cards) if i not in right)
    metrics.counted += lacking == Counter(
        card.face.rank for j, card in enumerate(reading.cards) if j not in right_or_optional
    )
    metrics.read += [(card.confidence, j in right_or_optional) for j, card in enumerate(reading.cards)]
    for i, names in enumerate(_part_names(table)):
        for part in names:
            metrics.parts[part].found += i in right
            metrics.parts[part].missed += i not in right
    for i in range(len(table.cards) - 1):
        a, b = table.cards[i], table.cards[i + 1]
        if a.group == b.group and a.face == b.face:
            metrics.identical_pairs += 1
            metrics.identical_pairs_right += i in right and i + 1 in right
    _score_melds(metrics, reading, table, right | misread, optional)
    _add_result(metrics, name, reading, wrong + missed)
    return not wrong and not missed
