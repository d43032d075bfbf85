"""The crop verifier: a closer view of the detections that the relation model is not sure of.

The outline refiner sees a whole card, but small; the index classifier sees an index, but nothing around it. Where cards
lie close together or a joker's word runs along an edge, it takes both to tell whether there is a readable index.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, floats, softmax
from vision.crops.batching import SERIAL, Workers
from vision.crops.index_view import IndexView
from vision.crops.pyramid import as_input
from vision.detect.detections import RANK_COUNT, ClassifiedDetections, Column, Columns, ScoredDetections
from vision.geometry import distances, log_odds
from vision.rescore.features import opposite_corner_support
from vision.values import Pixels

CROP_VERIFIER = "crop_verifier.onnx"
"""File name in a folder of weights."""
INPUT, OUTPUTS = "views", ("shows", "rank")
"""Names baked into the weights."""
VIEW = IndexView(across=0.46, above=0.46, size=96)
"""The view used in training."""
VIEWS = (VIEW, IndexView(across=0.42, above=0.42, size=96), IndexView(across=0.51, above=0.51, size=96))
"""The views whose answers are averaged, because an outline seldom has quite the right size."""
BATCH = 5
"""So many detections at once, each in all VIEWS."""
UNCERTAIN = (0.005, 0.995)
"""Detections with a ``p_keep`` between these are verified; outside, the relation model is sure enough."""
MIN_RANK = 1e-4
"""Smoothing, so that no rank becomes impossible."""
BESIDE = 0.25
"""Card widths: another detection of the same rank this near may show the same index."""
FUSION_FEATURES = 10
"""Number of ``fusion_features``; the weights in calibration.json are fitted to them."""
Weights = Sequence[float]
"""Weights of ``fuse``: a constant and one for each of the ``fusion_features``."""


@dataclass(frozen=True, slots=True, eq=False)
class CropScores(Columns):
    """What the network says of n detections.

    Attributes:
        index_logit: (n,), log odds that there is a readable index.
        ranks: (n, 14), rank probabilities as in ``ClassScores``.
    """

    COLUMNS: ClassVar[dict[str, Column]] = {"index_logit": Column(), "ranks": Column((RANK_COUNT,))}
    index_logit: Floats
    ranks: Floats


def uncertain_indices(detections: ScoredDetections) -> NDArray[np.intp]:
    """Indices (m,) of the detections that the relation model is not sure of."""
    return np.flatnonzero((detections.p_keep > UNCERTAIN[0]) & (detections.p_keep < UNCERTAIN[1]))


def multiply_ranks(detections: ScoredDetections, indices: NDArray[np.intp], crops: CropScores) -> ScoredDetections:
    """``detections`` with the rank probabilities at ``indices`` (m,) multiplied by those of ``crops``.

    The two networks are treated as independent observations of the same index.
    """
    ranks = detections.final_ranks.copy()
    ranks[indices] = (ranks[indices] + MIN_RANK) * (crops.ranks + MIN_RANK)
    ranks[indices] /= ranks[indices].sum(1, keepdims=True)
    return replace(detections, final_ranks=ranks)


def fusion_features(detections: ScoredDetections, indices: NDArray[np.intp], crops: CropScores) -> Floats:
    """Features of the detections at ``indices`` (m,) that decide whether to keep them, (m, FUSION_FEATURES).

    Probabilities as log odds: ``p_keep``; the verifier's index, its probability of the final rank and of its own; the
    final rank and the classifier's own. Then the strongest other detection of the same index, and of the same rank
    nearby; how well another detection shows the card's opposite corner; and whether it is a joker.
    """
    ranks = detections.final_ranks.argmax(1)
    others = ~np.eye(len(ranks), dtype=bool)[indices]
    widths = detections.card_widths(at_least=1)
    apart = distances(detections.box_centres())[indices] / widths[indices, None]
    beside = others & (apart < BESIDE) & (ranks[indices, None] == ranks[None])
    return floats(
        np.stack(
            [
                log_odds(detections.p_keep[indices]),
                crops.index_logit,
                log_odds(crops.ranks[np.arange(len(indices)), ranks[indices]]),
                log_odds(crops.ranks.max(1)),
                np.where(others, detections.p_same[indices] * detections.p_keep, 0).max(1),
                np.where(beside, detections.p_keep, 0).max(1),
                log_odds(detections.final_ranks[indices].max(1)),
                log_odds(detections.ranks[indices].max(1)),
                opposite_corner_support(detections, indices),
                ranks[indices] == RANK_COUNT - 1,
            ],
            1,
        )
    )


def fuse(
    detections: ScoredDetections, indices: NDArray[np.intp], crops: CropScores, weights: Weights
) -> ScoredDetections:
    """``detections`` with ranks and ``p_keep`` at ``indices`` (m,) combined with what the verifier says of them.

    ``p_keep`` becomes the logistic function of the ``fusion_features``, weighted by ``weights``.
    """
    detections = multiply_ranks(detections, indices, crops)
    features, p_keep = fusion_features(detections, indices, crops), detections.p_keep.copy()
    p_keep[indices] = 1 / (1 + np.exp(-(weights[0] + features @ floats(weights[1:]))))
    return replace(detections, p_keep=p_keep)


class OnnxCropVerifier:
    """The crop verifier on ONNX Runtime."""

    def __init__(self, session: Any, weights: Weights, workers: Workers = SERIAL) -> None:
        """
        Args:
            session: an onnxruntime.InferenceSession with INPUT (n, 3, size, size) RGB 0..1 and OUTPUTS (n, 1), before
                the logistic function, and (n, 14), before softmax.
            weights: of ``fuse``, fitted to drawn tables.
            workers: run it on several batches at once.
        """
        self._session, self._weights, self._workers = session, weights, workers

    def classify(self, levels: list[Pixels], detections: ClassifiedDetections, indices: NDArray[np.intp]) -> CropScores:
        """What the network says of the detections at ``indices`` (m,), m at least one.

        ``levels`` is the picture's ``pyramid.pyramid``.
        """
        quads, on_right = detections.quads[indices], detections.index_on_right[indices]

        def run_batch(rows: slice) -> list[Floats]:
            views = np.concatenate([view.crop(levels, quads[rows], on_right[rows]) for view in VIEWS])
            outputs = self._session.run(OUTPUTS, {INPUT: as_input(views)})
            return [floats(output.reshape(len(VIEWS), -1, output.shape[1]).mean(0)) for output in outputs]

        batches = self._workers.map_batches(run_batch, len(indices), BATCH)
        shows, ranks = (np.concatenate(part) for part in zip(*batches, strict=True))
        return CropScores(floats(shows[:, 0]), softmax(ranks))

    def verify(self, levels: list[Pixels], detections: ScoredDetections) -> ScoredDetections:
        """``detections`` with the uncertain ones verified in the picture of a ``pyramid.pyramid``."""
        indices = uncertain_indices(detections)
        if not len(indices):
            return detections
        return fuse(detections, indices, self.classify(levels, detections, indices), self._weights)
