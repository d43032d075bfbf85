"""Verifying the finds of which the judge is not sure: a third network sees what lies round them from near by.

The settler sees a whole card, but small; the namer sees an index, but nothing round it. Where cards lie closely or a
joker's word runs along an edge, it takes both to tell whether there is an index to read, and which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, floats, softmax
from vision.batching import SERIAL, Workers
from vision.crops.index_view import View
from vision.crops.pyramid import as_input
from vision.geometry import distances, log_odds
from vision.recognise.classify import ClassifiedDetections
from vision.rescore.features import RANKS, middles_of, opposite_corner_support, quads_of
from vision.rescore.relation_model import ScoredDetections
from vision.values import Pixels

CROP_VERIFIER = "crop_verifier.onnx"
VIEW = View(across=0.46, above=0.46, size=96)
"""What it learns from."""
VIEWS = (VIEW, View(across=0.42, above=0.42, size=96), View(across=0.51, above=0.51, size=96))
"""What it is shown of each find; the mean of what it says counts, for an outline is seldom of quite the right size."""
BATCH = 5
"""So many finds at once, each in all VIEWS."""
DOUBTFUL = (0.005, 0.995)
"""Finds believed more than the first and less than the second are verified."""
LEAST_RANK = 1e-4
"""Is added to a rank's probability before it is multiplied: neither network rules any out."""
BESIDE = 0.25
"""Card widths within which another find of the same rank may show the same index."""
FUSION_FEATURES = 10
"""So many ``fusion_features`` are weighed of a find."""
Weights = Sequence[float]
"""A constant, and what each of the ``fusion_features`` counts; see ``fuse``."""


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    """What the verifier says of n finds: whether each shows an index that can be read, ``shows`` (n,) before the
    logistic function, and its ``ranks`` (n, 14) as in ClassScores."""

    shows: Floats
    ranks: Floats


def doubtful_indices(judged: ScoredDetections) -> NDArray[np.intp]:
    """Which finds the judge is not sure of, (m,)."""
    return np.flatnonzero((judged.kept > DOUBTFUL[0]) & (judged.kept < DOUBTFUL[1]))


def multiply_ranks(judged: ScoredDetections, places: NDArray[np.intp], views: Views) -> ScoredDetections:
    """``judged`` with the ranks of the finds at ``places`` (m,) multiplied by those that the verifier sees, as two
    looks at one thing."""
    ranks = judged.ranks.copy()
    ranks[places] = (ranks[places] + LEAST_RANK) * (views.ranks + LEAST_RANK)
    ranks[places] /= ranks[places].sum(1, keepdims=True)
    return replace(judged, ranks=ranks)


def fusion_features(
    named: ClassifiedDetections, judged: ScoredDetections, places: NDArray[np.intp], views: Views
) -> Floats:
    """What is weighed of the finds at ``places`` (m,), of which the verifier says ``views``, (m, FUSION_FEATURES).

    The judge's belief; what the verifier says of there being an index, of the rank that is given, and of the rank that
    it holds for likeliest; how far a find that is believed shows the same index, or has the same rank near by; how sure
    the rank is, and how sure the namer was of one; how well another find shows the same card's other end; and whether
    it is a joker. Probabilities as log odds.
    """
    ranks = judged.ranks.argmax(1)
    others = ~np.eye(len(ranks), dtype=bool)[places]
    apart = distances(middles_of(named))[places] / quads_of(named)[1][places, None]
    beside = others & (apart < BESIDE) & (ranks[places, None] == ranks[None])
    return floats(
        np.stack(
            [
                log_odds(judged.kept[places]),
                views.shows,
                log_odds(views.ranks[np.arange(len(places)), ranks[places]]),
                log_odds(views.ranks.max(1)),
                np.where(others, judged.same[places] * judged.kept, 0).max(1),
                np.where(beside, judged.kept, 0).max(1),
                log_odds(judged.ranks[places].max(1)),
                log_odds(named.names.ranks[places].max(1)),
                opposite_corner_support(named, places),
                ranks[places] == RANKS - 1,
            ],
            1,
        )
    )


def fuse(
    named: ClassifiedDetections, judged: ScoredDetections, places: NDArray[np.intp], views: Views, weights: Weights
) -> ScoredDetections:
    """``judged`` with the ranks of the finds at ``places`` (m,) and the belief in them weighed anew: this is the
    logistic function of a constant and their ``fusion_features``, which count as ``weights``
    (1 + FUSION_FEATURES,) say."""
    judged = multiply_ranks(judged, places, views)
    kept = judged.kept.copy()
    kept[places] = 1 / (1 + np.exp(-(weights[0] + fusion_features(named, judged, places, views) @ floats(weights[1:]))))
    return replace(judged, kept=kept)


class OnnxCropVerifier:
    """The verifier on ONNX Runtime."""

    def __init__(self, session: Any, weights: Weights, workers: Workers = SERIAL) -> None:
        """``session`` is an onnxruntime.InferenceSession with input ``views`` (n, 3, size, size) RGB 0..1 and outputs
        ``shows`` (n, 1), before the logistic function, and ``rank`` (n, 14), before softmax; ``weights`` are fitted to
        drawn tables; ``workers`` run it on several batches at once."""
        self._session, self._weights, self._workers = session, weights, workers

    def classify(self, levels: list[Pixels], named: ClassifiedDetections, places: NDArray[np.intp]) -> Views:
        """What it says of the named finds at ``places`` (m,) in the picture of a ``cutting.pyramid``."""
        quads, rights = quads_of(named)[0][places], np.array(named.rights, bool)[places]

        def work(some: slice) -> list[Floats]:
            views = np.concatenate([view.cut(levels, quads[some], rights[some]) for view in VIEWS])
            answers = self._session.run(["shows", "rank"], {"views": as_input(views)})
            return [floats(part.reshape(len(VIEWS), -1, part.shape[1]).mean(0)) for part in answers]

        answers = self._workers.map_batches(work, len(places), BATCH)
        shows, ranks = (np.concatenate(part) for part in zip(*answers, strict=True))
        return Views(floats(shows[:, 0]), softmax(ranks))

    def verify(self, levels: list[Pixels], named: ClassifiedDetections, judged: ScoredDetections) -> ScoredDetections:
        """``judged`` with what it is not sure of verified in the picture of a ``cutting.pyramid``."""
        places = doubtful_indices(judged)
        if not len(places):
            return judged
        return fuse(named, judged, places, self.classify(levels, named, places), self._weights)
