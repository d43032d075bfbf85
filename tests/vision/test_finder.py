"""What the finder's raw output becomes, and at which scale a picture is looked at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vision.finder import STRIDE, Found, OnnxFinder, fit, keep_best
from vision.geometry import floats
from vision.namer import face_scores


class OneIndex:
    """A network that sees one index at the same place of the fitted picture, whatever it is given."""

    def get_inputs(self) -> list[Any]:
        class Input:
            name = "images"

        return [Input()]

    def run(self, names: None, given: dict[str, np.ndarray[Any, Any]]) -> list[Any]:
        self.given = given["images"]
        row = [50, 60, 20, 40, 0.9, 40, 40, 140, 40, 140, 180, 40, 180]
        weak = [300, 300, 20, 40, 0.01, *row[5:]]
        return [floats([row, row, weak]).T[None]]


def test_a_picture_is_fitted_to_the_networks_stride() -> None:
    fitted = fit(np.full((100, 70, 3), 9, np.uint8), 1.0)
    assert fitted.shape == (128, 96, 3)
    assert (fitted[:100, :70] == 9).all()
    assert all(side % STRIDE == 0 for side in fit(np.zeros((333, 777, 3), np.uint8), 0.37).shape[:2])


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_finds_come_back_in_frame_pixels(scale: float) -> None:
    network = OneIndex()
    pixels = np.zeros((400, 600, 3), np.uint8)
    pixels[..., 0] = 255
    found = OnnxFinder(network).find(pixels, scale)
    assert len(found) == 1
    assert found.boxes[0] == pytest.approx(np.array([40, 40, 60, 80]) / scale)
    assert found.quads[0][2] == pytest.approx(np.array([140, 180]) / scale)
    assert found.widths()[0] == pytest.approx(100 / scale)
    assert network.given[0, 2, 0, 0] == 1.0  # blue is the last channel of an RGB picture
    assert network.given[0, 0, 0, 0] == 0.0


def test_of_two_boxes_that_all_but_coincide_the_surer_stays() -> None:
    boxes = floats([[0, 0, 20, 40], [1, 0, 21, 40], [18, 0, 38, 40]])
    assert keep_best(boxes, floats([0.5, 0.8, 0.4])) == [1, 2]
    assert keep_best(floats([]).reshape(0, 4), floats([])) == []


def test_the_right_hand_corner_is_known_by_where_the_box_lies() -> None:
    quad = floats([[0, 0], [100, 0], [100, 140], [0, 140]])
    found = Found(floats([[2, 2, 20, 40], [80, 2, 98, 40]]), floats([0.9, 0.9]), np.stack([quad, quad]))
    assert found.rights().tolist() == [False, True]


def test_face_scores_are_over_all_faces_and_sum_to_one() -> None:
    ranks = np.full(14, 0.02, np.float32)
    ranks[7] = 1 - 13 * 0.02
    scores = face_scores(ranks, floats([0.7, 0.1, 0.1, 0.1]))
    assert len(scores) == 53
    assert str(scores[0][0]) == "8C"
    assert sum(share for _, share in scores) == pytest.approx(1, abs=1e-5)
