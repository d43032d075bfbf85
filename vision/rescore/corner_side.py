"""The corner side classifier: in which upper corner of its card an index stands, where the refiner is not sure.

In a row of cards with indices in all four corners, only a strip of each card is visible, of its left edge or of its
right. The refiner sees a whole card, but small, and cannot always tell which. A closer view shows an edge's shadow, a
rounded corner or a pip.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, floats
from vision.crops.batching import SERIAL, Workers
from vision.crops.index_view import IndexView
from vision.crops.pyramid import as_input
from vision.detect.detections import ClassifiedDetections, ScoredDetections
from vision.geometry import card_beside
from vision.values import Pixels

CORNER_SIDE = "corner_side.onnx"
"""File name in a folder of weights."""
INPUT, OUTPUT = "views", "right"
"""Names baked into the weights."""
VIEW = IndexView(across=0.75, above=0.3, size=144)
"""The view used in training."""
BATCH = 8
UNSURE_LOGIT = 6.0
"""The side is checked where the refiner's log odds are nearer to 0 than this; beyond, the refiner is sure enough."""
REFINER_WEIGHT, CORNER_SIDE_WEIGHT = 0.25, 0.45
"""Weights of the two networks' log odds: a logistic fit to tables that neither was trained on."""
MIN_P_KEEP = 0.1
"""Detections less probable than this are not checked: no card is made of them."""


def unsure_sides(detections: ScoredDetections) -> NDArray[np.intp]:
    """Indices (m,) of the probable detections whose side the refiner is not sure of."""
    return np.flatnonzero((detections.p_keep >= MIN_P_KEEP) & (np.abs(detections.right_logit) < UNSURE_LOGIT))


class OnnxCornerSide:
    """The corner side classifier on ONNX Runtime."""

    def __init__(self, session: Any, workers: Workers = SERIAL) -> None:
        """
        Args:
            session: an onnxruntime.InferenceSession with INPUT (n, 3, size, size) RGB 0..1 and OUTPUT (n, 1), before
                the logistic function.
            workers: run it on several batches at once.
        """
        self._session, self._workers = session, workers

    def right_logits(self, levels: list[Pixels], detections: ClassifiedDetections, indices: NDArray[np.intp]) -> Floats:
        """Log odds (m,) that the detections at ``indices`` (m,) are in the right corner; ``levels`` is a pyramid."""
        quads, on_right = detections.quads[indices], detections.index_on_right[indices]

        def run_batch(rows: slice) -> Floats:
            views = VIEW.crop(levels, quads[rows], on_right[rows])
            return floats(self._session.run([OUTPUT], {INPUT: as_input(views)})[0])

        batches = self._workers.map_batches(run_batch, len(indices), BATCH)
        return floats(np.concatenate(batches)[:, 0])

    def correct_sides(self, levels: list[Pixels], detections: ScoredDetections) -> ScoredDetections:
        """``detections`` with unsure indices moved to the corner they are seen in, in the picture of a pyramid.

        The index stays where it is; the outline moves to the card beside.
        """
        indices = unsure_sides(detections)
        if not len(indices):
            return detections
        quads, on_right = detections.quads.copy(), detections.index_on_right.copy()
        logits = detections.right_logit.copy()
        seen = self.right_logits(levels, detections, indices)
        logits[indices] = REFINER_WEIGHT * logits[indices] + CORNER_SIDE_WEIGHT * seen
        for index in indices.tolist():
            right = bool(logits[index] > 0)
            if right != on_right[index]:
                quads[index], on_right[index] = card_beside(quads[index], back=right), right
        return replace(detections, quads=quads, index_on_right=on_right, right_logit=logits)
