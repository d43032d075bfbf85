"""The outline refiner: corrects the outline of each card by itself.

The detector sees the whole table and guesses where the far corners of a card lie. Shown one card, upright and at a
fixed size, a small network sees how far that guess is off, and whether the index stands in the left or right corner.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from vision.arrays import Floats, floats
from vision.crops.batching import SERIAL, Workers
from vision.crops.card_window import apply_shifts, crop_windows
from vision.crops.pyramid import as_input
from vision.detect.detections import WINDOW_EMBEDDING, Detections, RefinedDetections
from vision.geometry import card_beside, plausible
from vision.recognise.plane_fit import align_to_plane
from vision.values import Pixels

INPUT, OUTPUTS = "windows", ("shift", "right", "real", "seen")
"""Names baked into the weights: corner shifts, the log odds of the right corner and of an index, the embedding."""
BATCH = 16
PASSES = 2
REFINE_AGAIN_SHIFT = 0.1
"""In card widths and heights: outlines with a corner moved further than this are refined once more, because the window
then shows the card better."""
MIN_P_INDEX = 0.05
"""Detections less probable than this after the first pass get no second one: they are hardly ever indices."""


class OnnxOutlineRefiner:
    """The outline refiner on ONNX Runtime."""

    EMBEDDING = WINDOW_EMBEDDING
    """Size of its embedding."""
    AGAIN_SHIFT = REFINE_AGAIN_SHIFT
    """Outlines with a corner moved further than this are refined once more."""

    def __init__(self, session: Any, workers: Workers = SERIAL) -> None:
        """
        Args:
            session: an onnxruntime.InferenceSession with INPUT (n, 3, size, size) RGB 0..1 and OUTPUTS (n, 8), (n, 1),
                (n, 1), (n, WINDOW_EMBEDDING); the second and third before the logistic function.
            workers: run it on several batches at once.
        """
        self._session, self._workers = session, workers

    def refine(
        self, levels: list[Pixels], detections: Detections, min_p_index: float = MIN_P_INDEX
    ) -> RefinedDetections:
        """Refines the outlines of ``detections`` in the picture of a ``pyramid.pyramid``, in up to PASSES passes.

        Before and after, outlines are aligned to the plane of the table. Detections less probable than
        ``min_p_index`` after the first pass get no second one; outlines that cannot be a card stay as they are, with a
        ``p_index`` of 0.
        """
        detections = align_to_plane(detections, detections.scores)
        count, quads = len(detections), detections.quads.copy()
        p_index, right_logit = np.zeros((2, count), np.float32)
        embedding = np.zeros((count, self.EMBEDDING), np.float32)
        todo = np.flatnonzero(plausible(quads))
        # the network expects the index in the left corner
        as_left = np.where(detections.index_on_right_by_box()[:, None, None], card_beside(quads), quads)
        for number in range(PASSES):
            if not len(todo):
                break
            shifts, right_logit[todo], p_index[todo], seen = self._run(levels, as_left[todo])
            embedding[todo] = self._joined(embedding[todo], seen, number)
            shifted = apply_shifts(as_left[todo], shifts)
            quads[todo] = np.where((right_logit[todo] > 0)[:, None, None], card_beside(shifted, back=True), shifted)
            again = (
                (np.abs(shifts).max((1, 2)) > self.AGAIN_SHIFT) & (p_index[todo] >= min_p_index) & plausible(shifted)
            )
            as_left[todo] = shifted
            todo = todo[again]
        refined = RefinedDetections.extend(
            detections, quads=quads, p_index=p_index, right_logit=right_logit, embedding=embedding
        )
        return align_to_plane(refined, refined.scores * p_index)

    def _joined(self, before: Floats, seen: Floats, number: int) -> Floats:
        """The embeddings after pass ``number``, from those of the passes ``before`` and of this one: the latter."""
        return seen

    def _run(self, levels: list[Pixels], quads: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Runs the network on cards ``quads`` (n, 4, 2), at least one, with their index in the left corner.

        Returns shifts (n, 4, 2), the log odds that the index stands on the right (n,), the probability of an index (n,)
        and the embedding (n, EMBEDDING).
        """

        def run_batch(rows: slice) -> Any:
            return self._outputs(levels, quads[rows])

        batches = self._workers.map_batches(run_batch, len(quads), BATCH)
        shifts, right, index, embedding = (floats(np.concatenate(part)) for part in zip(*batches, strict=True))
        return shifts.reshape(-1, 4, 2), right[:, 0], floats(1 / (1 + np.exp(-index[:, 0]))), embedding

    def _outputs(self, levels: list[Pixels], quads: Floats) -> Any:
        """The network's OUTPUTS for cards ``quads`` (n, 4, 2)."""
        return self._session.run(OUTPUTS, {INPUT: as_input(crop_windows(levels, quads))})
