"""On which side of its card an index stands, told by how the cards of a table lie over each other.

Of two cards that overlap one lies on top, and it hides what it covers. Two indices that are both seen, each under the
other's card, cannot be: one of them stands on the other side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.geometry import UNIT, Flags, Floats, beside, floats
from vision.repeats import Corner, widths_of

FOUR_CORNER_SHARE = 0.15
"""More finds than this share in right-hand corners are no slip: the deck has four indices."""
AGAINST = 2.0
"""Log odds that each other card speaks against a side where both would lie over each other's index."""
WITHIN = 0.04
"""A card covers what lies further inside than this share of its sides; outlines are seldom quite right."""
ONE_CARD = 0.12
"""Outlines no further apart than this share of a card's width may be one card's, which lies under all its indices."""
ROUNDS = 5
"""So often all indices are gone through, at most; each time they hear of the sides of all others."""
LEAST = 0.1
"""So many log odds are left, at least, that an index stands where it was put."""


def other_side(corner: Corner) -> Corner:
    """The same index understood to stand in the other upper corner of a card that lies beside the one predicted."""
    return replace(corner, quad=beside(corner.quad, back=not corner.right), right=not corner.right)


def many_right(corners: Sequence[Corner]) -> bool:
    """Whether so many indices stand in right-hand corners that the deck has four."""
    return sum(corner.right for corner in corners) > FOUR_CORNER_SHARE * len(corners)


def _covers(quads: Floats, points: Floats) -> Flags:
    """Which cards outlined by ``quads`` (n, 4, 2) cover which of the ``points`` (m, 2), (n, m)."""
    ways = [cv2.getPerspectiveTransform(quad, UNIT) for quad in quads]
    lying = np.stack([cv2.perspectiveTransform(points[None], way)[0] for way in ways])
    return np.asarray(((lying > WITHIN) & (lying < 1 - WITHIN)).all(2), bool)


def _alike(a: Floats, b: Floats, widths: Floats) -> Flags:
    """Which outlines of ``a`` and of ``b``, (n, 4, 2) each, may be one card's, upright or turned, (n, n)."""
    apart = [np.hypot(*(a[:, None] - np.roll(b, turn, axis=1)[None]).transpose(3, 0, 1, 2)).mean(2) for turn in (0, 2)]
    return np.asarray(np.minimum(*apart) < ONE_CARD * widths[:, None], bool)


def uncrossed(corners: Sequence[Corner]) -> list[Corner]:
    """The ``corners``, in their order, those on their other side that the other cards speak against more than their own
    looks speak for it; with how sure each of them is of its side then.

    Only a deck with indices in all four corners leaves a doubt.
    """
    if not many_right(corners):
        return list(corners)
    count, widths = len(corners), np.maximum(widths_of(corners), 1)
    middles = floats([corner.middle for corner in corners])
    understood = [(corner, other_side(corner)) for corner in corners]
    quads = [floats([sides[side].quad for sides in understood]) for side in (0, 1)]
    covers = [_covers(of, middles) for of in quads]
    crossed = np.zeros((2, 2, count, count), bool)
    for one in (0, 1):
        for two in (0, 1):
            crossed[one, two] = covers[one] & covers[two].T & ~_alike(quads[one], quads[two], widths)
            np.fill_diagonal(crossed[one, two], False)
    each, sides = np.arange(count), np.zeros(count, int)
    looks = np.maximum(floats([corner.placed for corner in corners]), 0)

    def against(i: int) -> Floats:
        """How much speaks against the side first said, and against the other, (2,)."""
        return floats([looks[i] * side + AGAINST * crossed[side, sides, i, each].sum() for side in (0, 1)])

    for _ in range(ROUNDS):
        before = sides.copy()
        for i in np.argsort(looks, kind="stable").tolist():
            first, second = against(i)
            sides[i] = int(second < first)
        if (sides == before).all():
            break
    first, second = np.array([against(i) for i in range(count)]).T
    sure = np.maximum(np.where(sides == 0, second - first, first - second), LEAST)
    return [replace(understood[i][sides[i]], placed=float(sure[i])) for i in range(count)]
