"""The RoI head: outline, side, p_index and embedding of each detection, from two crops of it.

It knows no faces: a deck head names the embedding.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from vision.arrays import Floats, floats
from vision.crops.batching import SERIAL, Workers
from vision.crops.pyramid import as_input
from vision.crops.roi_crops import apply_shifts, crop_rois
from vision.detect.detections import ROI_EMBEDDING, Detections, RefinedDetections
from vision.geometry import card_beside, plausible
from vision.recognise.plane_fit import align_to_plane
from vision.values import Pixels

ROI_HEAD = "roi_head.onnx"
"""File name of the network before it is quantized."""
MIN_SCORE = 0.01
"""Detections with a lower score are not looked at. The head sees well enough what is no index: on 40 tables of decks
not trained on it was shown 98.3 % of the indices so, and 96.9 % with 0.02 for the first 120 and 0.04 for the rest."""
MIN_P_INDEX = 0.2
"""Detections less probable than this after a look get no further one."""
LOOKS = 3
"""Cards seen steeply need them all: of 43 photographs 41 were read exactly with three, 35 of 41 with two."""
BATCH = 16
INPUTS, OUTPUTS = ("index", "around"), ("shifts", "right", "real", "embedding")
"""Names baked into the weights."""


class OnnxRoiHead:
    """The RoI head on ONNX Runtime."""

    def __init__(self, session: Any, workers: Workers = SERIAL) -> None:
        """
        Args:
            session: an onnxruntime.InferenceSession with INPUTS (n, 3, height, width) RGB 0..1 and OUTPUTS (n, 8),
                (n, 1), (n, 1), (n, ROI_EMBEDDING); the second and third before the logistic function.
            workers: run it on several batches at once.
        """
        self._session, self._workers = session, workers

    def look(self, levels: list[Pixels], detections: Detections) -> RefinedDetections:
        """Looks at ``detections`` in the picture of a ``pyramid.pyramid``, up to LOOKS times, and corrects outlines.

        First they are aligned to the plane of the table. The embedding is the mean of the looks. Left out is what has
        a score below MIN_SCORE, and what cannot be a card.
        """
        likely = detections.select(np.flatnonzero(detections.scores >= MIN_SCORE))
        likely = align_to_plane(likely, likely.scores)
        likely = likely.select(plausible(likely.quads))
        count, quads = len(likely), likely.quads.copy()
        p_index, right_logit = np.zeros((2, count), np.float32)
        embedding = np.zeros((count, ROI_EMBEDDING), np.float32)
        todo = np.arange(count)
        # the network expects the index in the left corner
        as_left = np.where(likely.index_on_right_by_box()[:, None, None], card_beside(quads), quads)
        for number in range(LOOKS):
            if not len(todo):
                break
            shifts, right_logit[todo], p_index[todo], seen = self._run(levels, as_left[todo])
            embedding[todo] = (embedding[todo] * number + seen) / (number + 1)
            shifted = apply_shifts(as_left[todo], shifts)
            quads[todo] = np.where((right_logit[todo] > 0)[:, None, None], card_beside(shifted, back=True), shifted)
            again = (p_index[todo] >= MIN_P_INDEX) & plausible(shifted)
            as_left[todo] = shifted
            todo = todo[again]
        refined = RefinedDetections.extend(
            likely, quads=quads, p_index=p_index, right_logit=right_logit, embedding=embedding
        )
        return refined.select(plausible(quads))

    def _run(self, levels: list[Pixels], quads: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Runs the network on cards ``quads`` (n, 4, 2), at least one, with their index in the left corner.

        Returns shifts (n, 4, 2), the log odds that the index stands on the right (n,), the probability of an index (n,)
        and the embedding (n, ROI_EMBEDDING).
        """

        def run_batch(rows: slice) -> Any:
            index, around = crop_rois(levels, quads[rows])
            return self._session.run(OUTPUTS, dict(zip(INPUTS, map(as_input, (index, around)), strict=True)))

        batches = self._workers.map_batches(run_batch, len(quads), BATCH)
        shifts, right, index, embedding = (floats(np.concatenate(part)) for part in zip(*batches, strict=True))
        return shifts.reshape(-1, 4, 2), right[:, 0], floats(1 / (1 + np.exp(-index[:, 0]))), embedding
