"""Tells bare table from what lies on it, by the colours that the table had until now."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Floats, floats
from vision.values import Pixels

BARE = 0.5
"""Share of a place in the table's colours from which it lies bare."""
_COMMON = 0.9
"""The share of all that is no card which the table's own colours make up; the rest is cups, paper and hands."""
_BINS = (16, 32, 32)
"""Of lightness and the two colours, in CIELAB."""
_LEARNS, _MOSTLY = 0.1, 0.5
"""How fast the table's colours are learnt, a picture, and the share of the last pictures in which they were common:
after a change of the light some seven pictures teach the new ones."""
_LEAST_SEEN = 0.12
"""The share of a place that must be free of other cards for it to tell anything."""


class Ground:
    """The table over time, so that whoever leans over it for a minute is none of it."""

    def __init__(self) -> None:
        self._often = np.zeros(_BINS, np.float32)
        self._seen = 0

    def see(self, pixels: Pixels, cards: Sequence[Floats]) -> None:
        """Takes the next picture.

        Args:
            pixels: the picture, (height, width, 3) BGR.
            cards: outlines (4, 2) of all cards that lie or lay there, in pixels; the rest is mostly table.
        """
        self._lab = cv2.cvtColor(pixels, cv2.COLOR_BGR2LAB)
        free = np.full(pixels.shape[:2], 255, np.uint8)
        for outline in cards:
            cv2.fillConvexPoly(free, np.asarray(outline, np.int32), (0,))
        counts = cv2.calcHist([self._lab], [0, 1, 2], cv2.erode(free, np.ones((5, 5), np.uint8)), _BINS, [0, 256] * 3)
        ordered = np.sort(counts.ravel())[::-1]
        enough = int(np.searchsorted(np.cumsum(ordered), _COMMON * ordered.sum()))
        common = counts >= max(float(ordered[min(enough, len(ordered) - 1)]), 1.0)
        self._seen += 1
        self._often += (common - self._often) * max(1 / self._seen, _LEARNS)
        self._common = self._often >= _MOSTLY

    def bare(self, place: Floats, covering: Sequence[Floats] = ()) -> float | None:
        """The share (0..1) of a place, an outline (4, 2), that is bare table; what cards cover there does not count.

        None if too little of it is left to tell.
        """
        left, top, width, height = cv2.boundingRect(np.asarray(place, np.int32))
        left, top = max(left, 0), max(top, 0)
        lab = self._lab[top : top + height, left : left + width]
        mask = np.zeros(lab.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.asarray(place - (left, top), np.int32), (255,))
        whole = cv2.contourArea(floats(place))
        for outline in covering:
            cv2.fillConvexPoly(mask, np.asarray(outline - (left, top), np.int32), (0,))
        seen = lab[mask > 0] // [256 // bins for bins in _BINS]
        if len(seen) < max(_LEAST_SEEN * whole, 1.0):
            return None
        return float(self._common[tuple(seen.T)].mean())
