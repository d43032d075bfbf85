"""Number types of arrays, by the shapes' kinds, and softmax."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Flags = NDArray[np.bool_]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]


def floats(values: ArrayLike) -> Floats:
    """Single-precision numbers, as pixels and corners are kept."""
    return np.asarray(values, np.float32)


def doubles(values: ArrayLike) -> Doubles:
    """Double-precision numbers, as homographies are reckoned in."""
    return np.asarray(values, np.float64)


def softmax(scores: NDArray[np.floating]) -> Floats:
    """Scores (n, classes) to probabilities."""
    raised = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(raised / raised.sum(1, keepdims=True), np.float32)
