"""Reading order holds in slanted rows, in perspective, with ragged ends and gaps."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import Floats, floats
from vision.teach.rows import reading_order

CARD = floats([[0, 0], [63, 0], [63, 88], [0, 88]])


def laid(rows: list[list[float]], slant: float = 0.0) -> Floats:
    """Outlines of cards at these distances from the left, in widths with a gap, row by row."""
    return floats([CARD + floats([72 * x, 98 * n + slant * 72 * x]) for n, row in enumerate(rows) for x in row])


@pytest.mark.parametrize("slant", [-0.25, 0.0, 0.15, 0.3])
def test_slanted_rows(slant: float) -> None:
    rows = [[0.0, 1, 2, 3, 4, 5], [0.0, 1, 2, 3, 4, 5], [0.0, 1, 2]]
    assert reading_order(laid(rows, slant)) == [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11], [12, 13, 14]]


def test_rows_in_perspective() -> None:
    quads = laid([[0.0, 1, 2, 3, 4, 5, 6], [0.3, 1.3, 2.3, 3.3, 4.3, 5.3], [0.0, 1, 2, 3]])
    onto = cv2.getPerspectiveTransform(
        floats([[0, 0], [500, 0], [500, 300], [0, 300]]), floats([[180, 40], [560, 90], [700, 380], [20, 330]])
    )
    seen = floats(cv2.perspectiveTransform(quads.reshape(1, -1, 2), onto)).reshape(-1, 4, 2)
    assert reading_order(seen) == [list(range(7)), list(range(7, 13)), list(range(13, 17))]


def test_order_does_not_depend_on_how_cards_are_listed() -> None:
    quads = laid([[0.0, 1, 2, 3], [0.0, 1, 2, 3]], 0.1)
    shuffled = np.random.default_rng(1).permutation(8)
    rows = reading_order(quads[shuffled])
    assert [[int(shuffled[n]) for n in row] for row in rows] == [[0, 1, 2, 3], [4, 5, 6, 7]]


def test_a_gap_does_not_end_a_row() -> None:
    assert reading_order(laid([[0.0, 1, 5, 6], [0.0, 1, 2]])) == [[0, 1, 2, 3], [4, 5, 6]]


def test_no_cards_have_no_rows() -> None:
    assert reading_order(np.zeros((0, 4, 2), np.float32)) == []
