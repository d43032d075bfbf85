"""The two crops of a detection that the RoI head sees: the index, and the card with its surroundings; and outlines
shifted in card coordinates."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Floats, doubles, floats
from vision.crops.pyramid import LEVEL_BIAS, OUTSIDE
from vision.geometry import UNIT, apply_homography, card_widths, outline_homographies
from vision.values import Pixels

INDEX_VIEW, INDEX_SIZE = (-0.095, -0.06, 0.38, 0.43), (80, 112)
AROUND_VIEW, AROUND_SIZE = (-1.1, -0.3, 1.25, 1.25), (96, 96)
"""Left, top, right and bottom of each crop in card widths and heights, and its width and height in pixels; baked into
the weights. The first shows an index in either upper corner, and beside one in the left the first pips, which tell its
suit too. The second holds the whole card even where it is really a quarter larger, or lies on the index's other
side."""


WINDOW = (-1.0, -0.25, 1.1, 1.15)
"""Left, top, right and bottom in card widths and heights, its index in the left corner: where it may really lie."""
MIN_DEPTH = 0.4
"""Smallest depth of a corner of WINDOW against the card's own corner; a steeper perspective is a wrong prediction."""


def card_homographies(quads: Floats) -> Doubles:
    """Homographies (..., 3, 3) from card widths and heights to pixels, for outlines ``quads`` (..., 4, 2).

    An outline in too steep a perspective (MIN_DEPTH) is replaced by the parallelogram of its first two sides.
    """
    onto = outline_homographies(quads)
    left, top, right, bottom = WINDOW
    depths = onto[..., 2, :] @ np.array([[left, right, right, left], [top, top, bottom, bottom], [1.0, 1.0, 1.0, 1.0]])
    corner = quads[..., 0, :]
    parallelogram = np.stack([quads[..., 1, :] - corner, quads[..., 3, :] - corner, corner], -1)
    possible = depths.min(-1) > MIN_DEPTH
    onto[..., :2, :] = np.where(possible[..., None, None], onto[..., :2, :], parallelogram)
    onto[..., 2, :] = np.where(possible[..., None], onto[..., 2, :], [0, 0, 1])
    return onto


def apply_shifts(quads: Floats, shifts: Floats) -> Floats:
    """The outlines (..., 4, 2) with each corner moved by ``shifts`` (..., 4, 2), in card widths and heights."""
    return floats(apply_homography(card_homographies(quads), UNIT + shifts))


def shifts_between(quad: Floats, true: Floats) -> Floats:
    """The shifts (4, 2) by which ``apply_shifts`` moves ``quad`` onto ``true``."""
    return floats(apply_homography(doubles(np.linalg.inv(card_homographies(quad))), true)) - UNIT


def crop_rois(levels: list[Pixels], quads: Floats) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Crops of cards ``quads`` (n, 4, 2), each with its index in the left upper corner, from a ``pyramid.pyramid``.

    Returns the index crops (n, 112, 80, 3) and the wide ones (n, 96, 96, 3), BGR.
    """
    return _crop(levels, quads, INDEX_VIEW, INDEX_SIZE), _crop(levels, quads, AROUND_VIEW, AROUND_SIZE)


def _crop(
    levels: list[Pixels], quads: Floats, view: tuple[float, float, float, float], size: tuple[int, int]
) -> NDArray[np.uint8]:
    left, top, right, bottom = view
    step = ((right - left) / size[0], (bottom - top) / size[1])
    to_picture = card_homographies(quads) @ np.array([[step[0], 0, left], [0, step[1], top], [0.0, 0.0, 1.0]])
    scales = np.maximum(card_widths(quads) * np.float32(step[0]), 1e-3)
    numbers = np.clip(np.floor(np.log2(scales) + LEVEL_BIAS), 0, len(levels) - 1).astype(int)
    height, width = levels[0].shape[:2]
    to_level = np.array([np.diag([level.shape[1] / width, level.shape[0] / height, 1.0]) for level in levels])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    crops = np.empty((len(quads), size[1], size[0], 3), np.uint8)
    for n, (number, matrix) in enumerate(zip(numbers.tolist(), to_level[numbers] @ to_picture, strict=True)):
        crops[n] = cv2.warpPerspective(levels[number], matrix, size, flags=flags, borderValue=OUTSIDE)
    return crops
