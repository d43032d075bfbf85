"""Classifies detections, a second time where the card's corner turns out to lie elsewhere."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, floats
from vision.detect.detections import ClassifiedDetections, ClassScores, RefinedDetections
from vision.geometry import plausible
from vision.recognise.index_classifier import OnnxIndexClassifier
from vision.values import Pixels

CLASSIFY_AGAIN_SHIFT = 0.04
"""In card widths and heights: where the corner lies further off than this, the patch is cut and classified again."""
MAX_NO_INDEX = 0.7
"""Outlines that more probably than this show no index are not moved: there is no corner to move them to."""


def classify_detections(
    classifier: OnnxIndexClassifier, pixels: Pixels, refined: RefinedDetections
) -> ClassifiedDetections:
    """Classifies detections in ``pixels`` (height, width, 3) BGR and moves each outline to the corner seen.

    Drops detections whose outlines cannot be a card.
    """
    refined = refined.select(plausible(refined.quads))
    index_on_right, quads = refined.index_on_right_by_box(), refined.quads.copy()

    def classify_rows(rows: NDArray[np.intp]) -> ClassScores:
        scores = classifier.classify(pixels, quads[rows], index_on_right[rows])
        shows_index = scores.no_index < MAX_NO_INDEX
        moved = rows[shows_index]
        quads[moved] = _shifted(quads[moved], scores.shifts[shows_index])
        return scores

    scores = classify_rows(np.arange(len(refined)))
    again = np.flatnonzero((np.abs(scores.shifts).max(1) > CLASSIFY_AGAIN_SHIFT) & (scores.no_index < MAX_NO_INDEX))
    if len(again):
        scores = scores.with_rows(again, classify_rows(again))
    return ClassifiedDetections.extend(
        refined,
        **scores.as_fields(),
        quads=quads,
        index_on_right=index_on_right,
        picture_size=(pixels.shape[1], pixels.shape[0]),
    )


def _shifted(quads: Floats, shifts: Floats) -> Floats:
    """The outlines (n, 4, 2) moved by ``shifts`` (n, 2), in the cards' widths and heights."""
    along, down = (quads[:, corner : corner + 1] - quads[:, :1] for corner in (1, 3))
    return floats(quads + along * shifts[:, :1, None] + down * shifts[:, 1:, None])
