"""A window round a whole card, as the outline refiner is shown it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Floats, doubles, floats
from vision.crops.pyramid import cut_squares
from vision.geometry import UNIT, card_widths, onto_cards, through
from vision.values import Pixels

WINDOW = (-1.0, -0.25, 1.1, 1.15)
"""What is shown, left, top, right, bottom, in widths and heights of the predicted card, its index in its left corner:
room enough for the card to lie on the other side of its index."""
WINDOW_SIZE = 96
"""Width and height of the window in pixels."""
LEAST_DEPTH = 0.4
"""Of the window's corners against the card's own corner, in perspective; steeper predictions are mistakes."""


def card_homographies(quads: Floats) -> Doubles:
    """The homographies (..., 3, 3) from widths and heights of each card to pixels; ``quads`` (..., 4, 2) are their
    outlines."""
    onto = onto_cards(quads)
    left, top, right, bottom = WINDOW
    depths = onto[..., 2, :] @ np.array([[left, right, right, left], [top, top, bottom, bottom], [1.0, 1.0, 1.0, 1.0]])
    # such a steep card is taken for a parallelogram
    own = quads[..., 0, :]
    flat = np.stack([quads[..., 1, :] - own, quads[..., 3, :] - own, own], -1)
    onto[..., :2, :] = np.where((depths.min(-1) > LEAST_DEPTH)[..., None, None], onto[..., :2, :], flat)
    onto[..., 2, :] = np.where((depths.min(-1) > LEAST_DEPTH)[..., None], onto[..., 2, :], [0, 0, 1])
    return onto


def crop_windows(levels: list[Pixels], quads: Floats) -> NDArray[np.uint8]:
    """The windows (n, WINDOW_SIZE, WINDOW_SIZE, 3) BGR on the cards outlined by ``quads`` (n, 4, 2), from a
    ``cutting.pyramid``."""
    left, top, right, bottom = WINDOW
    step = np.array([[(right - left) / WINDOW_SIZE, 0, left], [0, (bottom - top) / WINDOW_SIZE, top], [0.0, 0.0, 1.0]])
    return cut_squares(
        levels, card_homographies(quads) @ step, card_widths(quads) * np.float32(step[0, 0]), WINDOW_SIZE
    )


def moved(quads: Floats, shifts: Floats) -> Floats:
    """The outlines (..., 4, 2) with each corner moved by ``shifts`` (..., 4, 2), in widths and heights of the card."""
    return floats(through(card_homographies(quads), UNIT + shifts))


def shift_to(quad: Floats, true: Floats) -> Floats:
    """The shift (4, 2) by which ``moved`` brings ``quad`` onto ``true``."""
    return floats(through(doubles(np.linalg.inv(card_homographies(quad))), true)) - UNIT
