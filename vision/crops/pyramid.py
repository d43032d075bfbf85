"""Upright squares of one size cut from a picture, as the small networks are shown them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Floats, floats
from vision.values import Pixels

OUTSIDE = (114, 114, 114)
"""The grey of what lies beyond the picture."""


def _half(pixels: Pixels) -> Pixels:
    """The picture half as wide and half as high; every pixel of it counts."""
    size = (pixels.shape[1] // 2, pixels.shape[0] // 2)
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def pyramid(pixels: Pixels) -> list[Pixels]:
    """The picture, its half, its quarter, its eighth."""
    levels = [pixels]
    while len(levels) < 4 and min(levels[-1].shape[:2]) >= 4:
        levels.append(_half(levels[-1]))
    return levels


def resized(pixels: Pixels, width: int, height: int) -> Pixels:
    """The picture (height, width, 3) BGR at another size: by halves as far as that goes, and then between pixels. The
    mean over odd shares of pixels takes six times as long."""
    while min(pixels.shape[0] // height, pixels.shape[1] // width) >= 2:
        pixels = _half(pixels)
    return np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def cut_squares(levels: Sequence[Pixels], backs: Doubles, finest: Floats, size: int) -> NDArray[np.uint8]:
    """Squares (n, size, size, 3) BGR from a ``pyramid``: the homographies ``backs`` (n, 3, 3) take each square's pixels
    to those of the picture, of which there are ``finest`` (n,) to one of the square's."""
    squares = np.empty((len(backs), size, size, 3), np.uint8)
    places = np.clip(np.floor(np.log2(np.maximum(finest, 1e-3)) + 0.3), 0, len(levels) - 1).astype(int)
    height, width = levels[0].shape[:2]
    shrink = np.array([np.diag([level.shape[1] / width, level.shape[0] / height, 1.0]) for level in levels])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for n, (place, back) in enumerate(zip(places.tolist(), shrink[places] @ backs, strict=True)):
        squares[n] = cv2.warpPerspective(levels[place], back, (size, size), flags=flags, borderValue=OUTSIDE)
    return squares


def as_input(pictures: Sequence[Pixels] | Pixels) -> Floats:
    """Pictures (height, width, 3) BGR of one size as a network takes them: (n, 3, height, width) RGB 0..1."""
    stacked = np.asarray(pictures)[..., ::-1].transpose(0, 3, 1, 2)
    return floats(np.ascontiguousarray(stacked, np.float32) / np.float32(255))
