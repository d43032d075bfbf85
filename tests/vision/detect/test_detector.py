"""From the detector's raw output to detections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from vision.arrays import floats
from vision.detect.detector import STRIDE, OnnxDetector, letterbox, non_maximum_suppression
from vision.detect.vocabulary import STANDARD_VOCABULARY
from vision.detect.yolo_head import BOX_STEPS, HEAD, LEVELS, decode_head
from vision.engines.kinds.onnx import onnx_session
from vision.engines.weights import weights_path
from vision.images.decode import load_photo, photos_in
from webui.settings import SAMPLES

DEPTHS = (*(4 * BOX_STEPS,) * LEVELS, *(1,) * LEVELS, *(8,) * LEVELS)


class OneIndex:
    """A network that always reports one index, in two neighbouring cells of 8 pixels, and one below MIN_SCORE."""

    def get_inputs(self) -> list[Any]:
        class Input:
            name = "images"

        return [Input()]

    def run(self, names: Sequence[str], inputs: dict[str, Any]) -> list[Any]:
        self.network_input = inputs["images"]
        assert tuple(names) == HEAD
        down, across = (side // 8 for side in self.network_input.shape[2:])
        maps = {name: np.zeros((1, depth, down, across), np.float32) for name, depth in zip(HEAD, DEPTHS, strict=True)}
        for level in range(LEVELS):
            maps[f"scores{level}"] -= 9
        for x, score in ((6, 0.9), (5, 0.8), (20, 0.001)):
            maps["scores0"][0, 0, 7, x] = np.log(score / (1 - score))
            # distances of the sides from the centre of the cell, each distributed over two bins
            sides = np.array([x + 0.5 - 5, 7.5 - 5, 7.5 - x - 0.5, 10 - 7.5])
            near = 1 - np.abs(sides[:, None] - np.arange(BOX_STEPS)).clip(0, 1)
            maps["boxes0"][0, :, 7, x] = np.log(near.ravel() + 1e-12)
            corners = np.array([[40, 40], [140, 40], [140, 180], [40, 180]]) / 8
            maps["corners0"][0, :, 7, x] = ((corners - (x, 7)) / 2).ravel()
        return [maps[name] for name in HEAD]


def test_decoding_agrees_with_the_networks_own() -> None:
    session = onnx_session(weights_path("detector.onnx"))
    boxed = letterbox(load_photo(photos_in(SAMPLES)[1]).pixels, 0.4)
    pictures = np.ascontiguousarray(boxed[None, :, :, ::-1].transpose(0, 3, 1, 2), np.float32) / 255
    (own,) = session.run(["output0"], {"images": pictures})
    strong = own[0].T[own[0][4] >= 0.04]
    decoded = decode_head(session.run(HEAD, {"images": pictures}), boxed.shape[1], 0.04)
    assert len(decoded) == len(strong) > 20
    assert decoded[:, 4] == pytest.approx(strong[:, 4], abs=1e-5)
    assert decoded == pytest.approx(strong, abs=0.01)


def test_a_picture_is_padded_to_the_networks_stride() -> None:
    boxed = letterbox(np.full((100, 70, 3), 9, np.uint8), 1.0)
    assert boxed.shape == (128, 96, 3)
    assert (boxed[:100, :70] == 9).all()
    assert all(side % STRIDE == 0 for side in letterbox(np.zeros((333, 777, 3), np.uint8), 0.37).shape[:2])


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_detections_are_in_frame_pixels(scale: float) -> None:
    network = OneIndex()
    pixels = np.zeros((400, 600, 3), np.uint8)
    pixels[..., 0] = 255
    detections = OnnxDetector(network).detect(pixels, scale)
    assert len(detections) == 1
    assert detections.boxes[0] == pytest.approx(np.array([40, 40, 60, 80]) / scale)
    assert detections.quads[0][2] == pytest.approx(np.array([140, 180]) / scale)
    assert detections.card_widths()[0] == pytest.approx(100 / scale)
    assert network.network_input[0, 2, 0, 0] == 1.0  # blue is the last channel of an RGB picture
    assert network.network_input[0, 0, 0, 0] == 0.0


def test_of_two_boxes_that_nearly_coincide_the_more_confident_stays() -> None:
    boxes = floats([[0, 0, 20, 40], [1, 0, 21, 40], [18, 0, 38, 40]])
    assert non_maximum_suppression(boxes, floats([0.5, 0.8, 0.4])) == [1, 2]
    assert non_maximum_suppression(floats([]).reshape(0, 4), floats([])) == []


def test_face_scores_are_over_all_faces_and_sum_to_one() -> None:
    ranks = np.full(14, 0.02, np.float32)
    ranks[7] = 1 - 13 * 0.02
    both = STANDARD_VOCABULARY.face_scores(
        np.stack([ranks, ranks]), floats([[0.7, 0.1, 0.1, 0.1], [0.1, 0.1, 0.1, 0.7]])
    )
    assert [str(scores[0][0]) for scores in both] == ["8C", "8S"]
    scores = both[0]
    assert len(scores) == 53
    assert sum(share for _, share in scores) == pytest.approx(1, abs=1e-5)
