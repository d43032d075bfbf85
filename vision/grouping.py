"""Cards to groups, as people see them: melds and books, threes, piles, hands and single cards.

Cards that touch belong together unless their ranks say otherwise: a meld is three or more cards of one rank with wilds
among them, so ranks that lie against each other are kept apart, while cards of many ranks that overlap are a hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorer.faces import Face
from vision.geometry import Flags, card_widths, distances, grown, overlap_share
from vision.values import Group

Floats = NDArray[np.float32]
TOUCH = 0.06
"""Cards nearer than about this share of a card's width count as touching."""
IN_LINE = (0.75, 0.55, 0.2)
"""Cards of one column, row or fan lie no further from each other than this, in a card's widths across and heights down,
and no further than the third of these out of line."""
MOST_TURNED = 0.35
"""And they are turned against each other by no more than this, in radians."""
SQUARED = 0.87
"""Cards that share more than this of their area lie squared on each other."""
SIDE_RANK = "3"
SMALLEST_MELD = 3


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """A card as grouping needs it: its face and its outline (4, 2) in pixels."""

    face: Face
    quad: Floats


def _clusters(members: Iterable[int], joined: Flags) -> list[list[int]]:
    """The members in sets connected by ``joined`` (n, n)."""
    left = list(members)
    found = []
    while left:
        cluster = [left.pop(0)]
        for i in cluster:  # grows while it is walked
            near = [j for j in left if joined[i, j]]
            left = [j for j in left if not joined[i, j]]
            cluster += near
        found.append(sorted(cluster))
    return found


def _overlaps(cards: Sequence[Lying]) -> NDArray[np.float32]:
    shares = np.zeros((len(cards), len(cards)), np.float32)
    if not cards:
        return shares
    wider = [grown(card.quad, TOUCH) for card in cards]
    quads = np.stack([card.quad for card in cards])
    middles = quads.mean(1)
    reach = 1.7 * card_widths(quads)
    close = distances(middles) < reach[:, None] + reach[None]
    for i, j in zip(*np.nonzero(np.tril(close, -1)), strict=True):
        shares[i, j] = shares[j, i] = overlap_share(wider[i], wider[j])
    return shares


class _Table:
    """The cards with their overlaps and the ranks that are wild."""

    def __init__(self, cards: Sequence[Lying], wild_ranks: frozenset[str], book_size: int) -> None:
        self.cards, self.wild_ranks, self.book_size = cards, wild_ranks, book_size
        self.shares = _overlaps(cards)
        self.touch: Flags = self.shares > 0
        self.in_line = self.touch & _in_line(np.stack([card.quad for card in cards]))
        """Which cards lie against which as the next of a column, a row or a fan does, (n, n)."""

    def rank(self, i: int) -> str:
        return self.cards[i].face.rank

    def wild(self, i: int) -> bool:
        return self.rank(i) in self.wild_ranks

    def book(self, members: Sequence[int]) -> str | None:
        if len(members) < self.book_size:
            return None
        wilds = sum(self.wild(i) for i in members)
        return "wild" if wilds == len(members) else "dirty" if wilds else "clean"

    def meld(self, members: list[int], rank: str | None, reason: str) -> Group:
        return Group(tuple(members), "meld", rank, self.book(members), None, reason)


def _in_line(quads: Floats) -> Flags:
    """Which two outlines (n, 4, 2) are turned alike and lie straight beside or below each other, a step apart, (n, n):
    as the first of the two sees it."""
    frames = np.stack([quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]], 2).astype(np.float64)
    flat = np.abs(np.linalg.det(frames)) < 1
    back = np.linalg.inv(np.where(flat[:, None, None], np.eye(2), frames))[:, None]
    middles, tops = quads.mean(1), quads[:, 1] - quads[:, 0]
    across, down = np.abs(back @ (middles[None] - middles[:, None])[..., None])[..., 0].transpose(2, 0, 1)
    along, aslant = (back @ tops[None, :, :, None])[..., 0].transpose(2, 0, 1)
    wide, tall = np.hypot(*frames.transpose(1, 2, 0))
    turned = np.abs(np.arctan2(aslant * (tall / np.maximum(wide, 1))[:, None], along))
    far_across, far_down, aside = IN_LINE
    straight = ((across < far_across) & (down < aside)) | ((across < aside) & (down < far_down))
    return np.asarray(straight & (np.minimum(turned, np.pi - turned) < MOST_TURNED) & ~flat[:, None], bool)


def _sort_out(table: _Table, cluster: list[int]) -> list[Group]:
    """Groups of one set of touching cards: melds that lie in line by themselves, whatever lies over or under them, and
    then the others."""
    lines = [line for line in _clusters(cluster, table.in_line) if _is_meld(table, line)]
    rest = [i for i in cluster if not any(i in line for line in lines)]
    if not rest or not lines:
        return [group for line in lines or [cluster] for group in _by_rank(table, line)]
    # a card out of line that touches lines alone and fits the one it lies on, a wild laid crosswise say, belongs to it
    for i in [i for i in rest if not any(table.touch[i, j] for j in rest if j != i)]:
        line = max(lines, key=lambda line: max(float(table.shares[i, j]) for j in line))
        if _is_meld(table, [*line, i]):
            rest.remove(i)
            line.append(i)
    parts = [*map(sorted, lines), *_clusters(rest, table.touch)]
    return [group for part in parts for group in _by_rank(table, part)]


