"""Types of number arrays, conversions, and softmax."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Flags = NDArray[np.bool_]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]


def floats(values: ArrayLike) -> Floats:
    """Converts to single precision, the type of pixel coordinates and probabilities."""
    return np.asarray(values, np.float32)


def doubles(values: ArrayLike) -> Doubles:
    """Converts to double precision, the type of homographies."""
    return np.asarray(values, np.float64)


def softmax(scores: NDArray[np.floating]) -> Floats:
    """Scores (n, classes) to probabilities."""
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(powers / powers.sum(1, keepdims=True), np.float32)
