"""Looking again: what settler and namer make of cards that the finder did not see, or not so.

The finder points, and now and then it points wrongly or not at all. Settler and namer are shown where else a card may
lie (turned, ``retry_rotated``; next in its row, ``retry_in_rows``); they know one when they see it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Flags, Floats, floats
from vision.detect.detector import Detections
from vision.geometry import BOX_SHARE, corner_region
from vision.recognise.classify import ClassifiedDetections
from vision.recognise.outline_refiner import OnnxOutlineRefiner, RefinedDetections
from vision.recognise.plane_fit import align_to_plane
from vision.values import Pixels

SENSE = 0.8
"""A find makes sense where settler and namer together are so sure that it is an index."""
WORTH_ANOTHER = 0.3
"""What the settler takes for an index less surely at first sight is looked at no closer: most guesses are wrong."""


def index_confidence(named: ClassifiedDetections) -> Floats:
    """How sure settler and namer are of each named find that it is an index, (n,) 0..1."""
    return floats(named.real * (1 - named.names.none))


def index_middles(quads: Floats, rights: Flags) -> Floats:
    """Where the indices of the cards outlined by ``quads`` (n, 4, 2) have their middles, (n, 2) pixels, in the right
    corner where ``rights`` (n,)."""
    return floats(corner_region(quads, rights, BOX_SHARE).mean(1))


def refine_again(
    settler: OnnxOutlineRefiner,
    levels: list[Pixels],
    named: ClassifiedDetections,
    boxes: Floats,
    quads: Floats,
    score: float = 0.0,
) -> RefinedDetections:
    """What lies at ``quads`` (m, 4, 2) in the picture of a ``cutting.pyramid``, its index where the ``boxes`` (m, 4)
    are: settled, and brought into line with the cards of ``named``, as if the finder had given it ``score``."""
    unsure, known = np.zeros(len(quads), np.float32), named.found
    real = np.zeros(len(known), np.float32)
    real[list(named.places)] = named.real
    # without scores they say nothing of how large cards are
    closer = settler.refine(levels, Detections(boxes, unsure, quads), WORTH_ANOTHER)
    both = Detections(
        np.concatenate([known.boxes, boxes]),
        np.concatenate([known.scores, unsure]),
        np.concatenate([known.quads, closer.found.quads]),
    )
    lined = align_to_plane(both, both.scores * np.concatenate([real, unsure])).quads[len(known) :]
    return RefinedDetections(
        Detections(boxes, unsure + np.float32(score), lined), closer.real, closer.seen, closer.leans
    )


def select(closer: RefinedDetections, places: NDArray[np.integer]) -> RefinedDetections:
    """Those of the settled finds at ``places`` (k,)."""
    return RefinedDetections(
        closer.found.select(places), closer.real[places], closer.seen[places], closer.leans[places]
    )
