"""The window around a whole card that the outline refiner sees, and outlines shifted in card coordinates."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Floats, doubles, floats
from vision.crops.pyramid import crop_squares
from vision.geometry import UNIT, apply_homography, card_widths, outline_homographies
from vision.values import Pixels

WINDOW = (-1.0, -0.25, 1.1, 1.15)
"""Left, top, right and bottom in card widths and heights, the index in the left corner: room enough for a card that
really lies on the other side of its index. Baked into the weights."""
WINDOW_SIZE = 96
"""Width and height of the window in pixels; baked into the weights."""
MIN_DEPTH = 0.4
"""Smallest depth of a window corner against the card's own corner; a steeper perspective is a wrong prediction."""


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


def crop_windows(levels: list[Pixels], quads: Floats) -> NDArray[np.uint8]:
    """The windows (n, WINDOW_SIZE, WINDOW_SIZE, 3) BGR of cards ``quads`` (n, 4, 2) from a ``pyramid.pyramid``."""
    left, top, right, bottom = WINDOW
    to_card = np.array(
        [[(right - left) / WINDOW_SIZE, 0, left], [0, (bottom - top) / WINDOW_SIZE, top], [0.0, 0.0, 1.0]]
    )
    scales = card_widths(quads) * np.float32(to_card[0, 0])
    return crop_squares(levels, card_homographies(quads) @ to_card, scales, WINDOW_SIZE)


def apply_shifts(quads: Floats, shifts: Floats) -> Floats:
    """The outlines (..., 4, 2) with each corner moved by ``shifts`` (..., 4, 2), in card widths and heights."""
    return floats(apply_homography(card_homographies(quads), UNIT + shifts))


def shifts_between(quad: Floats, true: Floats) -> Floats:
    """The shifts (4, 2) by which ``apply_shifts`` moves ``quad`` onto ``true``."""
    return floats(apply_homography(doubles(np.linalg.inv(card_homographies(quad))), true)) - UNIT
