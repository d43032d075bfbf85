"""What the finder's raw output becomes, and at which scale a picture is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from vision.arrays import floats
from vision.cards.build import face_scores
from vision.detect.detector import (
    FEW,
    KEEP,
    KEEP_OF_FEW,
    STRIDE,
    Detections,
    OnnxDetector,
    letterbox,
    non_maximum_suppression,
)
from vision.detect.yolo_head import BOX_STEPS, HEAD, LEVELS, decode_head
from vision.engines.load import onnx_session
from vision.engines.weights import weights_path
from vision.images.decode import load_photo, photos_in
from webui.settings import SAMPLES

DEPTHS = (*(4 * BOX_STEPS,) * LEVELS, *(1,) * LEVELS, *(8,) * LEVELS)


class OneIndex:
    """A network that sees one index at the same place of the fitted picture, whatever it is given: in two neighbouring
    cells of 8 pixels, and another one, less surely than counts."""

    def get_inputs(self) -> list[Any]:
        class Input:
            name = "images"

        return [Input()]

    def run(self, names: Sequence[str], given: dict[str, Any]) -> list[Any]:
        self.given = given["images"]
        assert tuple(names) == HEAD
        down, across = (side // 8 for side in self.given.shape[2:])
        maps = {name: np.zeros((1, depth, down, across), np.float32) for name, depth in zip(HEAD, DEPTHS, strict=True)}
        for level in range(LEVELS):
            maps[f"scores{level}"] -= 9
        for x, score in ((6, 0.9), (5, 0.8), (20, 0.001)):
            maps["scores0"][0, 0, 7, x] = np.log(score / (1 - score))
            # how far the sides are from the middle of the cell, each spread over two whole numbers
            sides = np.array([x + 0.5 - 5, 7.5 - 5, 7.5 - x - 0.5, 10 - 7.5])
            near = 1 - np.abs(sides[:, None] - np.arange(BOX_STEPS)).clip(0, 1)
            maps["boxes0"][0, :, 7, x] = np.log(near.ravel() + 1e-12)
            corners = np.array([[40, 40], [140, 40], [140, 180], [40, 180]]) / 8
            maps["corners0"][0, :, 7, x] = ((corners - (x, 7)) / 2).ravel()
        return [maps[name] for name in HEAD]


def test_the_head_says_what_the_network_itself_would_make_of_it() -> None:
    session = onnx_session(weights_path("detector.onnx"))
    given = letterbox(load_photo(photos_in(SAMPLES)[1]).pixels, 0.4)
    pictures = np.ascontiguousarray(given[None, :, :, ::-1].transpose(0, 3, 1, 2), np.float32) / 255
    (own,) = session.run(["output0"], {"images": pictures})
    strong = own[0].T[own[0][4] >= KEEP]
    found = decode_head(session.run(HEAD, {"images": pictures}), given.shape[1], KEEP)
    assert len(found) == len(strong) > 20
    assert found[:, 4] == pytest.approx(strong[:, 4], abs=1e-5)
    assert found == pytest.approx(strong, abs=0.01)


def test_a_picture_is_fitted_to_the_networks_stride() -> None:
    fitted = letterbox(np.full((100, 70, 3), 9, np.uint8), 1.0)
    assert fitted.shape == (128, 96, 3)
    assert (fitted[:100, :70] == 9).all()
    assert all(side % STRIDE == 0 for side in letterbox(np.zeros((333, 777, 3), np.uint8), 0.37).shape[:2])


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_finds_come_back_in_frame_pixels(scale: float) -> None:
    network = OneIndex()
    pixels = np.zeros((400, 600, 3), np.uint8)
    pixels[..., 0] = 255
    found = OnnxDetector(network).detect(pixels, scale)
    assert len(found) == 1
    assert found.boxes[0] == pytest.approx(np.array([40, 40, 60, 80]) / scale)
    assert found.quads[0][2] == pytest.approx(np.array([140, 180]) / scale)
    assert found.card_widths()[0] == pytest.approx(100 / scale)
    assert network.given[0, 2, 0, 0] == 1.0  # blue is the last channel of an RGB picture
    assert network.given[0, 0, 0, 0] == 0.0


def test_the_surest_finds_may_be_fainter_than_the_others() -> None:
    scores = floats([*[0.03] * (FEW + 5), 0.5, 0.01, *[0.05] * 10])
    rest = [np.zeros((len(scores), *size), np.float32) for size in ((4,), (4, 2))]
    kept, faint = Detections(rest[0], scores, rest[1]).split_by_confidence()
    assert len(kept) == FEW and kept.scores[0] == 0.5
    assert (kept.scores >= KEEP).sum() == 11 and (kept.scores >= KEEP_OF_FEW).all()
    assert len(faint) == len(scores) - FEW and faint.scores.min() < KEEP_OF_FEW
    many = Detections(np.zeros((200, 4), np.float32), floats([0.05] * 200), np.zeros((200, 4, 2), np.float32))
    assert [len(part) for part in many.split_by_confidence()] == [200, 0]


def test_of_two_boxes_that_all_but_coincide_the_surer_stays() -> None:
    boxes = floats([[0, 0, 20, 40], [1, 0, 21, 40], [18, 0, 38, 40]])
    assert non_maximum_suppression(boxes, floats([0.5, 0.8, 0.4])) == [1, 2]
    assert non_maximum_suppression(floats([]).reshape(0, 4), floats([])) == []


def test_the_right_hand_corner_is_known_by_where_the_box_lies() -> None:
    quad = floats([[0, 0], [100, 0], [100, 140], [0, 140]])
    found = Detections(floats([[2, 2, 20, 40], [80, 2, 98, 40]]), floats([0.9, 0.9]), np.stack([quad, quad]))
    assert found.index_on_right_by_box().tolist() == [False, True]


def test_face_scores_are_over_all_faces_and_sum_to_one() -> None:
    ranks = np.full(14, 0.02, np.float32)
    ranks[7] = 1 - 13 * 0.02
    both = face_scores(np.stack([ranks, ranks]), floats([[0.7, 0.1, 0.1, 0.1], [0.1, 0.1, 0.1, 0.7]]))
    assert [str(scores[0][0]) for scores in both] == ["8C", "8S"]
    scores = both[0]
    assert len(scores) == 53
    assert sum(share for _, share in scores) == pytest.approx(1, abs=1e-5)
