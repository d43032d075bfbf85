"""The picture as a grid of cells: which a tag must not cover, and which it had better leave free."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from vision.values import Point
from webui.rounds.overlay.outlines import Box

Floats = NDArray[np.float64]
_TAKEN = 1 << 40
"""Weight of a cell that must stay free; more than all others under a tag together."""


class Ground:
    """A grid over a picture of ``width`` x ``height``, all in CSS pixels at the width of the layout."""

    def __init__(self, width: float, height: float, cell: float) -> None:
        self.cell = cell
        self.columns, self.rows = max(1, int(width / cell)), max(1, int(height / cell))
        self._weights = np.zeros((self.rows, self.columns), np.int64)

    def take(self, box: Box) -> None:
        """Keeps every tag off a box."""
        self._weights[self._cells(box)] |= _TAKEN

    def burden(self, boxes: Floats, weight: int) -> None:
        """Makes the places of boxes, (n, 4), less welcome; where several lie, each counts."""
        limits = [self.columns, self.rows, self.columns, self.rows]
        x0, y0, x1, y1 = np.clip(np.floor(boxes / self.cell).astype(np.intp) + np.array([0, 0, 1, 1]), 0, limits).T
        steps = np.zeros((self.rows + 1, self.columns + 1), np.int64)
        for rows, columns, sign in ((y0, x0, 1), (y1, x1, 1), (y0, x1, -1), (y1, x0, -1)):
            np.add.at(steps, (rows, columns), sign * weight)
        self._weights += steps.cumsum(0).cumsum(1)[:-1, :-1]

    def take_line(self, start: Point, end: Point) -> None:
        """Keeps every later tag off a line."""
        for x, y in self._on_line(start, end):
            self.take((x, y, x, y))

    def is_taken(self, x: Floats, y: Floats) -> NDArray[np.bool_]:
        """Whether points lie in cells that must stay free; those outside the picture do not."""
        columns, rows = (x / self.cell).astype(np.int64), (y / self.cell).astype(np.int64)
        inside = (columns >= 0) & (columns < self.columns) & (rows >= 0) & (rows < self.rows)
        weights = self._weights[rows.clip(0, self.rows - 1), columns.clip(0, self.columns - 1)]
        return np.asarray(inside & (weights >= _TAKEN))

    def places(self, size: tuple[float, float], window: Box, step: int = 1) -> tuple[Floats, Floats, Floats]:
        """Where a tag may lie within a window: left edges, upper edges, and what lies under it, lightest place first
        in reading order.

        Args:
            size: width and height of the tag.
            window: its upper left corner lies in it.
            step: every how many cells a place is tried.
        """
        wide, high = math.ceil(size[0] / self.cell), math.ceil(size[1] / self.cell)
        x0, y0 = max(0, int(window[0] / self.cell)), max(0, int(window[1] / self.cell))
        x1 = min(self.columns - wide, int(window[2] / self.cell))
        y1 = min(self.rows - high, int(window[3] / self.cell))
        if x1 < x0 or y1 < y0:
            return np.empty(0), np.empty(0), np.empty(0)
        sums = np.zeros((y1 - y0 + high + 1, x1 - x0 + wide + 1), np.int64)
        np.cumsum(self._weights[y0 : y1 + high, x0 : x1 + wide], 0, out=sums[1:, 1:])
        np.cumsum(sums[1:, 1:], 1, out=sums[1:, 1:])
        under = sums[high:, wide:] - sums[:-high, wide:] - sums[high:, :-wide] + sums[:-high, :-wide]
        under = under[::step, ::step]
        rows, columns = np.nonzero(under < _TAKEN)
        left: Floats = (x0 + columns * step) * np.float64(self.cell)
        top: Floats = (y0 + rows * step) * np.float64(self.cell)
        return left, top, under[rows, columns] / (wide * high)

    def _cells(self, box: Box) -> tuple[slice, slice]:
        """The cells that a box touches."""
        x0, y0, x1, y1 = (at / self.cell for at in box)
        across = slice(max(0, math.floor(x0)), max(0, math.floor(x1) + 1))
        return slice(max(0, math.floor(y0)), max(0, math.floor(y1) + 1)), across

    def _on_line(self, start: Point, end: Point) -> Iterator[Point]:
        steps = max(1, math.ceil(math.dist(start, end) / self.cell))
        for step in range(steps + 1):
            share = step / steps
            yield start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
