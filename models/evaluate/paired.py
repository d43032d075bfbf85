"""Statistics for two candidates on the same tables, and for one share."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, sqrt

import numpy as np

Z95 = 1.959964
RESAMPLES = 10_000


def wilson(successes: int, count: int) -> tuple[float, float]:
    """The interval that holds a share with 95 % confidence (Wilson, 1927); (0, 1) of nothing."""
    if not count:
        return 0.0, 1.0
    share, z2 = successes / count, Z95 * Z95
    middle = (share + z2 / (2 * count)) / (1 + z2 / count)
    half = Z95 / (1 + z2 / count) * sqrt(share * (1 - share) / count + z2 / (4 * count * count))
    return max(middle - half, 0.0), min(middle + half, 1.0)


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact two-sided probability of so unequal a split, or a more unequal one, if both are equally good.

    ``only_first`` tables are right by the first candidate alone, ``only_second`` by the second alone (McNemar, 1947).
    """
    count, less = only_first + only_second, min(only_first, only_second)
    tail = sum(comb(count, k) for k in range(less + 1)) / (1 << count)
    return min(2 * tail, 1.0)


def bootstrap(differences: Sequence[float]) -> tuple[float, float, float]:
    """The mean of paired differences, and the interval that holds it with 95 % confidence, by resampling pairs."""
    values = np.asarray(differences, np.float64)
    if not len(values):
        return 0.0, 0.0, 0.0
    rng = np.random.default_rng(0)
    means = [float(values[rng.integers(len(values), size=len(values))].mean()) for _ in range(RESAMPLES)]
    low, high = np.percentile(means, (2.5, 97.5)).tolist()
    return float(values.mean()), low, high
