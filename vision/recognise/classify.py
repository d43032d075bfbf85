"""Naming what was found: each index's patch is shown to the namer, and once more where its corner lay elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, floats
from vision.detect.detector import Detections
from vision.geometry import sane
from vision.recognise.index_classifier import ClassScores, OnnxIndexClassifier
from vision.recognise.outline_refiner import RefinedDetections
from vision.values import Pixels

FAR_OFF = 0.04
"""In widths and heights of the card: an index whose corner is that far off is looked at again."""
MOST_NONE = 0.7
"""What is likelier than this no index at all stays where it is: it has no corner."""


@dataclass(frozen=True, slots=True, eq=False)
class ClassifiedDetections:
    """Finds whose outlines can be cards, n of them: their places in ``found``, in the order of all else, which of them
    stand in the right-hand corner, and their names.

    ``real`` and ``leans`` (n,) are the settler's word on them, whether they are real and in which corner, and
    ``windows`` (n, settler.EMBEDDING_SIZE) what it saw; ``size`` is the width and height of the picture in pixels.
    """

    found: Detections
    places: Sequence[int]
    rights: Sequence[bool]
    names: ClassScores
    real: Floats
    windows: Floats
    leans: Floats
    size: tuple[int, int]


def classify_detections(namer: OnnxIndexClassifier, pixels: Pixels, closer: RefinedDetections) -> ClassifiedDetections:
    """Names every find of ``closer`` in ``pixels`` (height, width, 3) BGR and moves its outline so that the card's
    corner lies where the namer sees it."""
    found = closer.found
    places = [int(i) for i in np.flatnonzero(sane(found.quads))]
    rights, quads = found.index_on_right_by_box()[places], found.quads[places]

    def look(at: NDArray[np.intp]) -> ClassScores:
        names = namer.classify(pixels, quads[at], rights[at])
        there = names.none < MOST_NONE
        quads[at[there]] = _shifted(quads[at[there]], names.shifts[there])
        return names

    names = look(np.arange(len(places)))
    again = np.flatnonzero((np.abs(names.shifts).max(1) > FAR_OFF) & (names.none < MOST_NONE))
    if len(again):
        nearer = look(again)
        for part in fields(ClassScores):
            getattr(names, part.name)[again] = getattr(nearer, part.name)
    settled = found.quads.copy()
    settled[places] = quads
    return ClassifiedDetections(
        found=Detections(found.boxes, found.scores, settled),
        places=places,
        rights=rights.tolist(),
        names=names,
        real=closer.real[places],
        windows=closer.seen[places],
        leans=closer.leans[places],
        size=(pixels.shape[1], pixels.shape[0]),
    )


def _shifted(quads: Floats, shifts: Floats) -> Floats:
    """The outlines (n, 4, 2) moved by ``shifts`` (n, 2), in the cards' widths and heights."""
    along, down = (quads[:, corner : corner + 1] - quads[:, :1] for corner in (1, 3))
    return floats(quads + along * shifts[:, :1, None] + down * shifts[:, 1:, None])
