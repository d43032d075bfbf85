"""How one picture of a table lies in another."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.webui.helpers.drawn import NORTH_TABLE, photo
from vision.images.decode import decode_photo
from vision.live.same_plane import plane_between
from vision.values import Pixels


@pytest.fixture(scope="module")
def table() -> Pixels:
    return decode_photo(photo(NORTH_TABLE), "table").pixels


@pytest.mark.parametrize("angle", [0, 35, 90, 180])
def test_a_turned_zoomed_and_slanted_picture_is_found(table: Pixels, angle: float) -> None:
    height, width = table.shape[:2]
    turn = np.vstack([cv2.getRotationMatrix2D((width / 2, height / 2), angle, 0.6), [3e-5, -2e-5, 1]])
    seen = np.asarray(cv2.warpPerspective(table, turn, (width, height), borderValue=(70, 80, 90)), np.uint8)
    seen = np.clip(seen * 0.8 + 5, 0, 255).astype(np.uint8)
    found = plane_between(seen, table)
    assert found is not None
    corners = np.array([[[100, 100], [1500, 100], [1500, 900], [100, 900]]], np.float64)
    assert np.abs(cv2.perspectiveTransform(corners, found @ turn) - corners).max() < 0.002 * width


def test_another_picture_is_none_of_it(table: Pixels) -> None:
    for other in (np.full((720, 960, 3), 90), np.random.default_rng(1).integers(0, 255, (720, 960, 3))):
        assert plane_between(other.astype(np.uint8), table) is None
    assert plane_between(np.asarray(table[:, ::-1], np.uint8), table) is None, "nothing is mirrored"
