"""Array types shared by all rooms of datasets, and conversions to them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Picture = NDArray[np.uint8]
"""(height, width, 3) uint8 BGR."""


Cutout = NDArray[np.uint8]
"""(height, width, 4) uint8 BGRA, alpha not premultiplied."""


Floats = NDArray[np.float32]


def floats(values: ArrayLike) -> Floats:
    """Converts to float32, the type of pixels and corners."""
    return np.asarray(values, np.float32)


def doubles(values: ArrayLike) -> NDArray[np.float64]:
    """Converts to float64, the type of homographies."""
    return np.asarray(values, np.float64)
