"""Outlines aligned to the plane of the table: all its cards have one size."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.scenes.camera import sample_camera
from vision.arrays import floats
from vision.detect.detections import Detections
from vision.geometry import UNIT
from vision.recognise.plane_fit import MIN_OUTLINES, align_to_plane, fit_plane, fit_to_plane

RATIO = 1.4


def projected(matrix: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points (..., 2) in millimetres on the table as the camera sees them."""
    onto = np.concatenate([points, np.ones((*points.shape[:-1], 1))], -1) @ matrix.T
    return np.asarray(onto[..., :2] / onto[..., 2:])


def cards(rng: np.random.Generator, tilt: float, count: int, turned: bool = True) -> NDArray[np.float64]:
    """Outlines (n, 4, 2) of cards 63 mm wide, at random on a table seen at a tilt of up to ``tilt``."""
    matrix = sample_camera(rng, 1600, 1200, 120.0, tilt).table
    angles = rng.uniform(0, 2 * np.pi, count) if turned else rng.normal(0, 0.05, count)
    turns = np.stack([np.stack([np.cos(angles), -np.sin(angles)], 1), np.stack([np.sin(angles), np.cos(angles)], 1)], 1)
    places = rng.uniform([-300, -200], [300, 200], (count, 2))
    return projected(matrix, np.asarray(np.einsum("nij,kj->nki", turns, UNIT * [63, 63 * RATIO]) + places[:, None]))


def widths(quads: NDArray[np.floating]) -> NDArray[np.float64]:
    return np.asarray(np.hypot(*(quads[:, 1] - quads[:, 0]).T), np.float64)


def predicted(rng: np.random.Generator, true: NDArray[np.float64]) -> NDArray[np.float64]:
    """Outlines exact at their first corner, worse beside it, worst at the far one."""
    off = rng.normal(0, 1, true.shape) * np.array([0.01, 0.1, 0.2, 0.1])[None, :, None]
    return np.asarray(true + off * widths(true)[:, None, None])


def errors(quads: NDArray[np.floating], true: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far each corner is off, (n, 4), in card widths."""
    return np.asarray(np.hypot(*np.moveaxis(quads - true, -1, 0)) / widths(true)[:, None], np.float64)


def detections(quads: NDArray[np.floating], score: float = 0.8) -> Detections:
    """Detections with these outlines, their indices at the first corner."""
    corner = quads[:, 0] + 0.09 * (quads[:, 1] - quads[:, 0]) + 0.14 * (quads[:, 3] - quads[:, 0])
    size = widths(quads)[:, None] * 0.1
    boxes = np.concatenate([corner - size, corner + size], 1)
    return Detections(floats(boxes), np.full(len(quads), score, np.float32), floats(quads))


@pytest.mark.parametrize("tilt", [0.0, 0.5, 0.8])
@pytest.mark.parametrize("turned", [True, False])
def test_exact_outlines_stay_where_they_are(tilt: float, turned: bool) -> None:
    rng = np.random.default_rng(3)
    true = cards(rng, tilt, 20, turned)
    plane = fit_plane(floats(true), np.ones(20))
    assert plane is not None
    assert errors(fit_to_plane(plane, floats(true), np.zeros(20, bool)), true).max() < 0.04
    assert plane.to_picture(plane.to_table(true)) == pytest.approx(true, abs=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_far_corners_are_more_exact_from_all_cards_together(seed: int) -> None:
    rng = np.random.default_rng(seed)
    true = cards(rng, 0.7, 30)
    guess = predicted(rng, true)
    before, after = errors(guess, true), errors(align_to_plane(detections(guess), np.full(30, 0.8)).quads, true)
    assert after[:, 2].mean() < 0.7 * before[:, 2].mean()
    assert after[:, 0].mean() < before[:, 0].mean() + 0.02


def test_outlines_that_are_no_cards_do_not_disturb_the_others() -> None:
    rng = np.random.default_rng(8)
    true = cards(rng, 0.5, 24)
    strange = true[:6] @ np.diag([2.0, 0.5]) + 40
    both = np.concatenate([true, strange])
    after = align_to_plane(detections(both), np.full(30, 0.8)).quads
    assert np.median(errors(after[:24], true)) < 0.03


def test_an_index_in_the_right_hand_corner_keeps_that_corner() -> None:
    rng = np.random.default_rng(5)
    true = cards(rng, 0.4, 20)
    guess = predicted(rng, true[:, [1, 0, 3, 2]])[:, [1, 0, 3, 2]]  # the second corner is the one known
    plane = fit_plane(floats(guess), np.ones(20))
    assert plane is not None
    assert errors(fit_to_plane(plane, floats(guess), np.ones(20, bool)), true)[:, 1].mean() < 0.03


def test_few_or_unreliable_detections_do_not_determine_the_plane() -> None:
    rng = np.random.default_rng(4)
    few = detections(predicted(rng, cards(rng, 0.3, MIN_OUTLINES - 1)))
    assert align_to_plane(few, few.scores) is few
    many = detections(predicted(rng, cards(rng, 0.3, 20)), score=0.05)
    assert align_to_plane(many, many.scores) is many
    nothing = Detections.empty()
    assert align_to_plane(nothing, nothing.scores) is nothing
