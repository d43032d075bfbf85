"""Image pyramid, what is cut out of it, resizing, and pictures as network input."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Floats, floats
from vision.geometry import outline_homographies, quad_width
from vision.values import Pixels

OUTSIDE = (114, 114, 114)
"""Colour outside the picture, as in training."""
LEVELS, MIN_SIDE = 4, 4
"""The pyramid has at most so many levels, and halves no side below this."""
LEVEL_BIAS = 0.3
"""Added to log2 of the scale before rounding down: the next coarser level is used a little early, against aliasing."""


def _half(pixels: Pixels) -> Pixels:
    """The picture at half its width and height, by the mean of four pixels."""
    size = (pixels.shape[1] // 2, pixels.shape[0] // 2)
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def pyramid(pixels: Pixels) -> list[Pixels]:
    """The picture at its own size, a half, a quarter and an eighth; small pictures have fewer levels."""
    levels = [pixels]
    while len(levels) < LEVELS and min(levels[-1].shape[:2]) >= MIN_SIDE:
        levels.append(_half(levels[-1]))
    return levels


def rectified(levels: Sequence[Pixels], quad: Floats, width: int, height: float, margin: int = 0) -> Pixels:
    """What an outline (4, 2) holds, ``width`` by ``height`` pixels and with a ``margin`` around it, (height, width, 3)
    BGR, from a ``pyramid``."""
    number = int(np.clip(np.floor(np.log2(max(quad_width(quad) / width, 1e-3)) + LEVEL_BIAS), 0, len(levels) - 1))
    level = levels[number]
    onto = outline_homographies(quad[None])[0] @ np.diag([1 / width, 1 / height, 1])
    onto = onto @ np.array([[1, 0, -margin], [0, 1, -margin], [0, 0, 1.0]])
    onto = np.diag([level.shape[1] / levels[0].shape[1], level.shape[0] / levels[0].shape[0], 1.0]) @ onto
    size, flags = (width + 2 * margin, round(height) + 2 * margin), cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(level, onto, size, flags=flags, borderValue=OUTSIDE), np.uint8)


def resized(pixels: Pixels, width: int, height: int) -> Pixels:
    """The picture (height, width, 3) BGR at another size, by halving as far as possible and then bilinearly.

    OpenCV's area interpolation by other factors takes six times as long.
    """
    while min(pixels.shape[0] // height, pixels.shape[1] // width) >= 2:
        pixels = _half(pixels)
    return np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def as_input(pictures: Sequence[Pixels] | Pixels) -> Floats:
    """Pictures (height, width, 3) BGR of one size as network input: (n, 3, height, width) RGB 0..1."""
    stacked = np.asarray(pictures)[..., ::-1].transpose(0, 3, 1, 2)
    return floats(np.ascontiguousarray(stacked, np.float32) / np.float32(255))
