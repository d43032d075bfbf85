"""Cards lie in rows, columns and fans: where two neighbours say that a third would lie, it is looked for.

The finder misses a card among many alike, and where a row runs out of the picture. Hardly ever does it see nothing at
all there: only where it saw something, too faintly to count as found, is a look worth its time.
"""

from __future__ import annotations

from dataclasses import fields

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Flags, Floats, floats
from vision.detect.detector import Detections
from vision.geometry import BOX_SHARE, card_widths, corner_region, distances, sane
from vision.recognise.classify import ClassifiedDetections, classify_detections
from vision.recognise.index_classifier import ClassScores, OnnxIndexClassifier
from vision.recognise.outline_refiner import OnnxOutlineRefiner
from vision.recognise.retry import SENSE, index_confidence, index_middles, refine_again, select
from vision.values import Pixels

NEIGHBOURS = 2
"""So many neighbours of each card, the nearest, say where the next one would lie."""
NEXT = (0.06, 1.3)
"""Card widths between the corners of neighbours in a row."""
MOST_TURNED = 0.5
"""Radians between neighbours in a row or a fan."""
GAP = 0.22
"""Card widths: neighbours further apart than this may have another between them."""
TAKEN = 0.12
"""Card widths: no nearer to a find that makes some sense, or that the finder is sure of, is another looked for."""
SOME_SENSE, SOME_SCORE = 0.3, 0.15
LEAST_SENSE = 0.5
"""What is seen there counts among the finds where it makes so much sense."""
SAME = 0.07
"""Card widths between two finds of one index."""
HINTED = 0.25
"""Card widths: no further from a guess lies what the finder saw faintly of its index."""
GUESSED = 0.01
"""The score of what the finder saw faintly at most, below all that count as found."""


def retry_in_rows(
    settler: OnnxOutlineRefiner,
    namer: OnnxIndexClassifier,
    levels: list[Pixels],
    named: ClassifiedDetections,
    faint: Floats,
) -> ClassifiedDetections:
    """The finds of ``named`` in the picture of a ``cutting.pyramid``, and after them what else is seen where their
    neighbours in a row say that a card would lie, and near which something was found faintly: ``faint`` (k, 2)."""
    quads, rights = guesses(named)
    hinted = _near(index_middles(quads, rights), faint, HINTED * card_widths(quads))
    quads, rights = quads[hinted], rights[hinted]
    if not len(quads):
        return named
    closer = refine_again(settler, levels, named, _boxes(quads, rights), quads, GUESSED)
    closer = select(closer, np.flatnonzero((closer.real >= LEAST_SENSE) & sane(closer.found.quads)))
    taken = _taken(named)
    # most are drawn to a card that is known already, or several to the same
    closer = select(closer, _new(closer.found, closer.found.index_on_right_by_box(), closer.real, taken))
    more = classify_detections(namer, levels[0], closer)
    sense = index_confidence(more)
    rows = _new(more.found, np.array(more.rights, bool), sense, taken)
    return _joined(named, more, rows[sense[rows] >= LEAST_SENSE])


def guesses(named: ClassifiedDetections) -> tuple[Floats, Flags]:
    """Where cards would lie that continue a row of two or fill a gap in it: outlines (m, 4, 2), and which of them have
    their index in the right-hand corner (m,). None where something is found already, or outside the picture."""
    places = list(named.places)
    quads, rights, widths = named.found.quads[places], np.array(named.rights, bool), named.found.card_widths()[places]
    sense = index_confidence(named)
    strong = np.flatnonzero(sense >= SENSE)
    taken = index_middles(quads, rights)[(sense >= SOME_SENSE) | (named.found.scores[places] > SOME_SCORE)]
    a, b = strong[_neighbours(quads[strong], rights[strong], widths[strong])].reshape(-1, 2).T
    one, two, right, width = quads[a], quads[b], rights[a], widths[a]
    gap = np.hypot(*(two - one)[np.arange(len(a)), right.astype(int)].T) / width > GAP
    # each next one, and after it that between the two
    tried = np.stack([2 * two - one, (one + two) / 2], 1).reshape(-1, 4, 2)
    right, width = np.repeat(right, 2), np.repeat(width, 2)
    fine = sane(tried) & np.stack([np.ones_like(gap), gap & (a < b)], 1).ravel()
    middles = np.zeros((len(tried), 2), np.float32)
    middles[fine] = index_middles(tried[fine], right[fine])
    fine &= ((middles >= 0) & (middles <= floats(named.size))).all(1)
    made = []
    for place in np.flatnonzero(fine):
        if (np.hypot(*(taken - middles[place]).T) >= TAKEN * width[place]).all():
            made.append(place)
            taken = np.concatenate([taken, middles[place, None]])
    return tried[made], right[made]


