"""Groups cards as people see them: melds and books, threes, piles, hands and single cards.

Cards that touch belong together unless their ranks say otherwise: a meld is three or more cards of one rank with wilds
among them, so melds of different ranks that touch are separated, while cards of many ranks that overlap are a hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from vision.arrays import Flags
from vision.doubts import ODD_CARD_MELD, ODD_CARD_OVERLAP, Doubt
from vision.geometry import card_widths
from vision.groups.relations import SMALLEST_MELD, THREES, PlacedCard, TableLayout
from vision.values import Group, HouseRules

SQUARED = 0.87
"""Cards that share more than this of their area are squared on each other: a pile."""
_RANK_OF_THREES = "3"


def group(cards: Sequence[PlacedCard], rules: HouseRules) -> tuple[Group, ...]:
    """Groups cards by their positions and ranks, and where the rules have runs by their suits.

    Args:
        cards: the cards; groups refer to them by their indices.
        rules: wilds, threes, caps, runs and the size of a book.

    Returns:
        Groups in reading order, top to bottom and left to right; every card is in exactly one.

    >>> from scorer.faces import Face
    >>> from vision.geometry import UNIT
    >>> def at(x: float, name: str) -> PlacedCard:  # a card of 100 x 140 pixels
    ...     return PlacedCard(Face.parse(name), UNIT * (100, 140) + (x, 0))
    >>> cards = [at(0, "8H"), at(30, "8S"), at(60, "2C"), at(400, "KD")]
    >>> [(found.kind, found.rank, found.cards) for found in group(cards, HouseRules())]
    [('meld', '8', (0, 1, 2)), ('single', 'K', (3,))]
    """
    if not cards:
        return ()
    table = TableLayout(cards, rules)
    groups = _with_caps(table, [i for i, card in enumerate(cards) if card.face.rank in rules.caps])
    median_width = float(np.median(card_widths(np.stack([card.quad for card in cards]))))

    def reading_order(found: Group) -> tuple[int, float]:
        centre = np.mean([cards[i].quad.mean(0) for i in found.cards], axis=0)
        return int(centre[1] // max(2 * median_width, 1.0)), float(centre[0])

    return tuple(sorted(groups, key=reading_order))


def _with_caps(table: TableLayout, caps: Sequence[int]) -> list[Group]:
    """Groups all cards; ``caps`` that lie on a meld or a pile belong to it, and the others are cards like any."""
    groups = _grouped(table, [i for i in range(len(table.cards)) if i not in caps])
    melded = [i for found in groups if found.kind in ("meld", "pile") for i in found.cards]
    lying_on = {
        cap: max(melded, key=lambda i: float(table.shares[cap, i]))
        for cap in caps
        if melded and table.lies_on(cap, melded)
    }
    if len(lying_on) < len(caps):
        groups = _grouped(table, [i for i in range(len(table.cards)) if i not in lying_on])
    return [
        replace(found, cards=tuple(sorted((*found.cards, *(cap for cap, i in lying_on.items() if i in found.cards)))))
        for found in groups
    ]


def _grouped(table: TableLayout, members: Sequence[int]) -> list[Group]:
    """Groups some of the cards as if there were no others."""
    return [found for cluster in _clusters(members, table.touch) for found in _split_cluster(table, cluster)]


def _clusters(members: Iterable[int], joined: Flags) -> list[list[int]]:
    """Connected components of ``members`` under the relation ``joined`` (n, n)."""
    remaining = list(members)
    found = []
    while remaining:
        cluster = [remaining.pop(0)]
        for i in cluster:  # the list grows during the iteration
            near = [j for j in remaining if joined[i, j]]
            remaining = [j for j in remaining if not joined[i, j]]
            cluster += near
        found.append(sorted(cluster))
    return found


def _split_cluster(table: TableLayout, cluster: list[int]) -> list[Group]:
    """Groups of one set of touching cards: first the melds that lie in a row or column of their own, whatever lies over
    or under them, then the others."""
    lines: list[list[int]] = []
    for line in _clusters(cluster, table.in_line):
        lines += [line] if _is_meld(table, line) else _books_in_line(table, line) or _runs_in_line(table, line)
    if not lines:
        return _by_rank(table, cluster)
    lines = _continued(table, lines, [i for i in cluster if not any(i in line for line in lines)])
    # a small set that lies on a line and fits its rank belongs to it, such as a wild laid crosswise
    rest = []
    for loose in _clusters([i for i in cluster if not any(i in line for line in lines)], table.touch):
        line = max(lines, key=lambda line: float(table.shares[np.ix_(loose, line)].max()))
        fits = len(loose) < SMALLEST_MELD and _is_meld(table, [*line, *loose])
        fits = fits and all(table.lies_on(i, line) for i in loose)
        if fits or (len(loose) == 1 and _is_among(table, loose[0], line)):
            line += loose
        else:
            rest.append(loose)
    return [group for part in [*map(sorted, lines), *rest] for group in _by_rank(table, part)]


def _books_in_line(table: TableLayout, line: Sequence[int]) -> list[list[int]]:
    """The books in a line of several ranks, such as a book that a hand adjoins.

    A book here is the cards of one rank that are neighbours or have only wilds between them, and these wilds. Nobody
    holds a whole book in hand; fewer cards of a rank may be held.
    """
    books: list[list[int]] = []
    for rank in sorted({table.rank(i) for i in line if not table.wild(i)} - {THREES}):
        free = [i for i in line if table.rank(i) == rank or (table.wild(i) and not any(i in book for book in books))]
        for linked in _clusters(free, table.in_line):
            naturals = [i for i in linked if not table.wild(i)]
            book = sorted(i for i in linked if i in naturals or _is_between(table, i, naturals))
            if len(naturals) >= SMALLEST_MELD and table.book(book):
                books.append(book)
    return books


def _runs_in_line(table: TableLayout, line: Sequence[int]) -> list[list[int]]:
    """The runs in a line: itself, or those of each suit; where other cards lie there too, as in a hand, only books."""
    if table.run(line):
        return [list(line)]
    suits = sorted({table.cards[i].face.suit for i in line})
    parts = [
        part
        for suit in suits
        for part in _clusters([i for i in line if table.cards[i].face.suit == suit], table.in_line)
    ]
    runs = [part for part in parts if table.run(part)]
    return runs if len(runs) == len(parts) else [run for run in runs if table.book(run)]


def _is_between(table: TableLayout, i: int, cards: Sequence[int]) -> bool:
    """Whether card ``i`` has some of the ``cards`` before it in line and some after it."""
    directions = table.centres[[j for j in cards if table.in_line[i, j]]] - table.centres[i]
    return bool((directions @ directions.T < 0).any())


def _continued(table: TableLayout, lines: Sequence[list[int]], rest: Sequence[int]) -> list[list[int]]:
    """Joins ``lines`` with each other and with cards of the ``rest`` that continue them beyond a gap, where a card is
    hidden or was not read. A card that touches cards of the rest of another rank is theirs and stays."""
    other_ranks = {i: {table.rank(j) for j in rest if table.touch[i, j] and not table.wild(j)} for i in rest}
    free = [i for i in rest if not table.wild(i) and other_ranks[i] <= {table.rank(i)}]
    joined, pieces = [[*line] for line in lines], [[i] for i in free]
    changed = True
    while changed:
        changed = False
        for line, other in [(line, other) for line in joined for other in (*joined, *pieces) if other is not line]:
            if table.continues(line, other):
                line += other
                (joined if other in joined else pieces).remove(other)
                changed = True
                break
    return joined


def _is_meld(table: TableLayout, line: Sequence[int]) -> bool:
    """Whether the cards are enough and of one rank, apart from wilds."""
    ranks = {table.rank(i) for i in line if not table.wild(i)}
    return len(line) >= SMALLEST_MELD and len(ranks) <= 1 and ranks != {THREES}


def _by_rank(table: TableLayout, cluster: list[int]) -> list[Group]:
    """Groups of touching cards by their ranks alone."""
    naturals = [i for i in cluster if not table.wild(i)]
    wilds = [i for i in cluster if table.wild(i)]
    if len(cluster) == 1:
        return [_without_meld(table, cluster)]
    if table.run(cluster):
        return [Group(tuple(cluster), "run", None, table.book(cluster), None, "one suit in a row")]
    if not naturals:
        if len(wilds) >= SMALLEST_MELD:
            return [table.meld(wilds, None, "wild cards that touch")]
        return [Group(tuple(wilds), "hand", None, None, None, "two wild cards that touch")]
    cores = _cores(table, cluster, naturals, wilds)
    wilds_of = _assigned_wilds(table, cores, wilds)
    melds, rest = [], []
    for core, own_wilds in zip(cores, wilds_of, strict=True):
        members = sorted(core + own_wilds)
        if table.rank(core[0]) != THREES and len(core) >= 2 and len(members) >= SMALLEST_MELD:
            melds.append((core, members))
        elif table.rank(core[0]) == THREES and len(core) > 1 and not own_wilds:
            melds.append((core, core))
        else:
            rest += members
    melded = sum(len(members) for _, members in melds)
    if not melds or (len(rest) > 1 and len(rest) >= 0.5 * melded):
        return [_whole_cluster(table, cluster, naturals, wilds)]
    groups = []
    for core, members in melds:
        rank = table.rank(core[0])
        if rank == THREES:
            groups.append(_threes(members, "threes that touch"))
        else:
            reason = f"{len(core)} of rank {rank} that touch, with {len(members) - len(core)} wild"
            groups.append(table.meld(members, rank, reason))
    for loose in _clusters(rest, table.touch):
        surrounding = [n for n, group in enumerate(groups) if _is_among(table, loose[0], group.cards)]
        if len(loose) == 1 and surrounding:
            groups[surrounding[0]] = _with_odd_card(table, groups[surrounding[0]], loose[0])
        else:
            groups.append(_without_meld(table, loose))
    return groups


def _cores(table: TableLayout, cluster: list[int], naturals: list[int], wilds: list[int]) -> list[list[int]]:
    """Natural cards of one rank that touch each other directly or over wilds."""
    cores: list[list[int]] = []
    for rank in sorted({table.rank(i) for i in naturals}):
        same = [i for i in cluster if table.rank(i) == rank]
        for linked in _clusters(same + wilds, table.touch):
            core = [i for i in linked if not table.wild(i)]
            if core:
                cores.append(core)
    return cores


def _assigned_wilds(table: TableLayout, cores: list[list[int]], wilds: list[int]) -> list[list[int]]:
    """The wilds of each core: a wild goes to the core that it overlaps most, and to the smaller group in a tie."""
    assigned: list[list[int]] = [[] for _ in cores]
    for i in wilds:
        overlap = [max(float(table.shares[i, j]) for j in core) for core in cores]
        best = max(range(len(cores)), key=lambda n: (round(overlap[n], 1), -len(cores[n]) - len(assigned[n])))
        assigned[best].append(i)
    return assigned


def _whole_cluster(table: TableLayout, cluster: list[int], naturals: list[int], wilds: list[int]) -> Group:
    """One group of all cards, where they do not form melds: threes, a pile or a hand."""
    ranks = len({table.rank(i) for i in naturals})
    if ranks == 1 and table.rank(naturals[0]) == THREES and not wilds:
        return _threes(cluster, "threes that touch")
    if _is_squared(table, cluster):
        return _pile(table, cluster)
    reason = f"{ranks} ranks that touch" if ranks > 1 else "too few of one rank for a meld"
    but_one = any(table.run(cluster, misread) for misread in cluster)
    return Group(tuple(cluster), "hand", None, None, Doubt.ODD_ONE_OUT if but_one else None, reason)


def _threes(members: Iterable[int], reason: str) -> Group:
    return Group(tuple(members), "threes", _RANK_OF_THREES, None, None, reason)


def _with_odd_card(table: TableLayout, old: Group, odd_card: int) -> Group:
    """A group with one card among it that does not fit."""
    cards = tuple(sorted((*old.cards, odd_card)))
    reason = old.reason + f", and a {table.cards[odd_card].face} among them"
    return Group(cards, old.kind, old.rank, old.book, Doubt.ODD_ONE_OUT, reason)


def _is_among(table: TableLayout, i: int, meld: Sequence[int]) -> bool:
    """Whether card ``i`` lies among the cards of a meld, in line with two of them and overlapping both."""
    overlapped = sum(table.shares[i, j] > ODD_CARD_OVERLAP and table.in_line[i, j] for j in meld)
    return len(meld) >= ODD_CARD_MELD and overlapped >= 2


def _is_squared(table: TableLayout, members: Sequence[int]) -> bool:
    return all(float(table.shares[i, j]) > SQUARED for i in members for j in members if i < j)


def _pile(table: TableLayout, members: Sequence[int]) -> Group:
    ranks = Counter(table.rank(i) for i in members if not table.wild(i))
    rank = ranks.most_common(1)[0][0] if ranks else None
    return Group(tuple(members), "pile", rank, None, None, "cards squared on each other")


def _without_meld(table: TableLayout, members: list[int]) -> Group:
    """The group of cards that belong to no meld: a pile, a hand, a lone three or a single card."""
    if len(members) > 1:
        if _is_squared(table, members):
            return _pile(table, members)
        return Group(tuple(members), "hand", None, None, None, "cards of several ranks that touch")
    rank = table.rank(members[0])
    if rank == THREES:
        return _threes(members, "a three by itself")
    reason = "fits no card that it touches" if table.touch[members[0]].any() else "touches no other card"
    return Group(tuple(members), "single", rank, None, None, reason)
