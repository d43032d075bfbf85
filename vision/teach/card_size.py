"""The size of the cards in a photo, which changes evenly over it with the distance from the camera."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.arrays import Doubles, Floats, doubles
from vision.values import Pixels


@dataclass(frozen=True, slots=True, eq=False)
class CardSize:
    """Logarithms of the width and height of a card by its place in the photo: ``terms`` (3, 2) of 1, x and y."""

    terms: Doubles
    reach: float

    def at(self, centres: Floats) -> Doubles:
        """Expected logarithms (n, 2) at ``centres`` (n, 2)."""
        return np.column_stack([np.ones(len(centres)), centres / self.reach]) @ self.terms

    def misses(self, quads: Floats) -> Doubles:
        """Greatest difference (n,) of each outline's width and height from what its place says."""
        return np.asarray(np.abs(log_sides(quads) - self.at(quads.mean(1))).max(1), np.float64)


def log_sides(quads: Floats) -> Doubles:
    """Logarithms of the widths and heights (n, 2) of outlines (n, 4, 2)."""
    sides = np.hypot(*np.moveaxis(np.roll(quads, -1, axis=1) - quads, -1, 0))
    return doubles(np.log(np.stack([sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]], 1) / 2 + 1e-6))


def fitted_size(quads: Floats, small: Pixels) -> CardSize:
    """The even change of size that fits the outlines (n, 4, 2) best, robustly; level where they are few."""
    reach = float(max(small.shape[:2]))
    logs, places = log_sides(quads), np.column_stack([np.ones(len(quads)), quads.mean(1) / reach])
    weights, terms = np.ones(len(quads)), doubles(np.zeros((3, 2)))
    prior = np.diag([0.0, 0.3, 0.3]) if len(quads) > 3 else np.diag([0.0, 1e6, 1e6])
    for _ in range(5):
        weighted = places * weights[:, None]
        terms = doubles(np.linalg.solve(places.T @ weighted + prior * 0.1 + np.eye(3) * 1e-9, weighted.T @ logs))
        misses = np.abs(logs - places @ terms).max(1)
        weights = 1 / (1 + (misses / max(1.5 * float(np.median(misses)), 0.01)) ** 2)
    return CardSize(terms, reach)
