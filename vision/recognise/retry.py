"""Retries: what is seen at outlines that the detector did not report.

The detector is now and then wrong about an outline or misses a card. The networks after it recognise a card when they
are shown one, so they are shown where else one may lie: rotated (``retry_rotated``) or next in a row
(``retry_in_rows``).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import numpy as np

from vision.arrays import Floats
from vision.detect.detections import ClassifiedDetections, Detections, RefinedDetections
from vision.recognise.plane_fit import align_to_plane
from vision.values import Pixels

CONFIDENT = 0.8
"""From this ``index_confidence`` on a detection is taken for an index and needs no retry."""
MIN_P_INDEX_GUESS = 0.3
"""Guesses less probable than this after the first look get no second one: most guesses are wrong."""


class Recogniser(Protocol):
    """What looks at outlines in the picture of a ``pyramid.pyramid``, and names what it sees there."""

    def split(self, detections: Detections) -> tuple[Detections, Detections]:
        """The detections to look at, and those that hint at where to look for more."""
        ...

    def refine(self, levels: list[Pixels], detections: Detections, min_p_index: float = ...) -> RefinedDetections:
        """Corrects outlines. Detections less probable than ``min_p_index`` after the first look get no second one;
        outlines that cannot be a card have a ``p_index`` of 0."""
        ...

    def classify(self, levels: list[Pixels], refined: RefinedDetections) -> ClassifiedDetections:
        """Names what stands at the outlines; drops those that cannot be a card."""
        ...


def refine_again(
    recogniser: Recogniser,
    levels: list[Pixels],
    known: ClassifiedDetections,
    boxes: Floats,
    quads: Floats,
    score: float = 0.0,
) -> RefinedDetections:
    """Refines guessed outlines in the picture of a ``pyramid.pyramid``, aligned to the plane of the ``known`` cards.

    ``boxes`` (m, 4) and ``quads`` (m, 4, 2) are the guesses; they get the detector score ``score``.
    """
    unscored = np.zeros(len(quads), np.float32)
    # without a score they have no say in where the plane lies
    refined = recogniser.refine(levels, Detections(boxes, unscored, quads), MIN_P_INDEX_GUESS)
    trust = np.concatenate([known.scores * known.p_index, unscored])
    aligned = align_to_plane(Detections.concat([known, refined]), trust)
    return replace(refined, scores=unscored + np.float32(score), quads=aligned.quads[len(known) :])