def _neighbours(quads: Floats, rights: Flags, widths: Floats) -> NDArray[np.intp]:
    """Each card with its nearest in a row, (m, 2): with the index on the same side, and turned alike."""
    if len(quads) < 2:
        return np.zeros((0, 2), np.intp)
    own = quads[np.arange(len(quads)), rights.astype(int)]
    apart = distances(own) / np.maximum(widths, 1)[:, None]
    tops = quads[:, 1] - quads[:, 0]
    angles = np.arctan2(tops[:, 1], tops[:, 0])
    turned = np.abs((angles[:, None] - angles[None] + np.pi) % (2 * np.pi) - np.pi)
    alike = (rights[:, None] == rights[None]) & (turned < MOST_TURNED) & (apart > NEXT[0]) & (apart < NEXT[1])
    nearest = np.argsort(np.where(alike, apart, np.inf), 1, kind="stable")[:, :NEIGHBOURS]
    each = np.repeat(np.arange(len(quads)), nearest.shape[1])
    pairs = np.stack([each, nearest.ravel()], 1)
    return np.asarray(pairs[alike[pairs[:, 0], pairs[:, 1]]], np.intp)


def _boxes(quads: Floats, rights: Flags) -> Floats:
    """Boxes (n, 4) x0 y0 x1 y1 round the indices of the outlines (n, 4, 2)."""
    regions = corner_region(quads, rights, BOX_SHARE)
    return np.concatenate([regions.min(1), regions.max(1)], 1)


def _taken(named: ClassifiedDetections) -> Floats:
    """Where there are indices already, (k, 2): as the outlines say of those finds that make sense, and the boxes."""
    fine = index_confidence(named) >= LEAST_SENSE
    places = np.array(named.places, int)[fine]
    shown = index_middles(named.found.quads[places], np.array(named.rights, bool)[fine])
    return np.concatenate([shown, named.found.box_centres()[places]])


def _near(middles: Floats, others: Floats, reach: Floats) -> Flags:
    """Which ``middles`` (n, 2) have one of the ``others`` (k, 2) nearer than their ``reach`` (n,)."""
    apart = np.hypot(*(middles[:, None] - others[None]).transpose(2, 0, 1))
    return np.asarray((apart < reach[:, None]).any(1), bool)


def _new(found: Detections, rights: Flags, sense: Floats, taken: Floats) -> NDArray[np.intp]:
    """Which finds show none of the indices that are ``taken``, nor one that another of them shows that makes more
    ``sense`` (n,)."""
    middles, widths = index_middles(found.quads, rights), found.card_widths()
    free = ~_near(middles, taken, SAME * widths)
    kept: list[int] = []
    for row in map(int, np.argsort(-sense, kind="stable")):
        if free[row] and (np.hypot(*(middles[kept] - middles[row]).T) >= SAME * widths[row]).all():
            kept.append(row)
    return np.array(kept, np.intp)


def _joined(named: ClassifiedDetections, more: ClassifiedDetections, rows: NDArray[np.intp]) -> ClassifiedDetections:
    """``named`` and, after its finds, those ``rows`` of ``more``."""

    def both(old: NDArray[np.float32], new: NDArray[np.float32]) -> Floats:
        return floats(np.concatenate([old, new[rows]]))

    quads, rights = more.found.quads, np.array(more.rights, bool)
    found = Detections(
        both(named.found.boxes, _boxes(quads, rights)),
        both(named.found.scores, more.found.scores),
        both(named.found.quads, quads),
    )
    names = [both(getattr(named.names, part.name), getattr(more.names, part.name)) for part in fields(ClassScores)]
    return ClassifiedDetections(
        found=found,
        places=[*named.places, *range(len(named.found), len(found))],
        rights=[*named.rights, *(more.rights[row] for row in rows.tolist())],
        names=ClassScores(*names),
        real=both(named.real, more.real),
        windows=both(named.windows, more.windows),
        leans=both(named.leans, more.leans),
        size=named.size,
    )
