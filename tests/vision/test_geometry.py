"""The geometry of outlines."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import floats
from vision.geometry import (
    UNIT,
    apply_homography,
    corner_region,
    outline_homographies,
    overlap_share,
    plausible,
    position_on_card,
)


def test_position_on_a_card() -> None:
    quad = floats([[10, 10], [110, 10], [110, 150], [10, 150]])
    assert position_on_card(quad, floats([60, 80])) == pytest.approx((0.5, 0.5), abs=1e-4)


def test_many_cards_at_once_give_the_same_as_each_alone() -> None:
    rng = np.random.default_rng(4)
    quads = floats(UNIT * floats([100, 140]) + rng.normal(0, 12, (6, 4, 2)) + rng.uniform(0, 400, (6, 1, 2)))
    onto = outline_homographies(quads)
    for one, quad in zip(onto, quads, strict=True):
        assert one == pytest.approx(cv2.getPerspectiveTransform(UNIT, quad), abs=1e-3)
    assert apply_homography(onto, UNIT) == pytest.approx(quads, abs=1e-3)
    points = floats(quads.mean(1))
    rights = np.arange(6) % 2 == 0
    for n in range(6):
        assert position_on_card(quads, points)[n] == pytest.approx(position_on_card(quads[n], points[n]), abs=1e-5)
        alone = corner_region(quads[n], bool(rights[n]), (0.2, 0.3))
        assert corner_region(quads, rights, (0.2, 0.3))[n] == pytest.approx(alone, abs=1e-3)


def test_an_outline_without_area_gives_finite_numbers() -> None:
    line = floats([[[0, 0], [10, 0], [20, 0], [30, 0]], [[5, 5]] * 4])
    assert np.isfinite(outline_homographies(line)).all()
    assert np.isfinite(position_on_card(line, line[:, 0])).all()


def test_mirrored_crossed_and_tiny_outlines_are_implausible() -> None:
    quad = floats([[0, 0], [100, 0], [100, 140], [0, 140]])
    quads = np.stack([quad, quad[::-1], quad[[0, 2, 1, 3]], quad * 0.02])
    assert plausible(quads).tolist() == [True, False, False, False]
    assert plausible(quads[:0]).tolist() == []


def test_overlap_is_a_share_of_the_smaller_outline() -> None:
    quad = floats([[0, 0], [100, 0], [100, 140], [0, 140]])
    assert overlap_share(quad, quad + floats([50, 0])) == pytest.approx(0.5, abs=0.01)
    assert overlap_share(quad, quad + floats([500, 0])) == 0
