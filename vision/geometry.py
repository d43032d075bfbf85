"""Outlines of cards: how far apart, how much they overlap, where a point lies on them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Flags = NDArray[np.bool_]
Floats = NDArray[np.float32]


def floats(values: ArrayLike) -> Floats:
    """Single-precision numbers, as pixels and corners are kept."""
    return np.asarray(values, np.float32)


UNIT: Floats = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
BOX_SHARE = (0.18, 0.29)
"""Share of the card's width and height that the box round an index covers, as the finder was taught."""
SHORTEST = 4
"""A card's side has so many pixels at least."""


def log_odds(shares: Floats, least: float = 1e-4) -> Floats:
    """The log odds of probabilities, which are kept ``least`` off 0 and 1."""
    shares = np.clip(shares, least, 1 - least)
    return floats(np.log(shares / (1 - shares)))


def width_of(quad: Floats) -> float:
    """The mean of a card's two short sides, in pixels; ``quad`` is (4, 2)."""
    return float(np.hypot(*(quad[1] - quad[0])) + np.hypot(*(quad[2] - quad[3]))) / 2


def distances(points: Floats) -> Floats:
    """How far each two of ``points`` (n, 2) lie apart, (n, n)."""
    return floats(np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1)))


def place_on(quad: Floats, point: Floats) -> tuple[float, float]:
    """Where ``point`` (2,) lies on the card: (0, 0) its first corner, (1, 1) the opposite one."""
    onto = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), UNIT)
    x, y = cv2.perspectiveTransform(np.asarray(point, np.float32).reshape(1, 1, 2), onto)[0, 0]
    return float(x), float(y)


def beside(quad: Floats, back: bool = False) -> Floats:
    """The outline of the card beside ``quad`` that would have the same index in its left corner, where ``quad`` has it
    in its right one; ``back`` goes the other way."""
    along = (quad[1] - quad[0]) * (1 - BOX_SHARE[0])
    return floats(quad - along if back else quad + along)


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


def corner_region(quad: Floats, right: bool, share: tuple[float, float]) -> Floats:
    """The corner region of a card (4, 2) that covers ``share`` of its width and height, at its first corner or, where
    ``right``, at its second."""
    x0 = 1 - share[0] if right else 0.0
    onto = cv2.getPerspectiveTransform(UNIT, floats(quad))
    wanted = floats([[[x0, 0.0], [x0 + share[0], 0.0], [x0 + share[0], share[1]], [x0, share[1]]]])
    return floats(cv2.perspectiveTransform(wanted, onto)[0])