def _is_meld(table: _Table, line: Sequence[int]) -> bool:
    ranks = {table.rank(i) for i in line if not table.wild(i)}
    return len(line) >= SMALLEST_MELD and len(ranks) <= 1 and ranks != {SIDE_RANK}


def _by_rank(table: _Table, cluster: list[int]) -> list[Group]:
    """Groups of touching cards that do not tell by how they lie which belong together."""
    naturals = [i for i in cluster if not table.wild(i)]
    wilds = [i for i in cluster if table.wild(i)]
    if len(cluster) == 1:
        return [_lone(table, cluster)]
    if not naturals:
        if len(wilds) >= SMALLEST_MELD:
            return [table.meld(wilds, None, "wild cards that touch")]
        return [Group(tuple(wilds), "hand", None, None, None, "two wild cards that touch")]
    # cores: cards of one rank that touch each other directly or over wilds
    cores: list[list[int]] = []
    for rank in sorted({table.rank(i) for i in naturals}):
        same = [i for i in cluster if table.rank(i) == rank]
        for linked in _clusters(same + wilds, table.touch):
            core = [i for i in linked if not table.wild(i)]
            if core:
                cores.append(core)
    given: dict[int, list[int]] = {n: [] for n in range(len(cores))}
    for i in wilds:  # a wild belongs to the rank it overlaps most; to the smaller group where that is even
        pull = [max(float(table.shares[i, j]) for j in core) for core in cores]
        best = max(range(len(cores)), key=lambda n: (round(pull[n], 1), -len(cores[n]) - len(given[n])))
        given[best].append(i)
    melds, rest = [], []
    for n, core in enumerate(cores):
        whole = sorted(core + given[n])
        if table.rank(core[0]) != SIDE_RANK and len(core) >= 2 and len(whole) >= SMALLEST_MELD:
            melds.append((core, whole))
        elif table.rank(core[0]) == SIDE_RANK and len(core) > 1 and not given[n]:
            melds.append((core, core))
        else:
            rest += whole
    melded = sum(len(whole) for _, whole in melds)
    if not melds or (len(rest) > 1 and len(rest) >= 0.5 * melded):
        ranks = len({table.rank(i) for i in naturals})
        if ranks == 1 and table.rank(naturals[0]) == SIDE_RANK and not wilds:
            return [Group(tuple(cluster), "threes", SIDE_RANK, None, None, "threes that touch")]
        if _squared(table, cluster):
            return [_pile(table, cluster)]
        return [Group(tuple(cluster), "hand", None, None, None, f"{ranks} ranks that touch")]
    groups = []
    for core, whole in melds:
        rank = table.rank(core[0])
        if rank == SIDE_RANK:
            groups.append(Group(tuple(whole), "threes", rank, None, None, "threes that touch"))
        else:
            groups.append(
                table.meld(whole, rank, f"{len(core)} of rank {rank} that touch, with {len(whole) - len(core)} wild")
            )
    for loose in _clusters(rest, table.touch):
        strange = [n for n, group in enumerate(groups) if _inside(table, loose, group.cards)]
        if len(loose) == 1 and strange:
            old = groups[strange[0]]
            cards = tuple(sorted((*old.cards, *loose)))
            reason = old.reason + f", and a {table.cards[loose[0]].face} among them"
            groups[strange[0]] = Group(cards, "meld", old.rank, old.book, "odd-one-out", reason)
        else:
            groups.append(_lone(table, loose))
    return groups


def _inside(table: _Table, loose: Sequence[int], meld: Sequence[int]) -> bool:
    """Whether a card lies between cards of a meld, not merely against its end."""
    return len(meld) >= 4 and sum(float(table.shares[loose[0], j]) > 0.25 for j in meld) >= 2


def _squared(table: _Table, members: Sequence[int]) -> bool:
    return all(float(table.shares[i, j]) > SQUARED for i in members for j in members if i < j)


def _pile(table: _Table, members: Sequence[int]) -> Group:
    ranks = Counter(table.rank(i) for i in members if not table.wild(i))
    rank = ranks.most_common(1)[0][0] if ranks else None
    return Group(tuple(members), "pile", rank, None, None, "cards squared on each other")


def _lone(table: _Table, members: list[int]) -> Group:
    if len(members) > 1:
        if _squared(table, members):
            return _pile(table, members)
        return Group(tuple(members), "hand", None, None, None, "cards of several ranks that touch")
    rank = table.rank(members[0])
    if rank == SIDE_RANK:
        return Group(tuple(members), "threes", rank, None, None, "a three by itself")
    return Group(tuple(members), "single", rank, None, None, "touches no other card")


def group(cards: Sequence[Lying], wild_ranks: frozenset[str], book_size: int) -> tuple[Group, ...]:
    """Groups cards by where they lie and what they are; ``wild_ranks`` are the ranks that stand for any other.

    Every card is in exactly one group; groups come in reading order, top to bottom and left to right.
    """
    if not cards:
        return ()
    table = _Table(cards, wild_ranks, book_size)
    groups = [found for cluster in _clusters(range(len(cards)), table.touch) for found in _sort_out(table, cluster)]
    wide = float(np.median(card_widths(np.stack([card.quad for card in cards]))))

    def order(found: Group) -> tuple[int, float]:
        middle = np.mean([cards[i].quad.mean(0) for i in found.cards], axis=0)
        return int(middle[1] // (2 * wide)), float(middle[0])

    return tuple(sorted(groups, key=order))
