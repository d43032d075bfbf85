"""Settling the outlines that the finder predicts: a second, closer look at each card by itself.

The finder sees the whole table and guesses where the far corners of a card lie. Shown one card by itself, upright and
at one size, a small network sees how far that guess is off, and whether the index stands in the left or right corner.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.arrays import Floats, floats
from vision.batching import SERIAL, Workers
from vision.crops.card_window import crop_windows, moved
from vision.crops.pyramid import as_input
from vision.detect.detector import Detections
from vision.geometry import beside, sane
from vision.recognise.plane_fit import align_to_plane
from vision.values import Pixels

BATCH = 16
EMBEDDING_SIZE = 128
"""So many numbers the last layer but one makes of a window."""
LOOKS = 2
FAR_OFF = 0.1
"""In widths and heights of the card: finds with a corner that far off get another look."""
HARDLY_REAL = 0.05
"""What is real less likely than this at first sight gets no other look."""


@dataclass(frozen=True, slots=True, eq=False)
class RefinedDetections:
    """Finds with closer outlines, and for each how likely it is an index at all, ``real`` (n,) 0..1, what the network
    made of its window, ``seen`` (n, EMBEDDING_SIZE), and the log odds that it stands in the right-hand corner,
    ``leans`` (n,)."""

    found: Detections
    real: Floats
    seen: Floats
    leans: Floats


class OnnxOutlineRefiner:
    """The settler on ONNX Runtime."""

    def __init__(self, session: Any, workers: Workers = SERIAL) -> None:
        """``session`` is an onnxruntime.InferenceSession with input ``windows`` (n, 3, size, size) RGB 0..1 and outputs
        ``shift`` (n, 8), ``right`` (n, 1) and ``real`` (n, 1), these two before the logistic function, and ``seen``
        (n, EMBEDDING_SIZE); ``workers`` run it on several batches at once."""
        self._session, self._workers = session, workers

    def refine(self, levels: list[Pixels], found: Detections, least: float = HARDLY_REAL) -> RefinedDetections:
        """Looks again at each find of ``found`` in the picture of a ``cutting.pyramid``, once more at those that were
        far off: seen from nearer by they are seen better. What is real less likely than ``least`` gets no second look.
        All are kept to the size the table's cards have, before and after."""
        found = align_to_plane(found, found.scores)
        quads = found.quads.copy()
        real, leans = np.zeros((2, len(found)), np.float32)
        seen = np.zeros((len(found), EMBEDDING_SIZE), np.float32)
        usable = np.flatnonzero(sane(quads))
        lefts = np.where(found.index_on_right_by_box()[:, None, None], beside(quads), quads)
        for _ in range(LOOKS):
            if not len(usable):
                break
            shift, leans[usable], likely, seen[usable] = self._look(levels, lefts[usable])
            left = moved(lefts[usable], shift)
            quads[usable] = np.where((leans[usable] > 0)[:, None, None], beside(left, back=True), left)
            real[usable] = likely
            far = (np.abs(shift).max((1, 2)) > FAR_OFF) & (likely >= least) & sane(left)
            lefts[usable] = left
            usable = usable[far]
        return RefinedDetections(
            align_to_plane(Detections(found.boxes, found.scores, quads), found.scores * real), real, seen, leans
        )

    def _look(self, levels: list[Pixels], lefts: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Of the cards outlined by ``lefts`` (n, 4, 2), n at least one: the shifts (n, 4, 2), the log odds that their
        indices stand on the right (n,), how likely they are real (n,), and what is seen (n, EMBEDDING_SIZE)."""

        def work(some: slice) -> Any:
            given = as_input(crop_windows(levels, lefts[some]))
            return self._session.run(["shift", "right", "real", "seen"], {"windows": given})

        answers = self._workers.map_batches(work, len(lefts), BATCH)
        shift, right, real, seen = (floats(np.concatenate(part)) for part in zip(*answers, strict=True))
        return shift.reshape(-1, 4, 2), right[:, 0], floats(1 / (1 + np.exp(-real[:, 0]))), seen
