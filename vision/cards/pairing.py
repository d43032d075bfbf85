"""Corner readings to cards: which indices stand on the same physical card.

The indices of one card predict the same outline; those at opposite ends predict it turned by half a turn. Each card has
four places for an index, and each place holds at most one: two readings that claim one place are two cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

import numpy as np

from vision.arrays import Flags, Floats, floats
from vision.cards.dedupe import Corner, agreements, widths_of
from vision.geometry import beside, card_widths, distances

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


class _Try(NamedTuple):
    """Two corners that might be one card: what that costs, their places, whether half a turn lies between them, and
    whether either would be understood to stand on its other side."""

    cost: float
    i: int
    j: int
    turned: bool
    swap_i: bool
    swap_j: bool


_Card = list[tuple[int, bool, int]]
"""A card's corners: the place of each, whether it is understood to stand on its other side, half turns as in Member."""


def _tries(corners: Sequence[Corner]) -> list[_Try]:
    if len(corners) < 2:
        return []
    widths, (ranks, suits) = widths_of(corners), agreements(corners)
    unlike = LIKENESS_WEIGHT * (1 - ranks * (0.7 + 0.3 * suits))
    boxes = distances(np.stack([corner.middle for corner in corners]))
    one, two = np.nonzero(np.triu((unlike <= MOST_APART) & (boxes <= MOST_REACH * widths[:, None]), 1))
    own, right = np.stack([corner.quad for corner in corners]), np.array([corner.right for corner in corners])
    # as each is understood, and as ``other_side`` would have it
    quads = np.stack([own, np.where(right[:, None, None], beside(own), beside(own, back=True))], 1)
    rights = np.stack([right, ~right], 1)
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
    cards: list[_Card] = []
    rights = [corner.right for corner in corners]
    for places in _connected(len(corners), tries):
        within = set(places)
        here = [found for found in tries if found.i in within]
        best, gain, taken = _joined(rights, places, here)
        for _ in range(MOST_SECOND_THOUGHTS):
            better = None
            for left_out in [found for found in here if found not in taken][:MOST_SECOND_THOUGHTS]:
                other = _joined(rights, places, [left_out, *(found for found in here if found is not left_out)])
                if other[1] > gain + 1e-6:
                    better, gain = other, other[1]
            if better is None:
                break
            best, gain, taken = better
        cards += best
    return [
        [Member(i, other_side(corners[i]) if swapped else corners[i], turn) for i, swapped, turn in card]
        for card in cards
    ]


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
    rights: Sequence[bool], places: Sequence[int], tries: Sequence[_Try]
) -> tuple[list[_Card], float, set[_Try]]:
    """The corners at ``places`` as cards when ``tries`` are made in their order; how much they fit, and which held.

    ``rights`` tells of every corner whether it stands in the right-hand corner as it was read.
    """
    cards = {i: [i] for i in places}
    at = {i: i for i in places}
    swapped, turns = dict.fromkeys(places, False), dict.fromkeys(places, 0)
    gain, taken = 0.0, set()
    for found in tries:
        i, j = found.i, found.j
        one, two = cards[at[i]], cards[at[j]]
        # a corner that is part of a card has settled on its side
        if one is two or (found.swap_i != swapped[i] and len(one) > 1) or (found.swap_j != swapped[j] and len(two) > 1):
            continue
        flip = (turns[i] + turns[j] + found.turned) % 2
        claimed = {(turns[k], rights[k] != (found.swap_i if k == i else swapped[k])) for k in one}
        claimed |= {((turns[k] + flip) % 2, rights[k] != (found.swap_j if k == j else swapped[k])) for k in two}
        if len(claimed) < len(one) + len(two):
            continue
        swapped[i], swapped[j] = found.swap_i, found.swap_j
        for k in two:
            turns[k] = (turns[k] + flip) % 2
        del cards[at[j]]
        at.update(dict.fromkeys(two, at[i]))
        one += two
        gain += MOST_APART - found.cost
        taken.add(found)
    return [[(k, swapped[k], turns[k]) for k in card] for card in cards.values()], gain, taken


def outlines(cards: Sequence[Sequence[Member]]) -> Floats:
    """One outline for each of n cards, (n, 4, 2), each of its corners taken mostly from the index nearest to it.

    It starts at the top left as the surest of the card's indices is read.
    """
    members = [member for card in cards for member in card]
    if not members:
        return np.zeros((0, 4, 2), np.float32)
    surest = [max(card, key=lambda member: member.corner.found).turn for card in cards]
    counts = [len(card) for card in cards]
    turned = np.array([member.turn for member in members]) != np.repeat(surest, counts)
    quads = np.stack([member.corner.quad for member in members])
    quads = np.where(turned[:, None, None], np.roll(quads, 2, axis=1), quads)
    own = np.array([member.corner.right for member in members]) + 2 * turned
    away = np.hypot(*(quads - quads[np.arange(len(quads)), own][:, None]).transpose(2, 0, 1))
    away /= np.maximum(card_widths(quads), 1)[:, None]
    weights = floats([member.corner.found for member in members])[:, None] / (0.1 + away) ** 2
    first = np.cumsum([0, *counts[:-1]])
    total = np.add.reduceat(quads * weights[..., None], first)
    return floats(total / np.add.reduceat(weights, first)[..., None])
