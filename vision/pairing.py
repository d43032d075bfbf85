"""Corner readings to cards: which indices stand on the same physical card.

The indices of one card predict the same outline; those at opposite ends predict it turned by half a turn. Each card has
four places for an index, and each place holds at most one: two readings that claim one place are two cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from vision.geometry import beside, width_of

Floats = NDArray[np.float32]
MOST_APART = 0.4
"""Outlines further apart than this share of a card's width are not tried as one card."""
SAME = (0.09, 0.06, 0.08)
"""Two finds whose cards' own corners lie nearer than this share of a card's width are one printed index: so much in any
case, so much more where their ranks agree, and where their suits do; a logistic fit to finds on drawn tables."""
BOX_WEIGHT = 0.45
"""How much the distance of the boxes adds to that of the corners."""
FOUR_CORNER_SHARE = 0.15
"""More finds than this share in right-hand corners are no slip: the deck has four indices."""
SURE_MATES = 0.45
"""Only mates cheaper than this, in card widths, show what kind of deck it is."""
SWAP_COST = 0.3
"""What it costs, in card widths, to believe that an index stands on the other side than the finder said."""
LIKENESS_WEIGHT = 0.9
"""How much unlike names add to the distance of two outlines, in card widths."""


@dataclass(frozen=True, slots=True, eq=False)
class Corner:
    """One index as pairing needs it: its card's outline (4, 2) in pixels as it reads it, whether it stands in the right
    corner, the middle of its box (2,), its confidence, and rank (14,) and suit (4,) probabilities."""

    quad: Floats
    right: bool
    middle: Floats
    found: float
    ranks: Floats
    suits: Floats


def likeness(a: Corner, b: Corner) -> float:
    """How well two corners' names agree, 0..1."""
    ranks, suits = _agreement(a, b)
    return ranks * (0.7 + 0.3 * suits)


def _agreement(a: Corner, b: Corner) -> tuple[float, float]:
    """How well ranks and suits agree, each 0..1 (the Bhattacharyya coefficient of their probabilities)."""
    return float(np.sqrt(a.ranks * b.ranks).sum()), float(np.sqrt(a.suits * b.suits).sum())


def _apart(a: Corner, b: Corner, turned: bool) -> float:
    """The distance of two outlines in card widths. A corner is best known near its own index, so each index's own
    corner is compared with where the other puts it."""
    other = np.roll(b.quad, 2, axis=0) if turned else b.quad
    distance = np.hypot(*(a.quad - other).T)
    own_a = 1 if a.right else 0
    own_b = (3 if b.right else 2) if turned else (1 if b.right else 0)
    near = (distance[own_a] + distance[own_b]) / 2
    return float(0.7 * near + 0.3 * distance.mean()) / max(min(width_of(a.quad), width_of(b.quad)), 1.0)


def _same_index(a: Corner, b: Corner) -> bool:
    """Two finds of one printed index: read the same way up, their cards' own corners and their boxes' middles all but
    coincide, the more so the less their names agree."""
    if (a.quad[1] - a.quad[0]) @ (b.quad[1] - b.quad[0]) < 0:
        return False
    boxes = np.hypot(*(a.middle - b.middle))
    corners = np.hypot(*(a.quad[int(a.right)] - b.quad[int(b.right)]))
    ranks, suits = _agreement(a, b)
    least, by_rank, by_suit = SAME
    apart = float(corners + BOX_WEIGHT * boxes) / min(width_of(a.quad), width_of(b.quad))
    return apart < least + by_rank * ranks + by_suit * suits


def without_repeats(corners: Sequence[Corner]) -> list[int]:
    """Places of the corners left when each printed index is kept once, the surest find of it."""
    kept: list[int] = []
    for i in sorted(range(len(corners)), key=lambda i: -corners[i].found):
        if not any(_same_index(corners[i], corners[k]) for k in kept):
            kept.append(i)
    return sorted(kept)


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
    seen = [(corner, other_side(corner)) for corner in corners]
    tries = []
    for i, a in enumerate(corners):
        for j in range(i + 1, len(corners)):
            unlike = LIKENESS_WEIGHT * (1 - likeness(a, corners[j]))
            if unlike > MOST_APART or np.hypot(*(a.middle - corners[j].middle)) > 2.2 * width_of(a.quad):
                continue
            for swap_i, swap_j in product((False, True), repeat=2):
                one, two = seen[i][swap_i], seen[j][swap_j]
                for turned in (True, False):
                    if not turned and one.right == two.right:
                        continue  # the same place on the card: two cards
                    cost = _apart(one, two, turned) + unlike + SWAP_COST * (swap_i + swap_j)
                    if cost < MOST_APART:
                        tries.append(_Try(cost, i, j, turned, swap_i, swap_j))
    return sorted(tries)


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
    """Puts corners together that stand on one card; every corner is in exactly one card."""
    cards = {i: [Member(i, corner, 0)] for i, corner in enumerate(corners)}
    at = {i: i for i in range(len(corners))}

    def understood(i: int, swapped: bool) -> Corner | None:
        """The corner on the side asked for, None where its card has settled on the other."""
        corner = next(member.corner for member in cards[at[i]] if member.place == i)
        if swapped == (corner.right != corners[i].right):
            return corner
        return other_side(corners[i]) if swapped and len(cards[at[i]]) == 1 else None

    tries = _tries(corners)
    if not _four_cornered(corners, tries):
        tries = [found for found in tries if not found.swap_i and not found.swap_j]
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
    return list(cards.values())


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
