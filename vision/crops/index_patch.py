"""The corner of a card, cut upright and square from the full-resolution picture."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.arrays import Doubles, Flags, Floats, floats
from vision.geometry import corner_region, onto_cards
from vision.values import Pixels

PATCH_SHARE = (0.34, 0.44)
"""Share of the card's width and height that is shown to the namer, from the corner."""
PATCH_WIDTH, PATCH_HEIGHT = 64, 112
MOST_SHRUNK = 1.5
"""A corner so many times larger than its patch is shrunk first: plain sampling would skip pixels."""


def cut_patches(pixels: Pixels, quads: Floats, rights: Flags) -> NDArray[np.uint8]:
    """Rectifies the corner patches of cards.

    ``quads`` (n, 4, 2) are the cards' corners in pixels from the top left as the index is read, clockwise; where
    ``rights`` (n,) the top right corner is taken instead of the top left one (decks with four indices).

    Returns (n, PATCH_HEIGHT, PATCH_WIDTH, 3) BGR;
    what lies outside the picture repeats its border.
    """
    corners = corner_region(quads, rights, PATCH_SHARE)
    sides = np.hypot(*np.moveaxis(corners[:, [1, 3]] - corners[:, :1], -1, 0))
    shrinks = (sides / floats([PATCH_WIDTH, PATCH_HEIGHT])).max(1, initial=0)
    backs = onto_cards(corners) @ np.diag([1 / PATCH_WIDTH, 1 / PATCH_HEIGHT, 1])
    flags, size = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, (PATCH_WIDTH, PATCH_HEIGHT)
    patches = np.empty((len(quads), PATCH_HEIGHT, PATCH_WIDTH, 3), np.uint8)
    for n, (back, corner, shrink) in enumerate(zip(backs, corners, shrinks, strict=True)):
        source = pixels
        if shrink > MOST_SHRUNK:
            source, onto = _shrunk(pixels, corner, float(shrink))
            back = onto @ back
        patches[n] = cv2.warpPerspective(source, back, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return patches


def cut_patch(pixels: Pixels, quad: ArrayLike, right: bool = False) -> Pixels:
    """The corner patch (PATCH_HEIGHT, PATCH_WIDTH, 3) BGR of one card, as ``cut_patches`` cuts it."""
    patch: Pixels = cut_patches(pixels, floats(quad)[None], np.array([right]))[0]
    return patch


def _shrunk(pixels: Pixels, corners: Floats, shrink: float) -> tuple[Pixels, Doubles]:
    """What lies round the ``corners`` (4, 2) in ``pixels``, made ``shrink`` times smaller, and the homography (3, 3)
    that leads there from the picture's own pixels."""
    height, width = pixels.shape[:2]
    low = np.floor(corners.min(0) - 2).astype(int).clip(0, (width - 1, height - 1))
    high = np.ceil(corners.max(0) + 3).astype(int).clip(low + 1, (width, height))
    part = pixels[low[1] : high[1], low[0] : high[0]]
    size = (max(round(part.shape[1] / shrink), 1), max(round(part.shape[0] / shrink), 1))
    by = np.array(size) / (high - low)
    onto = np.array([[by[0], 0, -low[0] * by[0]], [0, by[1], -low[1] * by[1]], [0, 0, 1]])
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8), onto
