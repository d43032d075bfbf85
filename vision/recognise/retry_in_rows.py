"""Looks for missed cards: cards lie in rows, columns and fans, so two neighbours tell where a third may lie.

The detector misses a card among many alike, and where a row leaves the picture. It hardly ever sees nothing there, so
only guesses near one of its low-confidence hints are tried.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Flags, Floats, floats
from vision.detect.detections import ClassifiedDetections, RefinedDetections, index_centres
from vision.geometry import BOX_SHARE, card_widths, corner_region, distances, plausible
from vision.recognise.retry import CONFIDENT, Recogniser, refine_again
from vision.values import Pixels

NEIGHBOURS = 2
"""So many nearest neighbours of each card are continued to a row."""
ROW_STEP = (0.06, 1.3)
"""Card widths between the corners of neighbours in a row."""
MAX_TURN = 0.5
"""Radians between neighbours in a row or a fan."""
GAP = 0.22
"""Card widths: neighbours further apart than this may have a card between them."""
KNOWN_DISTANCE = 0.12
"""Card widths: no guess is made nearer than this to an index that is known already."""
KNOWN_CONFIDENCE, KNOWN_SCORE = 0.3, 0.15
"""A detection with either this ``index_confidence`` or this detector score counts as known for that."""
MIN_GUESS_CONFIDENCE = 0.5
"""A guess is added where its ``p_index`` and its ``index_confidence`` reach this; so must known indices."""
SAME_GUESS_DISTANCE = 0.07
"""Card widths: guesses nearer to each other or to a known index than this show the same one."""
HINT_DISTANCE = 0.25
"""Card widths: guesses are tried only if a hint lies this near to their index."""
GUESS_SCORE = 0.01
"""Detector score given to a guess: that of a hint, below all accepted detections."""


def retry_in_rows(
    recogniser: Recogniser, levels: list[Pixels], detections: ClassifiedDetections, hints: Floats
) -> ClassifiedDetections:
    """``detections`` in the picture of a ``pyramid.pyramid``, followed by missed ones that continue their rows.

    ``hints`` (k, 2) are the box centres of the detector's low-confidence detections, in pixels.
    """
    quads, on_right = guesses(detections)
    hinted = _near(index_centres(quads, on_right), hints, HINT_DISTANCE * card_widths(quads))
    quads, on_right = quads[hinted], on_right[hinted]
    if not len(quads):
        return detections
    refined = refine_again(recogniser, levels, detections, _index_boxes(quads, on_right), quads, GUESS_SCORE)
    refined = refined.select((refined.p_index >= MIN_GUESS_CONFIDENCE) & plausible(refined.quads))
    known = _known_centres(detections)
    # most guesses are drawn to a card that is known already, or several to the same card
    refined = refined.select(_new(refined, refined.index_on_right_by_box(), refined.p_index, known))
    found = recogniser.classify(levels, refined)
    confidence = found.index_confidence()
    rows = _new(found, found.index_on_right, confidence, known)
    found = found.select(rows[confidence[rows] >= MIN_GUESS_CONFIDENCE])
    found = replace(found, boxes=_index_boxes(found.quads, found.index_on_right))
    return ClassifiedDetections.concat([detections, found])


def guesses(detections: ClassifiedDetections) -> tuple[Floats, Flags]:
    """Where cards would lie that continue a row of two or fill a gap in it.

    Returns outlines (m, 4, 2) and whether their index is on the right (m,); none near a known index or outside the
    picture.
    """
    quads, on_right, widths = detections.quads, detections.index_on_right, detections.card_widths()
    confidence = detections.index_confidence()
    strong = np.flatnonzero(confidence >= CONFIDENT)
    known = detections.index_centres()[(confidence >= KNOWN_CONFIDENCE) | (detections.scores > KNOWN_SCORE)]
    one, other = strong[_row_neighbours(quads[strong], on_right[strong], widths[strong])].reshape(-1, 2).T
    a, b, right, width = quads[one], quads[other], on_right[one], widths[one]
    has_gap = np.hypot(*(b - a)[np.arange(len(one)), right.astype(int)].T) / width > GAP
    # for each pair the next card of the row, then the one between them
    tried = np.stack([2 * b - a, (a + b) / 2], 1).reshape(-1, 4, 2)
    right, width = np.repeat(right, 2), np.repeat(width, 2)
    usable = plausible(tried) & np.stack([np.ones_like(has_gap), has_gap & (one < other)], 1).ravel()
    centres = np.zeros((len(tried), 2), np.float32)
    centres[usable] = index_centres(tried[usable], right[usable])
    usable &= ((centres >= 0) & (centres <= floats(detections.picture_size))).all(1)
    accepted = []
    for row in np.flatnonzero(usable):
        if (np.hypot(*(known - centres[row]).T) >= KNOWN_DISTANCE * width[row]).all():
            accepted.append(row)
            known = np.concatenate([known, centres[row, None]])
    return tried[accepted], right[accepted]


def _row_neighbours(quads: Floats, on_right: Flags, widths: Floats) -> NDArray[np.intp]:
    """Pairs (m, 2) of each card and its nearest in a row: index on the same side, similar direction."""
    if len(quads) < 2:
        return np.zeros((0, 2), np.intp)
    corners = quads[np.arange(len(quads)), on_right.astype(int)]
    apart = distances(corners) / np.maximum(widths, 1)[:, None]
    tops = quads[:, 1] - quads[:, 0]
    angles = np.arctan2(tops[:, 1], tops[:, 0])
    turn = np.abs((angles[:, None] - angles[None] + np.pi) % (2 * np.pi) - np.pi)
    in_row = (on_right[:, None] == on_right[None]) & (turn < MAX_TURN) & (apart > ROW_STEP[0]) & (apart < ROW_STEP[1])
    nearest = np.argsort(np.where(in_row, apart, np.inf), 1, kind="stable")[:, :NEIGHBOURS]
    each = np.repeat(np.arange(len(quads)), nearest.shape[1])
    pairs = np.stack([each, nearest.ravel()], 1)
    return np.asarray(pairs[in_row[pairs[:, 0], pairs[:, 1]]], np.intp)


def _index_boxes(quads: Floats, on_right: Flags) -> Floats:
    """Boxes (n, 4) x0 y0 x1 y1 around the indices of the outlines (n, 4, 2)."""
    regions = corner_region(quads, on_right, BOX_SHARE)
    return np.concatenate([regions.min(1), regions.max(1)], 1)


def _known_centres(detections: ClassifiedDetections) -> Floats:
    """Centres (k, 2) of accepted indices, both by their outlines and by their boxes."""
    accepted = detections.select(detections.index_confidence() >= MIN_GUESS_CONFIDENCE)
    return np.concatenate([accepted.index_centres(), accepted.box_centres()])


def _near(centres: Floats, others: Floats, reach: Floats) -> Flags:
    """Which ``centres`` (n, 2) have one of the ``others`` (k, 2) nearer than their ``reach`` (n,)."""
    apart = np.hypot(*(centres[:, None] - others[None]).transpose(2, 0, 1))
    return np.asarray((apart < reach[:, None]).any(1), bool)


def _new(detections: RefinedDetections, on_right: Flags, confidence: Floats, known: Floats) -> NDArray[np.intp]:
    """Indices of detections that show no ``known`` index, each index once, by the most confident detection."""
    centres, widths = index_centres(detections.quads, on_right), detections.card_widths()
    free = ~_near(centres, known, SAME_GUESS_DISTANCE * widths)
    kept: list[int] = []
    for row in map(int, np.argsort(-confidence, kind="stable")):
        if free[row] and (np.hypot(*(centres[kept] - centres[row]).T) >= SAME_GUESS_DISTANCE * widths[row]).all():
            kept.append(row)
    return np.array(kept, np.intp)
