"""What a detector makes of a true index: a box round it, and an outline with errors.

The processes that draw samples need no PyTorch, which alone takes a quarter of a gigabyte; so nothing here imports it.
"""

from __future__ import annotations

import numpy as np

from datasets.arrays import Floats
from datasets.scenes.tables import TrueIndex
from vision.arrays import floats

NO_SUIT = -1
"""Class of the suit of what has none."""


def jitter(rng: np.random.Generator, quad: Floats, size: float | None = None) -> Floats:
    """Simulates a detector's prediction of an outline (4, 2): moved, rotated, stretched, each corner a little off.

    ``size`` scales the error (1 is a poor prediction); by default random, about 0.6.
    """
    across = float(np.hypot(*(quad[1] - quad[0])))
    if size is None:
        size = float(np.exp(rng.normal(0, 0.5))) * 0.6
    origin = quad[:1]  # errors grow with the distance from the index
    angle = rng.normal(0, 0.035 * size)
    turn = floats([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    moved = (quad - origin) @ turn.T * (1 + rng.normal(0, 0.045 * size, 2)) + origin
    moved = moved + rng.normal(0, 0.022 * size, 2) * across + rng.normal(0, 0.014 * size, (4, 2)) * across
    return np.asarray(moved, np.float32)


def box_centre(index: TrueIndex) -> Floats:
    """Returns the centre of the box round a true index, (2,) in pixels."""
    patch = index.patch
    return floats((patch.min(0) + patch.max(0)) / 2)
