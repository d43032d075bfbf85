"""Retries doubtful detections with their outline rotated by a quarter, a half and three quarters of a turn.

Where little of a card is visible, the detector often sees an index but not which way up it is: a word along an edge, an
8, a corner among other cards.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Flags, Floats, floats
from vision.detect.detections import ClassifiedDetections, index_centres
from vision.geometry import distances, plausible
from vision.recognise.retry import CONFIDENT, Recogniser, refine_again
from vision.values import Pixels

NO_RETRY_DISTANCE = 0.15
"""Card widths: a doubtful detection this near to a confident one shows the same index and is not retried."""
MIN_PROMISE = 0.15
"""Detector score and ``p_index`` together: below this hardly any detection is a rotated index (once in 28 on 110 drawn
tables), and more than half of all candidates fall away."""
QUARTERS = (1, 2, 3)


def retry_rotated(
    recogniser: Recogniser, levels: list[Pixels], detections: ClassifiedDetections
) -> ClassifiedDetections:
    """Replaces detections by their best rotation in the picture of a ``pyramid.pyramid``, if that is more confident."""
    candidates = rotation_candidates(detections)
    if not len(candidates):
        return detections
    origin = np.repeat(candidates, len(QUARTERS))
    quarters = np.tile(QUARTERS, len(candidates))
    quads = rotated(detections.quads[origin], detections.index_on_right[origin], quarters)
    refined = refine_again(recogniser, levels, detections, detections.boxes[origin], quads)
    # naming can only lower the confidence
    promising = (refined.p_index > detections.index_confidence()[origin]) & plausible(refined.quads)
    retried = recogniser.classify(levels, refined.select(promising))
    return _with_better(detections, retried, origin[promising])


def rotation_candidates(detections: ClassifiedDetections) -> NDArray[np.intp]:
    """Indices (k,) of detections without confidence but with some promise, and with no confident one beside them."""
    near = distances(detections.box_centres()) < NO_RETRY_DISTANCE * detections.card_widths()[:, None]
    confident = detections.index_confidence() >= CONFIDENT
    promising = detections.scores + detections.p_index >= MIN_PROMISE
    return np.flatnonzero(promising & ~(near & confident[None]).any(1))


def rotated(quads: Floats, index_on_right: Flags, quarters: NDArray[np.integer]) -> Floats:
    """The outlines (n, 4, 2) rotated clockwise by ``quarters`` (n,) of a turn about the centre of their index."""
    centres = index_centres(quads, index_on_right)[:, None]
    clockwise = floats([[[cos, sin], [-sin, cos]] for cos, sin in ((1, 0), (0, 1), (-1, 0), (0, -1))])
    return floats((quads - centres) @ clockwise[quarters % 4] + centres)


def _with_better(
    detections: ClassifiedDetections, retried: ClassifiedDetections, origin: NDArray[np.integer]
) -> ClassifiedDetections:
    """``detections`` with the most confident retry of each, where that exceeds its own confidence.

    ``origin`` (m,) says which detection each retry is of. Detector scores stay as they were.
    """
    best_confidence = detections.index_confidence()
    best_retry: dict[int, int] = {}
    for retry, (row, confidence) in enumerate(zip(origin.tolist(), retried.index_confidence().tolist(), strict=True)):
        if confidence > best_confidence[row]:
            best_confidence[row], best_retry[row] = confidence, retry
    improved, retries = np.array([*best_retry], np.intp), np.array([*best_retry.values()], np.intp)
    better = replace(retried.select(retries), scores=detections.scores[improved])
    return detections.with_rows(improved, better)
