"""The detector: finds every printed index of a picture and predicts the outline of its card."""

from __future__ import annotations

from typing import Any, Protocol

import cv2
import numpy as np

from vision.arrays import Floats, floats
from vision.crops.pyramid import resized
from vision.detect.detections import Detections
from vision.detect.yolo_head import HEAD, decode_head
from vision.values import Pixels

STRIDE = 32
"""The sides of the network's input must be multiples of this."""
MIN_SCORE = 0.006
"""Less confident detections are dropped, even as hints."""
MAX_OVERLAP = 0.55
"""Two boxes whose intersection over union exceeds this are one index; the more confident one is kept."""
PADDING_GREY = 114
"""Grey value outside the picture, as in training."""


class Detector(Protocol):
    """Any engine that runs the detector's network."""

    def detect(self, pixels: Pixels, scale: float) -> Detections:
        """Detects indices in ``pixels`` (height, width, 3) BGR, resized by ``scale`` for the network.

        The detections are in the pixels given.
        """
        ...


def letterbox(pixels: Pixels, scale: float) -> Pixels:
    """The picture resized by ``scale``, padded with grey on the right and below to multiples of STRIDE."""
    height, width = max(round(pixels.shape[0] * scale), 1), max(round(pixels.shape[1] * scale), 1)
    if (height, width) != pixels.shape[:2]:
        pixels = resized(pixels, width, height)
    padded_shape = (-(-height // STRIDE) * STRIDE, -(-width // STRIDE) * STRIDE, 3)
    canvas = np.full(padded_shape, PADDING_GREY, np.uint8)
    canvas[:height, :width] = pixels
    return canvas


def frame_per_letterbox(pixels: Pixels, scale: float) -> Floats:
    """Frame pixels per pixel of the ``letterbox`` picture, across and down, (2,)."""
    height, width = pixels.shape[:2]
    return floats([side / max(round(side * scale), 1) for side in (width, height)])


def non_maximum_suppression(boxes: Floats, scores: Floats) -> list[int]:
    """Indices of the boxes (n, 4) x0 y0 x1 y1 that no more confident box overlaps, most confident first."""
    if not len(boxes):
        return []
    sized = np.concatenate([boxes[:, :2], boxes[:, 2:] - boxes[:, :2]], 1)
    return [int(i) for i in cv2.dnn.NMSBoxes(sized.tolist(), scores.tolist(), MIN_SCORE, MAX_OVERLAP)]


class OnnxDetector:
    """The detector on ONNX Runtime."""

    def __init__(self, session: Any) -> None:
        """
        Args:
            session: an onnxruntime.InferenceSession of an exported YOLO pose network with one class, four
                two-dimensional keypoints and the outputs ``yolo_head.HEAD``.
        """
        self._session = session
        self._input_name = session.get_inputs()[0].name

    def detect(self, pixels: Pixels, scale: float) -> Detections:
        boxed = letterbox(pixels, scale)
        network_input = np.ascontiguousarray(boxed[None, :, :, ::-1].transpose(0, 3, 1, 2), np.float32)
        maps = self._session.run(HEAD, {self._input_name: network_input / np.float32(255)})
        rows = decode_head(maps, boxed.shape[1], MIN_SCORE)
        half_size = rows[:, 2:4] / 2
        boxes = np.concatenate([rows[:, :2] - half_size, rows[:, :2] + half_size], 1)
        kept = non_maximum_suppression(boxes, rows[:, 4])
        rows, boxes = rows[kept], boxes[kept]
        factor = frame_per_letterbox(pixels, scale)
        return Detections(boxes * np.tile(factor, 2), rows[:, 4], rows[:, 5:13].reshape(-1, 4, 2) * factor)
