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
from vision.recognise.classify import Named, name_finds
from vision.recognise.index_classifier import Names, OnnxNamer
from vision.recognise.outline_refiner import OnnxSettler
from vision.recognise.retry import SENSE, sense_of, settle_again, some_of
from vision.values import Pixels

THERE = 0.15
"""Card widths: no nearer to a find that makes sense is another one turned, as both show the same index."""
HOPE = 0.15
"""What finder and settler together believe less of a find as it lies is hardly ever an index turned (once in 28 of them
on 110 drawn tables), but more than half of all that could be."""
QUARTERS = (1, 2, 3)


def look_turned(settler: OnnxSettler, namer: OnnxNamer, levels: list[Pixels], named: Named) -> Named:
    """The finds of ``named`` in the picture of a ``cutting.pyramid``, those of them turned that make more sense so."""
    doubtful = doubtful_of(named)
    if not doubtful:
        return named
    each = np.repeat(doubtful, len(QUARTERS))
    places = [named.places[n] for n in each]
    quarters = np.tile(QUARTERS, len(doubtful))
    quads = turned(named.found.quads[places], np.array(named.rights, bool)[each], quarters)
    closer = settle_again(settler, levels, named, named.found.boxes[places], quads)
    # no more sense than the settler alone sees can come of naming
    worth = np.flatnonzero(closer.real > sense_of(named)[each])
    again = name_finds(namer, levels[0], some_of(closer, worth))
    return _with_better(named, again, each[worth[list(again.places)]])


def doubtful_of(named: Named) -> list[int]:
    """The named finds that make no sense, but give some hope, and beside which none makes sense."""
    places = list(named.places)
    near = distances(named.found.middles()[places]) < THERE * named.found.widths()[places, None]
    fine, hope = sense_of(named) >= SENSE, named.found.scores[places] + named.real >= HOPE
    return [int(n) for n in np.flatnonzero(hope & ~(near & fine[None]).any(1))]


def turned(quads: Floats, rights: Flags, quarters: NDArray[np.integer]) -> Floats:
    """The outlines (n, 4, 2) turned clockwise by ``quarters`` (n,) of a full turn about the index in their left corner,
    or in their right one where ``rights`` (n,)."""
    middles = corner_region(quads, rights, BOX_SHARE).mean(1, keepdims=True)
    clockwise = floats([[[cos, sin], [-sin, cos]] for cos, sin in ((1, 0), (0, 1), (-1, 0), (0, -1))])
    return floats((quads - middles) @ clockwise[quarters % 4] + middles)


def _with_better(named: Named, again: Named, of: NDArray[np.integer]) -> Named:
    """``named``, with finds that make more sense ``again``, in one of their turns, as they are in the one that makes
    most; ``of`` (m,) says which find of ``named`` each of ``again`` is."""
    most = sense_of(named)
    best: dict[int, int] = {}
    for row, (n, sense) in enumerate(zip(of.tolist(), sense_of(again).tolist(), strict=True)):
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

    names = [mixed(getattr(named.names, part.name), getattr(again.names, part.name)) for part in fields(Names)]
    return replace(
        named,
        found=replace(named.found, quads=quads),
        rights=rights,
        names=Names(*names),
        real=mixed(named.real, again.real),
        windows=mixed(named.windows, again.windows),
        leans=mixed(named.leans, again.leans),
    )
