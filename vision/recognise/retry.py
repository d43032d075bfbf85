"""Looking again: what settler and namer make of cards that the finder did not see, or not so.

The finder points, and now and then it points wrongly or not at all. Settler and namer are shown where else a card may
lie (turned, ``retry_rotated``; next in its row, ``retry_in_rows``); they know one when they see it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Flags, Floats, floats
from vision.detect.detector import Found
from vision.geometry import BOX_SHARE, corner_region
from vision.recognise.classify import Named
from vision.recognise.outline_refiner import OnnxSettler, Settled
from vision.recognise.plane_fit import aligned
from vision.values import Pixels

SENSE = 0.8
"""A find makes sense where settler and namer together are so sure that it is an index."""
WORTH_ANOTHER = 0.3
"""What the settler takes for an index less surely at first sight is looked at no closer: most guesses are wrong."""


def sense_of(named: Named) -> Floats:
    """How sure settler and namer are of each named find that it is an index, (n,) 0..1."""
    return floats(named.real * (1 - named.names.none))


def index_middles(quads: Floats, rights: Flags) -> Floats:
    """Where the indices of the cards outlined by ``quads`` (n, 4, 2) have their middles, (n, 2) pixels, in the right
    corner where ``rights`` (n,)."""
    return floats(corner_region(quads, rights, BOX_SHARE).mean(1))


def settle_again(
    settler: OnnxSettler, levels: list[Pixels], named: Named, boxes: Floats, quads: Floats, score: float = 0.0
) -> Settled:
    """What lies at ``quads`` (m, 4, 2) in the picture of a ``cutting.pyramid``, its index where the ``boxes`` (m, 4)
    are: settled, and brought into line with the cards of ``named``, as if the finder had given it ``score``."""
    unsure, known = np.zeros(len(quads), np.float32), named.found
    real = np.zeros(len(known), np.float32)
    real[list(named.places)] = named.real
    # without scores they say nothing of how large cards are
    closer = settler.settle(levels, Found(boxes, unsure, quads), WORTH_ANOTHER)
    both = Found(
        np.concatenate([known.boxes, boxes]),
        np.concatenate([known.scores, unsure]),
        np.concatenate([known.quads, closer.found.quads]),
    )
    lined = aligned(both, both.scores * np.concatenate([real, unsure])).quads[len(known) :]
    return Settled(Found(boxes, unsure + np.float32(score), lined), closer.real, closer.seen, closer.leans)


def some_of(closer: Settled, places: NDArray[np.integer]) -> Settled:
    """Those of the settled finds at ``places`` (k,)."""
    return Settled(closer.found.some(places), closer.real[places], closer.seen[places], closer.leans[places])
