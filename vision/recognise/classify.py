"""Naming what was found: each index's patch is shown to the namer, and once more where its corner lay elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, floats
from vision.detect.detector import Found
from vision.geometry import sane
from vision.recognise.index_classifier import Names, OnnxNamer
from vision.recognise.outline_refiner import Settled
from vision.values import Pixels

FAR_OFF = 0.04
"""In widths and heights of the card: an index whose corner is that far off is looked at again."""
MOST_NONE = 0.7
"""What is likelier than this no index at all stays where it is: it has no corner."""


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """Finds whose outlines can be cards, n of them: their places in ``found``, in the order of all else, which of them
    stand in the right-hand corner, and their names.

    ``real`` and ``leans`` (n,) are the settler's word on them, whether they are real and in which corner, and
    ``windows`` (n, settler.SEEN) what it saw; ``size`` is the width and height of the picture in pixels.
    """

    found: Found
    places: Sequence[int]
    rights: Sequence[bool]
    names: Names
    real: Floats
    windows: Floats
    leans: Floats
    size: tuple[int, int]


def name_finds(namer: OnnxNamer, pixels: Pixels, closer: Settled) -> Named:
    """Names every find of ``closer`` in ``pixels`` (height, width, 3) BGR and moves its outline so that the card's
    corner lies where the namer sees it."""
    found = closer.found
    places = [int(i) for i in np.flatnonzero(sane(found.quads))]
    rights, quads = found.rights()[places], found.quads[places]

    def look(at: NDArray[np.intp]) -> Names:
        names = namer.name(pixels, quads[at], rights[at])
        there = names.none < MOST_NONE
        quads[at[there]] = _shifted(quads[at[there]], names.shifts[there])
        return names

    names = look(np.arange(len(places)))
    again = np.flatnonzero((np.abs(names.shifts).max(1) > FAR_OFF) & (names.none < MOST_NONE))
    if len(again):
        nearer = look(again)
        for part in fields(Names):
            getattr(names, part.name)[again] = getattr(nearer, part.name)
    settled = found.quads.copy()
    settled[places] = quads
    return Named(
        found=Found(found.boxes, found.scores, settled),
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
