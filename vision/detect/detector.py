"""Finding every printed index in a picture, and the outline of the card each belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Flags, Floats, floats
from vision.crops.pyramid import resized
from vision.detect.yolo_head import HEAD, found_by
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
class Found:
    """Index corners in frame pixels: ``boxes`` (n, 4) x0 y0 x1 y1, ``scores`` (n,) 0..1, ``quads`` (n, 4, 2) the
    corners of each index's card from the top left as the index is read, clockwise."""

    boxes: Floats
    scores: Floats
    quads: Floats

    @classmethod
    def nothing(cls) -> Found:
        return cls(np.zeros((0, 4), np.float32), np.zeros(0, np.float32), np.zeros((0, 4, 2), np.float32))

    def __len__(self) -> int:
        return len(self.scores)

    def some(self, which: Flags | NDArray[np.integer]) -> Found:
        """Those finds ``which`` is true of (n,), or whose places it names (k,)."""
        return Found(self.boxes[which], self.scores[which], self.quads[which])

    def parted(self) -> tuple[Found, Found]:
        """The finds that are more than a hint, surest first, and those that are no more."""
        order = np.argsort(-self.scores, kind="stable")
        kept = self.scores[order] >= np.where(np.arange(len(order)) < FEW, KEEP_OF_FEW, KEEP)
        return self.some(order[kept]), self.some(order[~kept])

    def widths(self) -> Floats:
        """Width of each predicted card in pixels, the mean of its two short sides, (n,)."""
        return card_widths(self.quads)

    def settled(self) -> Found:
        """The same finds with each outline moved and sized so that its index lies where the box says.

        A box is small and lies on what is seen, so it is far more exact than the far corners of the outline.
        """
        quads, fine = self.quads.copy(), sane(self.quads)
        region = corner_region(quads[fine], self.rights()[fine], BOX_SHARE)
        low, high = region.min(1), region.max(1)
        size = self.boxes[fine, 2:] - self.boxes[fine, :2]
        grow = np.sqrt(size.prod(1) / np.maximum((high - low).prod(1), 1.0)).clip(*MOST_RESIZED)
        about, middle = ((low + high) / 2)[:, None], self.middles()[fine, None]
        quads[fine] = (quads[fine] - about) * grow[:, None, None] + middle
        return Found(self.boxes, self.scores, quads)

    def middles(self) -> Floats:
        """Where the boxes have their middles, (n, 2) pixels."""
        return floats((self.boxes[:, :2] + self.boxes[:, 2:]) / 2)

    def rights(self) -> Flags:
        """Which indices stand in the top right corner of their card as it is read (decks with four indices), (n,);
        none whose outline can be no card."""
        fine = sane(self.quads)
        fine[fine] = place_on(self.quads[fine], self.middles()[fine])[:, 0] > 0.5
        return fine


class Finder(Protocol):
    """Any engine that runs the finder's network."""

    def find(self, pixels: Pixels, scale: float) -> Found:
        """Finds index corners in ``pixels`` (height, width, 3) BGR, looked at ``scale`` times its size."""
        ...


def fit(pixels: Pixels, scale: float) -> Pixels:
    """The picture at ``scale``, filled with grey on the right and below to multiples of STRIDE."""
    height, width = max(round(pixels.shape[0] * scale), 1), max(round(pixels.shape[1] * scale), 1)
    if (height, width) != pixels.shape[:2]:
        pixels = resized(pixels, width, height)
    canvas = np.full((-(-height // STRIDE) * STRIDE, -(-width // STRIDE) * STRIDE, 3), 114, np.uint8)
    canvas[:height, :width] = pixels
    return canvas


def keep_best(boxes: Floats, scores: Floats) -> list[int]:
    """Places of the boxes (n, 4) x0 y0 x1 y1 that survive non-maximum suppression, surest first."""
    if not len(boxes):
        return []
    sized = np.concatenate([boxes[:, :2], boxes[:, 2:] - boxes[:, :2]], 1)
    return [int(i) for i in cv2.dnn.NMSBoxes(sized.tolist(), scores.tolist(), FAINT, OVERLAP)]


class OnnxFinder:
    """The finder on ONNX Runtime."""

    def __init__(self, session: Any) -> None:
        """``session`` is an onnxruntime.InferenceSession of an exported YOLO pose network with one class and four
        two-dimensional keypoints, and with the outputs of its ``head.HEAD``."""
        self._session = session
        self._name = session.get_inputs()[0].name

    def find(self, pixels: Pixels, scale: float) -> Found:
        fitted = fit(pixels, scale)
        given = np.ascontiguousarray(fitted[None, :, :, ::-1].transpose(0, 3, 1, 2), np.float32) / np.float32(255)
        maps = self._session.run(HEAD, {self._name: given})
        rows = found_by(maps, fitted.shape[1], FAINT)
        half = rows[:, 2:4] / 2
        boxes = np.concatenate([rows[:, :2] - half, rows[:, :2] + half], 1)
        best = keep_best(boxes, rows[:, 4])
        rows, boxes = rows[best], boxes[best]
        factor = floats([fitted_to_frame(pixels.shape[1], scale), fitted_to_frame(pixels.shape[0], scale)])
        return Found(boxes * np.tile(factor, 2), rows[:, 4], rows[:, 5:13].reshape(-1, 4, 2) * factor)


def fitted_to_frame(length: int, scale: float) -> float:
    """What one pixel of the fitted picture measures in the frame, along a side of ``length`` pixels."""
    return length / max(round(length * scale), 1)
