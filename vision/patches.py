"""The corner of a card, cut upright and square from the full-resolution picture."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import ArrayLike

from vision.geometry import corner_region, floats
from vision.values import Pixels

PATCH_SHARE = (0.34, 0.44)
"""Share of the card's width and height that is shown to the namer, from the corner."""
PATCH_WIDTH, PATCH_HEIGHT = 64, 112


def cut_patch(pixels: Pixels, quad: ArrayLike, right: bool = False) -> Pixels:
    """Rectifies the corner patch of a card.

    ``quad`` (4, 2) are the card's corners in pixels from the top left as the index is read, clockwise; ``right`` takes
    the top right corner instead of the top left one (decks with four indices).

    Returns (PATCH_HEIGHT, PATCH_WIDTH, 3) BGR;
    what lies outside the picture repeats its border.
    """
    corners = corner_region(floats(quad), right, PATCH_SHARE)
    across = float(np.hypot(*(corners[1] - corners[0])))
    down = float(np.hypot(*(corners[3] - corners[0])))
    shrink = max(across / PATCH_WIDTH, down / PATCH_HEIGHT)
    source = pixels
    if shrink > 1.5:
        # plain sampling of a large corner would skip pixels: shrink its surroundings first
        height, width = pixels.shape[:2]
        low = np.floor(corners.min(0) - 2).astype(int).clip(0, (width - 1, height - 1))
        high = np.ceil(corners.max(0) + 3).astype(int).clip(low + 1, (width, height))
        part = pixels[low[1] : high[1], low[0] : high[0]]
        size = (max(round(part.shape[1] / shrink), 1), max(round(part.shape[0] / shrink), 1))
        source = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
        corners = (corners - low) * (floats(size) / floats([part.shape[1], part.shape[0]]))
    target = np.array([[0, 0], [PATCH_WIDTH, 0], [PATCH_WIDTH, PATCH_HEIGHT], [0, PATCH_HEIGHT]], np.float32)
    back = cv2.getPerspectiveTransform(target, corners.astype(np.float32))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (PATCH_WIDTH, PATCH_HEIGHT)
    return np.asarray(cv2.warpPerspective(source, back, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)
