"""Corner readings to cards: which indices stand on the same physical card.

The indices of one card predict the same outline; those at opposite ends predict it turned by half a turn. Each card has
four places for an index, and each place holds at most one: two readings that claim one place are two cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from vision.geometry import Flags, Floats, beside, distances, floats, width_of
from vision.repeats import Corner, agreements, widths_of

MOST_APART = 0.4
"""Outlines further apart than this share of a card's width are not tried as one card."""
MOST_REACH = 2.2
"""Indices further apart than so many widths of a card never stand on one."""
FOUR_CORNER_SHARE = 0.15
"""More finds than this share in right-hand corners are no slip: the deck has four indices."""
MOST_SECOND_THOUGHTS = 12
"""So many pairs left out are tried before the others, and so many times over."""
SURE_MATES = 0.45
"""Only mates cheaper than this, in card widths, show what kind of deck it is."""
SWAP_COST = 0.08
"""What it costs, in card widths, to believe that an index stands on the other side, for each of the log odds that it
does not."""
LIKENESS_WEIGHT = 0.9
"""How much unlike names add to the distance of two outlines, in card widths."""


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """A corner as part of a card: its place in the list given, how it was understood, and half turns (0 or 1) against
    the card's first corner."""

    place: int
    corner: Corner
    turn: int


def other_side(corner: Corner) -> Corner:
    """The same index understood to stand in the other upper corner of a card that lies beside the one predicted."""
    return replace(corner, quad=beside(corner.quad, back=not corner.right), right=not corner.right)


@dataclass(frozen=True, slots=True, order=True)
class _Try:
    """Two corners that might be one card: what that costs, their places, whether half a turn lies between them, and
    whether either would be understood to stand on its other side."""

    cost: float
    i: int
    j: int
    turned: bool
    swap_i: bool
    swap_j: bool


def _tries(corners: Sequence[Corner]) -> list[_Try]:
    if len(corners) < 2:
        return []
    widths, (ranks, suits) = widths_of(corners), agreements(corners)
    unlike = LIKENESS_WEIGHT * (1 - ranks * (0.7 + 0.3 * suits))
    boxes = distances(np.stack([corner.middle for corner in corners]))
    one, two = np.nonzero(np.triu((unlike <= MOST_APART) & (boxes <= MOST_REACH * widths[:, None]), 1))
    understood = [(corner, other_side(corner)) for corner in corners]
    quads = np.stack([[one.quad for one in sides] for sides in understood])
    rights = np.array([[one.right for one in sides] for sides in understood])
    scale = np.maximum(np.minimum(widths[one], widths[two]), 1)
    swaps = SWAP_COST * np.maximum(floats([corner.placed for corner in corners]), 0)
    tries = []
    for swap_i, swap_j, turned in product((False, True), repeat=3):
        right_i, right_j = rights[one, int(swap_i)], rights[two, int(swap_j)]
        apart = _apart(quads[one, int(swap_i)], quads[two, int(swap_j)], right_i, right_j, turned)
        costs = apart / scale + unlike[one, two] + swaps[one] * swap_i + swaps[two] * swap_j
        # not turned and on one side they claim the same place on the card: two cards
        near = (costs < MOST_APART) & (turned | (right_i != right_j))
        for k in np.flatnonzero(near):
            tries.append(_Try(float(costs[k]), int(one[k]), int(two[k]), turned, swap_i, swap_j))
    return sorted(tries)


def _apart(a: Floats, b: Floats, right_a: Flags, right_b: Flags, turned: bool) -> Floats:
    """How far (m,) the outlines ``a`` and ``b`` (m, 4, 2) of indices in right or left corners lie apart, in pixels.

    A corner is best known near its own index, so each index's own corner is compared with where the other puts it.
    """
    distance = np.hypot(*(a - (np.roll(b, 2, axis=1) if turned else b)).transpose(2, 0, 1))
    rows = np.arange(len(a))
    near = (distance[rows, np.where(right_a, 1, 0)] + distance[rows, np.where(right_b, 1, 0) + 2 * turned]) / 2
    return np.asarray(0.7 * near + 0.3 * distance.mean(1), np.float32)


