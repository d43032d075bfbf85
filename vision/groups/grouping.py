"""Cards to groups, as people see them: melds and books, threes, piles, hands and single cards.

Cards that touch belong together unless their ranks say otherwise: a meld is three or more cards of one rank with wilds
among them, so ranks that lie against each other are kept apart, while cards of many ranks that overlap are a hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from vision.arrays import Flags
from vision.doubts import STRANGER_OVERLAP, Doubt
from vision.geometry import card_widths
from vision.groups.relations import PlacedCard, TableLayout
from vision.values import Group

SQUARED = 0.87
"""Cards that share more than this of their area lie squared on each other."""
SIDE_RANK = "3"
SMALLEST_MELD = 3


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


def _sort_out(table: TableLayout, cluster: list[int]) -> list[Group]:
    """Groups of one set of touching cards: melds that lie in line by themselves, whatever lies over or under them, and
    then the others."""
    lines: list[list[int]] = []
    for line in _clusters(cluster, table.in_line):
        lines += [line] if _is_meld(table, line) else _runs(table, line)
    if not lines:
        return _by_rank(table, cluster)
    lines = _continued(table, lines, [i for i in cluster if not any(i in line for line in lines)])
    # what is out of line, touches lines alone and fits the one it lies on belongs to it: a wild laid crosswise, say
    left = []
    for loose in _clusters([i for i in cluster if not any(i in line for line in lines)], table.touch):
        line = max(lines, key=lambda line: float(table.shares[np.ix_(loose, line)].max()))
        fits = len(loose) < SMALLEST_MELD and _is_meld(table, [*line, *loose])
        fits = fits and all(table.lies_on(i, line) for i in loose)
        if fits or (len(loose) == 1 and _inside(table, loose[0], line)):
            line += loose
        else:
            left.append(loose)
    return [group for part in [*map(sorted, lines), *left] for group in _by_rank(table, part)]


def _runs(table: TableLayout, line: Sequence[int]) -> list[list[int]]:
    """The books in a line of many ranks, as where a hand goes on where a book ends: the cards of a rank that lie next
    to each other or have wilds between them, and these. Nobody keeps so many in a hand; fewer may be held."""
    runs: list[list[int]] = []
    for rank in sorted({table.rank(i) for i in line if not table.wild(i)} - {SIDE_RANK}):
        free = [i for i in line if table.rank(i) == rank or (table.wild(i) and not any(i in run for run in runs))]
        for linked in _clusters(free, table.in_line):
            naturals = [i for i in linked if not table.wild(i)]
            run = sorted(i for i in linked if i in naturals or _between(table, i, naturals))
            if len(naturals) >= SMALLEST_MELD and table.book(run):
                runs.append(run)
    return runs


def _between(table: TableLayout, i: int, cards: Sequence[int]) -> bool:
    """Whether a card has some of the ``cards`` before it in line and some after."""
    away = table.middles[[j for j in cards if table.in_line[i, j]]] - table.middles[i]
    return bool((away @ away.T < 0).any())


def _continued(table: TableLayout, lines: Sequence[list[int]], rest: Sequence[int]) -> list[list[int]]:
    """The ``lines``, each with those others and those cards of the ``rest`` that go on with it: where a card between
    them is hidden, or was not read, the next one lies further off. A card that touches others of the rest that are of
    another rank is theirs."""
    others = {i: {table.rank(j) for j in rest if table.touch[i, j] and not table.wild(j)} for i in rest}
    free = [i for i in rest if not table.wild(i) and others[i] <= {table.rank(i)}]
    whole, pieces = [[*line] for line in lines], [[i] for i in free]
    more = True
    while more:
        more = False
        for line, other in [(line, other) for line in whole for other in (*whole, *pieces) if other is not line]:
            if table.continues(line, other):
                line += other
                (whole if other in whole else pieces).remove(other)
                more = True
                break
    return whole


def _is_meld(table: TableLayout, line: Sequence[int]) -> bool:
    ranks = {table.rank(i) for i in line if not table.wild(i)}
    return len(line) >= SMALLEST_MELD and len(ranks) <= 1 and ranks != {SIDE_RANK}


def _by_rank(table: TableLayout, cluster: list[int]) -> list[Group]:
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
        reason = f"{ranks} ranks that touch" if ranks > 1 else "too few of one rank for a meld"
        return [Group(tuple(cluster), "hand", None, None, None, reason)]
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
        strange = [n for n, group in enumerate(groups) if _inside(table, loose[0], group.cards)]
        if len(loose) == 1 and strange:
            old = groups[strange[0]]
            cards = tuple(sorted((*old.cards, *loose)))
            reason = old.reason + f", and a {table.cards[loose[0]].face} among them"
            groups[strange[0]] = Group(cards, old.kind, old.rank, old.book, Doubt.ODD_ONE_OUT, reason)
        else:
            groups.append(_lone(table, loose))
    return groups


def _inside(table: TableLayout, loose: int, meld: Sequence[int]) -> bool:
    """Whether a card lies among those of a meld of four or more, in line with two that it covers or that cover it."""
    return (
        len(meld) >= 4 and sum(table.shares[loose, j] > STRANGER_OVERLAP and table.in_line[loose, j] for j in meld) >= 2
    )


def _squared(table: TableLayout, members: Sequence[int]) -> bool:
    return all(float(table.shares[i, j]) > SQUARED for i in members for j in members if i < j)


def _pile(table: TableLayout, members: Sequence[int]) -> Group:
    ranks = Counter(table.rank(i) for i in members if not table.wild(i))
    rank = ranks.most_common(1)[0][0] if ranks else None
    return Group(tuple(members), "pile", rank, None, None, "cards squared on each other")


def _lone(table: TableLayout, members: list[int]) -> Group:
    if len(members) > 1:
        if _squared(table, members):
            return _pile(table, members)
        return Group(tuple(members), "hand", None, None, None, "cards of several ranks that touch")
    rank = table.rank(members[0])
    if rank == SIDE_RANK:
        return Group(tuple(members), "threes", rank, None, None, "a three by itself")
    alone = "fits no card that it touches" if table.touch[members[0]].any() else "touches no other card"
    return Group(tuple(members), "single", rank, None, None, alone)


def group(cards: Sequence[PlacedCard], wild_ranks: frozenset[str], book_size: int) -> tuple[Group, ...]:
    """Groups cards by where they lie and what they are; ``wild_ranks`` are the ranks that stand for any other.

    Every card is in exactly one group; groups come in reading order, top to bottom and left to right.
    """
    if not cards:
        return ()
    table = TableLayout(cards, wild_ranks, book_size)
    groups = [found for cluster in _clusters(range(len(cards)), table.touch) for found in _sort_out(table, cluster)]
    wide = float(np.median(card_widths(np.stack([card.quad for card in cards]))))

    def order(found: Group) -> tuple[int, float]:
        middle = np.mean([cards[i].quad.mean(0) for i in found.cards], axis=0)
        return int(middle[1] // max(2 * wide, 1.0)), float(middle[0])

    return tuple(sorted(groups, key=order))
