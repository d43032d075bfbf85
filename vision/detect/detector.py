"""Finding every printed index in a picture, and the outline of the card each belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Flags, Floats, floats
from vision.crops.pyramid import resized
from vision.detect.yolo_head import HEAD, decode_head
from vision.geometry import BOX_SHARE, card_widths, corner_region, place_on, sane
from vision.values import Pixels

STRIDE = 32
"""The network's picture sides must be multiples of this."""
FAINT = 0.006
"""Finds below this confidence are dropped."""
KEEP, KEEP_OF_FEW = 0.04, 0.02
"""Those below the first only hint at where to look; of the FEW surest those below the second do. The judge sorts out
what is left."""
FEW = 120
"""So many are looked at in little time."""
OVERLAP = 0.55
"""Of two boxes that overlap by more than this (IoU) only the surer one is kept."""
MOST_RESIZED = (0.8, 1.25)


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """Index corners in frame pixels: ``boxes`` (n, 4) x0 y0 x1 y1, ``scores`` (n,) 0..1, ``quads`` (n, 4, 2) the
    corners of each index's card from the top left as the index is read, clockwise."""

    boxes: Floats
    scores: Floats
    quads: Floats

    @classmethod
    def empty(cls) -> Detections:
        return cls(np.zeros((0, 4), np.float32), np.zeros(0, np.float32), np.zeros((0, 4, 2), np.float32))

    def __len__(self) -> int:
        return len(self.scores)

    def select(self, which: Flags | NDArray[np.integer]) -> Detections:
        """Those finds ``which`` is true of (n,), or whose places it names (k,)."""
        return Detections(self.boxes[which], self.scores[which], self.quads[which])

    def split_by_confidence(self) -> tuple[Detections, Detections]:
        """The finds that are more than a hint, surest first, and those that are no more."""
        order = np.argsort(-self.scores, kind="stable")
        kept = self.scores[order] >= np.where(np.arange(len(order)) < FEW, KEEP_OF_FEW, KEEP)
        return self.select(order[kept]), self.select(order[~kept])

    def card_widths(self) -> Floats:
        """Width of each predicted card in pixels, the mean of its two short sides, (n,)."""
        return card_widths(self.quads)

    def snapped_to_boxes(self) -> Detections:
        """The same finds with each outline moved and sized so that its index lies where the box says.

        A box is small and lies on what is seen, so it is far more exact than the far corners of the outline.
        """
        quads, fine = self.quads.copy(), sane(self.quads)
        region = corner_region(quads[fine], self.index_on_right_by_box()[fine], BOX_SHARE)
        low, high = region.min(1), region.max(1)
        size = self.boxes[fine, 2:] - self.boxes[fine, :2]
        grow = np.sqrt(size.prod(1) / np.maximum((high - low).prod(1), 1.0)).clip(*MOST_RESIZED)
        about, middle = ((low + high) / 2)[:, None], self.box_centres()[fine, None]
        quads[fine] = (quads[fine] - about) * grow[:, None, None] + middle
        return Detections(self.boxes, self.scores, quads)

    def box_centres(self) -> Floats:
        """Where the boxes have their middles, (n, 2) pixels."""
        return floats((self.boxes[:, :2] + self.boxes[:, 2:]) / 2)

    def index_on_right_by_box(self) -> Flags:
        """Which indices stand in the top right corner of their card as it is read (decks with four indices), (n,);
        none whose outline can be no card."""
        fine = sane(self.quads)
        fine[fine] = place_on(self.quads[fine], self.box_centres()[fine])[:, 0] > 0.5
        return fine


class Detector(Protocol):
    """Any engine that runs the finder's network."""

    def detect(self, pixels: Pixels, scale: float) -> Detections:
        """Finds index corners in ``pixels`` (height, width, 3) BGR, looked at ``scale`` times its size."""
        ...


def letterbox(pixels: Pixels, scale: float) -> Pixels:
    """The picture at ``scale``, filled with grey on the right and below to multiples of STRIDE."""
    height, width = max(round(pixels.shape[0] * scale), 1), max(round(pixels.shape[1] * scale), 1)
    if (height, width) != pixels.shape[:2]:
        pixels = resized(pixels, width, height)
    canvas = np.full((-(-height // STRIDE) * STRIDE, -(-width // STRIDE) * STRIDE, 3), 114, np.uint8)
    canvas[:height, :width] = pixels
    return canvas


def non_maximum_suppression(boxes: Floats, scores: Floats) -> list[int]:
    """Places of the boxes (n, 4) x0 y0 x1 y1 that survive non-maximum suppression, surest first."""
    if not len(boxes):
        return []
    sized = np.concatenate([boxes[:, :2], boxes[:, 2:] - boxes[:, :2]], 1)
    return [int(i) for i in cv2.dnn.NMSBoxes(sized.tolist(), scores.tolist(), FAINT, OVERLAP)]


class OnnxDetector:
    """The finder on ONNX Runtime."""

    def __init__(self, session: Any) -> None:
        """``session`` is an onnxruntime.InferenceSession of an exported YOLO pose network with one class and four
        two-dimensional keypoints, and with the outputs of its ``head.HEAD``."""
        self._session = session
        self._name = session.get_inputs()[0].name

    def detect(self, pixels: Pixels, scale: float) -> Detections:
        fitted = letterbox(pixels, scale)
        given = np.ascontiguousarray(fitted[None, :, :, ::-1].transpose(0, 3, 1, 2), np.float32) / np.float32(255)
        maps = self._session.run(HEAD, {self._name: given})
        rows = decode_head(maps, fitted.shape[1], FAINT)
        half = rows[:, 2:4] / 2
        boxes = np.concatenate([rows[:, :2] - half, rows[:, :2] + half], 1)
        best = non_maximum_suppression(boxes, rows[:, 4])
        rows, boxes = rows[best], boxes[best]
        factor = floats([letterbox_to_frame(pixels.shape[1], scale), letterbox_to_frame(pixels.shape[0], scale)])
        return Detections(boxes * np.tile(factor, 2), rows[:, 4], rows[:, 5:13].reshape(-1, 4, 2) * factor)


def letterbox_to_frame(length: int, scale: float) -> float:
    """What one pixel of the fitted picture measures in the frame, along a side of ``length`` pixels."""
    return length / max(round(length * scale), 1)
