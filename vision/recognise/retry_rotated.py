"""Finds that make no sense as they lie, looked at again as if their cards lay turned by a quarter or by half.

Where little of a card is seen, the finder often sees that there is an index but not which way up it is: a word along an
edge, an 8, a corner among other cards.
"""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Flags, Floats, floats
from vision.geometry import BOX_SHARE, corner_region, distances
from vision.recognise.classify import ClassifiedDetections, classify_detections
from vision.recognise.index_classifier import ClassScores, OnnxIndexClassifier
from vision.recognise.outline_refiner import OnnxOutlineRefiner
from vision.recognise.retry import SENSE, index_confidence, refine_again, select
from vision.values import Pixels

THERE = 0.15
"""Card widths: no nearer to a find that makes sense is another one turned, as both show the same index."""
HOPE = 0.15
"""What finder and settler together believe less of a find as it lies is hardly ever an index turned (once in 28 of them
on 110 drawn tables), but more than half of all that could be."""
QUARTERS = (1, 2, 3)


def retry_rotated(
    settler: OnnxOutlineRefiner, namer: OnnxIndexClassifier, levels: list[Pixels], named: ClassifiedDetections
) -> ClassifiedDetections:
    """The finds of ``named`` in the picture of a ``cutting.pyramid``, those of them turned that make more sense so."""
    doubtful = rotation_candidates(named)
    if not doubtful:
        return named
    each = np.repeat(doubtful, len(QUARTERS))
    places = [named.places[n] for n in each]
    quarters = np.tile(QUARTERS, len(doubtful))
    quads = turned(named.found.quads[places], np.array(named.rights, bool)[each], quarters)
    closer = refine_again(settler, levels, named, named.found.boxes[places], quads)
    # no more sense than the settler alone sees can come of naming
    worth = np.flatnonzero(closer.real > index_confidence(named)[each])
    again = classify_detections(namer, levels[0], select(closer, worth))
    return _with_better(named, again, each[worth[list(again.places)]])


def rotation_candidates(named: ClassifiedDetections) -> list[int]:
    """The named finds that make no sense, but give some hope, and beside which none makes sense."""
    places = list(named.places)
    near = distances(named.found.box_centres()[places]) < THERE * named.found.card_widths()[places, None]
    fine, hope = index_confidence(named) >= SENSE, named.found.scores[places] + named.real >= HOPE
    return [int(n) for n in np.flatnonzero(hope & ~(near & fine[None]).any(1))]


def turned(quads: Floats, rights: Flags, quarters: NDArray[np.integer]) -> Floats:
    """The outlines (n, 4, 2) turned clockwise by ``quarters`` (n,) of a full turn about the index in their left corner,
    or in their right one where ``rights`` (n,)."""
    middles = corner_region(quads, rights, BOX_SHARE).mean(1, keepdims=True)
    clockwise = floats([[[cos, sin], [-sin, cos]] for cos, sin in ((1, 0), (0, 1), (-1, 0), (0, -1))])
    return floats((quads - middles) @ clockwise[quarters % 4] + middles)


def _with_better(
    named: ClassifiedDetections, again: ClassifiedDetections, of: NDArray[np.integer]
) -> ClassifiedDetections:
    """``named``, with finds that make more sense ``again``, in one of their turns, as they are in the one that makes
    most; ``of`` (m,) says which find of ``named`` each of ``again`` is."""
    most = index_confidence(named)
    best: dict[int, int] = {}
    for row, (n, sense) in enumerate(zip(of.tolist(), index_confidence(again).tolist(), strict=True)):
        if sense > most[n]:
            most[n], best[n] = sense, row
    here, rows = list(best), list(best.values())
    quads, rights = named.found.quads.copy(), list(named.rights)
    for n, row in best.items():
        quads[named.places[n]] = again.found.quads[again.places[row]]
        rights[n] = again.rights[row]

    def mixed(old: Floats, new: Floats) -> Floats:
        whole = old.copy()
        whole[here] = new[rows]
        return whole

    names = [mixed(getattr(named.names, part.name), getattr(again.names, part.name)) for part in fields(ClassScores)]
    return replace(
        named,
        found=replace(named.found, quads=quads),
        rights=rights,
        names=ClassScores(*names),
        real=mixed(named.real, again.real),
        windows=mixed(named.windows, again.windows),
        leans=mixed(named.leans, again.leans),
    )
