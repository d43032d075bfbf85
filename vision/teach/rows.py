"""Reading order: row by row, each from the left, of cards laid out in rows that may be slanted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.arrays import Floats

HALF = 0.5
"""Two neighbours are in one row where the second lies less than this share of a card's height above or below the line
on which the row goes on."""
REACH = 2.6
"""Card widths in which the next card of a row is looked for."""
MAX_SLOPE = 0.5
"""A row rises or falls by no more than this."""


def reading_order(quads: Floats) -> list[list[int]]:
    """Rows of cards, from the top, of the outlines (n, 4, 2), as lists of their numbers from the left."""
    if not len(quads):
        return []
    centres = quads.mean(1)
    sizes = np.ptp(quads, axis=1)
    slope = _usual_slope(centres, sizes)
    # seen from the rows' own direction, rows are level, but for what perspective leaves
    levels = centres[:, 1] - slope * centres[:, 0]
    followers: dict[int, int] = {}
    taken: set[int] = set()
    pairs = []
    for i in range(len(quads)):
        for j in range(len(quads)):
            along, rise = centres[j, 0] - centres[i, 0], levels[j] - levels[i]
            width, height = (sizes[i] + sizes[j]) / 2
            if 0.3 * width < along < REACH * width and abs(rise) < HALF * height:
                pairs.append((float(along / width + 2 * abs(rise) / height), i, j))
    for _, i, j in sorted(pairs):
        if i not in followers and j not in taken:
            followers[i] = j
            taken.add(j)
    rows = []
    for start in range(len(quads)):
        if start not in taken:
            row = [start]
            while row[-1] in followers:
                row.append(followers[row[-1]])
            rows.append(row)
    return _joined(rows, centres, levels, sizes)


def _usual_slope(centres: Floats, sizes: Floats) -> float:
    """The slope of most lines from a card to its nearest neighbour on the right."""
    slopes = []
    for i, centre in enumerate(centres):
        offset = centres - centre
        right = (offset[:, 0] > 0.3 * sizes[i, 0]) & (np.abs(offset[:, 1]) < MAX_SLOPE * offset[:, 0])
        if right.any():
            nearest = np.flatnonzero(right)[np.hypot(*offset[right].T).argmin()]
            slopes.append(float(offset[nearest, 1] / offset[nearest, 0]))
    return float(np.median(slopes)) if slopes else 0.0


def _joined(rows: Sequence[list[int]], centres: Floats, levels: Floats, sizes: Floats) -> list[list[int]]:
    """Rows with a gap in them put together again, sorted from the top."""
    rest = sorted(rows, key=lambda row: float(np.mean(levels[row])))
    joined: list[list[int]] = []
    for row in rest:
        for other in joined:
            apart = abs(float(np.mean(levels[row]) - np.mean(levels[other])))
            beside = centres[row[0], 0] > centres[other[-1], 0] or centres[row[-1], 0] < centres[other[0], 0]
            if beside and apart < HALF * float(np.mean(sizes[other, 1])):
                other[:] = sorted([*other, *row], key=lambda n: float(centres[n, 0]))
                break
        else:
            joined.append(list(row))
    return sorted(joined, key=lambda row: float(np.mean(levels[row])))
