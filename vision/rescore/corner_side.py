"""Placing an index: in which upper corner of its card it stands, where the settler is not sure.

In a row of cards with indices in all four corners each shows a strip, of its left edge or of its right, and the
settler, which sees a whole card but small, cannot always tell which. From near by an edge's shadow, a rounded corner or
a pip tells.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, floats
from vision.batching import SERIAL, Workers
from vision.crops.index_view import View
from vision.crops.pyramid import as_input
from vision.geometry import beside
from vision.recognise.classify import ClassifiedDetections
from vision.rescore.features import quads_of
from vision.rescore.relation_model import ScoredDetections
from vision.values import Pixels

CORNER_SIDE = "corner_side.onnx"
VIEW = View(across=0.75, above=0.3, size=144)
BATCH = 8
UNSURE = 6.0
"""Log odds of the settler's below which an index is placed anew."""
SETTLER_SAYS, PLACER_SAYS = 0.25, 0.45
"""What the log odds of either count together: a logistic fit to tables that neither was trained on."""
BELIEVED = 0.1
"""What is believed less than this is not placed: no card is made of it."""


def unsure_of(named: ClassifiedDetections, judged: ScoredDetections) -> NDArray[np.intp]:
    """Which finds that are believed stand in a corner that the settler is not sure of, (m,)."""
    return np.flatnonzero((judged.kept >= BELIEVED) & (np.abs(named.leans) < UNSURE))


class OnnxCornerSide:
    """The placer on ONNX Runtime."""

    def __init__(self, session: Any, workers: Workers = SERIAL) -> None:
        """``session`` is an onnxruntime.InferenceSession with input ``views`` (n, 3, size, size) RGB 0..1 and output
        ``right`` (n, 1), before the logistic function; ``workers`` run it on several batches at once."""
        self._session, self._workers = session, workers

    def right_logits(self, levels: list[Pixels], named: ClassifiedDetections, places: NDArray[np.intp]) -> Floats:
        """The log odds that the named finds at ``places`` (m,) in the picture of a ``cutting.pyramid`` are indices in
        right-hand corners, (m,)."""
        quads, rights = quads_of(named)[0][places], np.array(named.rights, bool)[places]

        def work(some: slice) -> Floats:
            views = VIEW.cut(levels, quads[some], rights[some])
            return floats(self._session.run(["right"], {"views": as_input(views)})[0])

        answers = self._workers.map_batches(work, len(places), BATCH)
        return floats(np.concatenate(answers)[:, 0])

    def correct_sides(
        self, levels: list[Pixels], named: ClassifiedDetections, judged: ScoredDetections
    ) -> ClassifiedDetections:
        """``named`` with those indices in their other corner, and their cards beside where they were, that the settler
        was not sure of and that look so in the picture of a ``cutting.pyramid``."""
        places = unsure_of(named, judged)
        if not len(places):
            return named
        quads, rights, leans = named.found.quads.copy(), list(named.rights), named.leans.copy()
        leans[places] = SETTLER_SAYS * leans[places] + PLACER_SAYS * self.right_logits(levels, named, places)
        for n in places.tolist():
            right = bool(leans[n] > 0)
            if right != rights[n]:
                place = named.places[n]
                quads[place], rights[n] = beside(quads[place], back=right), right
        return replace(named, found=replace(named.found, quads=quads), rights=rights, leans=leans)
