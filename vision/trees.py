"""Decision trees that weigh what is known of a thing; fitted by ``models/fit_trees.py``, kept as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, floats

Places = NDArray[np.int_]


def log_odds(shares: Floats, least: float = 1e-4) -> Floats:
    """The log odds of probabilities, which are kept ``least`` off 0 and 1."""
    shares = np.clip(shares, least, 1 - least)
    return floats(np.log(shares / (1 - shares)))


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """Decision trees whose values are added up.

    Of each tree's nodes, (trees, nodes): which sign is looked at, up to which bound it leads to the node ``low`` and
    else to ``high``, and what a leaf is worth. Leaves lead to themselves.
    """

    start: float
    sign: Places
    bound: NDArray[np.float64]
    low: Places
    high: Places
    value: Floats

    def __call__(self, signs: Floats) -> Floats:
        """How likely that is which these trees tell, of things with these ``signs`` (n, signs): (n,), 0..1."""
        trees, things = np.arange(len(self.sign)), np.arange(len(signs))[:, None]
        at = np.zeros((len(signs), len(trees)), int)
        while True:
            lower = signs[things, self.sign[trees, at]] <= self.bound[trees, at]
            following = np.where(lower, self.low[trees, at], self.high[trees, at])
            if (following == at).all():
                return floats(1 / (1 + np.exp(-self.start - self.value[trees, at].sum(1))))
            at = following


def trees_from(held: Mapping[str, Any]) -> Trees:
    """The trees that ``held`` describes, as read from JSON."""
    sign, low, high = (np.asarray(held[part], int) for part in ("sign", "low", "high"))
    return Trees(float(held["start"]), sign, np.asarray(held["bound"]), low, high, floats(held["value"]))
