"""The patch of which sharpness is measured: a card's corner, rectified from the full-resolution picture."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Floats, floats
from vision.geometry import corner_region, outline_homographies
from vision.values import Pixels

PATCH_SHARE = (0.34, 0.44)
"""Share of the card's width and height in the patch."""
PATCH_WIDTH, PATCH_HEIGHT = 64, 112
"""Size of the patch in pixels."""
MAX_SHRINK = 1.5
"""A corner so many times larger than its patch is shrunk first: bilinear sampling alone would skip pixels."""


def crop_patches(pixels: Pixels, quads: Floats) -> NDArray[np.uint8]:
    """Rectifies the corner patches of cards.

    Args:
        pixels: the picture (height, width, 3) BGR.
        quads: (n, 4, 2), outlines in pixels, clockwise from the top left as the index is read.

    Returns:
        (n, PATCH_HEIGHT, PATCH_WIDTH, 3) BGR; outside the picture its border is repeated.
    """
    corners = corner_region(quads, np.zeros(len(quads), bool), PATCH_SHARE)
    sides = np.hypot(*np.moveaxis(corners[:, [1, 3]] - corners[:, :1], -1, 0))
    shrinks = (sides / floats([PATCH_WIDTH, PATCH_HEIGHT])).max(1, initial=0)
    to_picture = outline_homographies(corners) @ np.diag([1 / PATCH_WIDTH, 1 / PATCH_HEIGHT, 1])
    flags, size = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, (PATCH_WIDTH, PATCH_HEIGHT)
    patches = np.empty((len(quads), PATCH_HEIGHT, PATCH_WIDTH, 3), np.uint8)
    for n, (matrix, corner, shrink) in enumerate(zip(to_picture, corners, shrinks, strict=True)):
        source = pixels
        if shrink > MAX_SHRINK:
            source, to_shrunk = _shrunk(pixels, corner, float(shrink))
            matrix = to_shrunk @ matrix
        patches[n] = cv2.warpPerspective(source, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return patches


def _shrunk(pixels: Pixels, corners: Floats, shrink: float) -> tuple[Pixels, Doubles]:
    """The part of the picture around ``corners`` (4, 2), ``shrink`` times smaller.

    Returns also the homography (3, 3) from the picture's pixels to the part's.
    """
    height, width = pixels.shape[:2]
    low = np.floor(corners.min(0) - 2).astype(int).clip(0, (width - 1, height - 1))
    high = np.ceil(corners.max(0) + 3).astype(int).clip(low + 1, (width, height))
    part = pixels[low[1] : high[1], low[0] : high[0]]
    size = (max(round(part.shape[1] / shrink), 1), max(round(part.shape[0] / shrink), 1))
    scale = np.array(size) / (high - low)
    matrix = np.array([[scale[0], 0, -low[0] * scale[0]], [0, scale[1], -low[1] * scale[1]], [0, 0, 1]])
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8), matrix