def _four_cornered(corners: Sequence[Corner], tries: Sequence[_Try]) -> bool:
    """Whether the deck has indices in all four corners, which its cards show: an index with a mate beside it and one
    at the far end.

    Two neighbours with two indices each never show that: where one lies on the other it hides the index that would
    be at the far end. Only in a deck with four may an index change sides to fit another; elsewhere it could make one
    card of two neighbours.
    """
    if sum(corner.right for corner in corners) > FOUR_CORNER_SHARE * len(corners):
        return True
    sure = [one for one in tries if one.cost < SURE_MATES]
    beside = {(k, side) for one in sure if not one.turned for k, side in ((one.i, one.swap_i), (one.j, one.swap_j))}
    far = {(k, side) for one in sure if one.turned for k, side in ((one.i, one.swap_i), (one.j, one.swap_j))}
    return bool(beside & far)


def pair(corners: Sequence[Corner]) -> list[list[Member]]:
    """Puts corners together that stand on one card; every corner is in exactly one card.

    Of all the ways to do so it looks for that in which most fits best: the surest pairs first, and then, where a pair
    left out would leave room for better ones, with that pair set before the others.
    """
    tries = _tries(corners)
    if not _four_cornered(corners, tries):
        tries = [found for found in tries if not found.swap_i and not found.swap_j]
    cards: list[list[Member]] = []
    for places in _connected(len(corners), tries):
        here = [found for found in tries if found.i in places]
        best, gain, taken = _joined(corners, places, here)
        for _ in range(MOST_SECOND_THOUGHTS):
            better = None
            for left_out in [found for found in here if found not in taken][:MOST_SECOND_THOUGHTS]:
                other = _joined(corners, places, [left_out, *(found for found in here if found != left_out)])
                if other[1] > gain + 1e-6:
                    better, gain = other, other[1]
            if better is None:
                break
            best, gain, taken = better
        cards += best
    return cards


def _connected(count: int, tries: Sequence[_Try]) -> list[list[int]]:
    """Corners in sets that no try links to another set."""
    of = list(range(count))

    def root(i: int) -> int:
        while of[i] != i:
            i = of[i]
        return i

    for found in tries:
        of[root(found.j)] = root(found.i)
    sets: dict[int, list[int]] = {}
    for i in range(count):
        sets.setdefault(root(i), []).append(i)
    return list(sets.values())


def _joined(
    corners: Sequence[Corner], places: Sequence[int], tries: Sequence[_Try]
) -> tuple[list[list[Member]], float, list[_Try]]:
    """The corners at ``places`` as cards when ``tries`` are made in their order; how much they fit, and which held."""
    cards = {i: [Member(i, corners[i], 0)] for i in places}
    at = {i: i for i in places}
    gain, taken = 0.0, []

    def understood(i: int, swapped: bool) -> Corner | None:
        """The corner on the side asked for, None where its card has settled on the other."""
        corner = next(member.corner for member in cards[at[i]] if member.place == i)
        if swapped == (corner.right != corners[i].right):
            return corner
        return other_side(corners[i]) if swapped and len(cards[at[i]]) == 1 else None

    for found in tries:
        i, j, swap_i, swap_j, turned = found.i, found.j, found.swap_i, found.swap_j, found.turned
        one, two = at[i], at[j]
        a, b = understood(i, swap_i), understood(j, swap_j)
        if one == two or a is None or b is None:
            continue
        turn_i = next(member.turn for member in cards[one] if member.place == i)
        turn_j = next(member.turn for member in cards[two] if member.place == j)
        flip = (turn_i + turn_j + int(turned)) % 2
        joined = [replace(member, corner=a) if member.place == i else member for member in cards[one]]
        for member in cards[two]:
            corner = b if member.place == j else member.corner
            joined.append(Member(member.place, corner, (member.turn + flip) % 2))
        if len({(member.turn, member.corner.right) for member in joined}) < len(joined):
            continue
        cards[one] = joined
        for member in cards.pop(two):
            at[member.place] = one
        gain += MOST_APART - found.cost
        taken.append(found)
    return list(cards.values()), gain, taken


def outline(members: Sequence[Member]) -> Floats:
    """One outline (4, 2) for a card, each of its corners taken mostly from the index nearest to it.

    It starts at the top left as the surest of the card's indices is read.
    """
    first = max(members, key=lambda member: member.corner.found).turn
    total, weights = np.zeros((4, 2)), np.zeros((4, 1))
    for member in members:
        corner, turned = member.corner, member.turn != first
        quad = np.roll(corner.quad, 2, axis=0) if turned else corner.quad
        own = (1 if corner.right else 0) + (2 if turned else 0)
        distance = np.hypot(*(quad - quad[own]).T)[:, None] / max(width_of(quad), 1.0)
        weight = corner.found / (0.1 + distance) ** 2
        total += quad * weight
        weights += weight
    return np.asarray(total / weights, np.float32)
