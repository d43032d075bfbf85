"""Outlines of cards: how far apart, how much they overlap, where a point lies on them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Flags, Floats, doubles, floats

UNIT: Floats = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
BOX_SHARE = (0.18, 0.29)
"""Share of the card's width and height that the box round an index covers, as the finder was taught."""
SHORTEST = 4
"""A card's side has so many pixels at least."""
LEAST_AREA = 1e-9
"""Square pixels: what is reckoned with where three corners of an outline lie in a line."""


def log_odds(shares: Floats, least: float = 1e-4) -> Floats:
    """The log odds of probabilities, which are kept ``least`` off 0 and 1."""
    shares = np.clip(shares, least, 1 - least)
    return floats(np.log(shares / (1 - shares)))


def width_of(quad: Floats) -> float:
    """The mean of a card's two short sides, in pixels; ``quad`` is (4, 2)."""
    return float(np.hypot(*(quad[1] - quad[0])) + np.hypot(*(quad[2] - quad[3]))) / 2


def card_widths(quads: Floats) -> Floats:
    """The mean of each card's two short sides, (n,) pixels; ``quads`` are (n, 4, 2)."""
    top, bottom = (quads[:, a] - quads[:, b] for a, b in ((1, 0), (2, 3)))
    return floats((np.hypot(*top.T) + np.hypot(*bottom.T)) / 2)


def distances(points: Floats) -> Floats:
    """How far each two of ``points`` (n, 2) lie apart, (n, n)."""
    return floats(np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1)))


def onto_cards(quads: NDArray[np.floating]) -> Doubles:
    """The homographies (..., 3, 3) from a card's widths and heights to the pixels of its outline (..., 4, 2), whose
    corners are those of the unit square (Heckbert, *Fundamentals of texture mapping and image warping*, 1989)."""
    one, two, three, four = np.moveaxis(np.asarray(quads, np.float64), -2, 0)
    across, down, skew = two - three, four - three, one - two + three - four

    def crossed(a: Doubles, b: Doubles) -> Doubles:
        return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0], np.float64)

    area = crossed(across, down)
    area = np.where(np.abs(area) < LEAST_AREA, LEAST_AREA, area)
    g, h = (crossed(skew, down) / area)[..., None], (crossed(across, skew) / area)[..., None]
    onto = np.stack([two - one + g * two, four - one + h * four, one], -1)
    return np.concatenate([onto, np.stack([g, h, np.ones_like(g)], -1)], -2)


def through(onto: Doubles, points: NDArray[np.floating]) -> Doubles:
    """Where the homographies ``onto`` (..., 3, 3) take ``points`` (..., m, 2)."""
    ends = points @ np.swapaxes(onto[..., :2], -1, -2) + onto[..., None, :, 2]
    return np.asarray(ends[..., :2] / ends[..., 2:], np.float64)


def place_on(quads: Floats, points: Floats) -> Floats:
    """Where ``points`` (..., 2) lie on the cards outlined by ``quads`` (..., 4, 2): (0, 0) is the first corner, (1, 1)
    the opposite one; of no meaning where an outline has no area."""
    onto = onto_cards(quads)
    flat = np.abs(np.linalg.det(onto)) < LEAST_AREA
    back = np.linalg.inv(np.where(flat[..., None, None], np.eye(3), onto))
    return floats(through(doubles(back), points[..., None, :])[..., 0, :])


def beside(quads: Floats, back: bool = False) -> Floats:
    """The outline (..., 4, 2) of the card beside each of ``quads`` that would have the same index in its left corner,
    where that has it in its right one; ``back`` goes the other way."""
    along = (quads[..., 1:2, :] - quads[..., :1, :]) * (1 - BOX_SHARE[0])
    return floats(quads - along if back else quads + along)


def sane(quads: Floats) -> Flags:
    """Which outlines (n, 4, 2) can be cards, (n,): convex, not mirrored, no side far shorter than its opposite,
    portrait within the limits of a steep view."""
    sides = np.roll(quads, -1, axis=1) - quads
    following = np.roll(sides, -1, axis=1)
    turns = sides[..., 0] * following[..., 1] - sides[..., 1] * following[..., 0]
    lengths = np.hypot(sides[..., 0], sides[..., 1])
    # clockwise on a screen, where y points down
    fine = (turns > 0).all(1) & (lengths.min(1, initial=np.inf) >= SHORTEST)
    lengths = np.maximum(lengths, 1)
    unlike = np.abs(np.log(lengths[:, :2] / lengths[:, 2:])).max(1, initial=0)
    ratio = (lengths[:, 1] + lengths[:, 3]) / (lengths[:, 0] + lengths[:, 2])
    return np.asarray(fine & (unlike <= np.log(2.5)) & (ratio > 0.35) & (ratio < 4.5), bool)


def overlap_share(a: Floats, b: Floats) -> float:
    """The area two outlines share, as a share of the smaller one."""
    area, _ = cv2.intersectConvexConvex(np.asarray(a, np.float32), np.asarray(b, np.float32))
    smaller = min(cv2.contourArea(np.asarray(a, np.float32)), cv2.contourArea(np.asarray(b, np.float32)))
    return float(area) / max(float(smaller), 1.0)


def grown(quad: Floats, by: float) -> Floats:
    """The outline pushed out from its middle, each side by ``by`` of the card's width."""
    middle = quad.mean(0)
    away = quad - middle
    return np.asarray(quad + away / np.maximum(np.hypot(*away.T)[:, None], 1e-6) * (by * width_of(quad)), np.float32)


def corner_region(quads: Floats, right: bool | Flags, share: tuple[float, float]) -> Floats:
    """The corner region (..., 4, 2) of each card outlined by ``quads`` (..., 4, 2) that covers ``share`` of its width
    and height, at its first corner or, where ``right`` (...), at its second."""
    wanted = UNIT * floats(share) + np.asarray(right)[..., None, None] * floats([1 - share[0], 0])
    return floats(through(onto_cards(quads), wanted))


RATIO = 1.4
"""Height of a card against its width where the outlines do not tell (63 x 88 mm)."""
