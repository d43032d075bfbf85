"""The relation model: a graph attention network over all detections of a picture.

It decides which detections are indices to keep, which of them show the same index, and what rank each has.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from vision.arrays import Floats, floats, softmax
from vision.detect.detections import ClassifiedDetections, ScoredDetections
from vision.geometry import log_odds
from vision.rescore import features, pair_features

RELATION_MODEL, CALIBRATION = "relation_model.onnx", "calibration.json"
"""File names in a folder of weights."""
INPUT_NAMES = ("told", "patches", "windows", "places", "there", "between")
OUTPUT_NAMES = ("kept", "rank", "same")
"""Names baked into the weights. Inputs are node features, the embeddings of classifier and refiner, and of the
neighbours their indices, presence and edge features; see ``model_inputs``."""


def model_inputs(detections: ClassifiedDetections) -> dict[str, Any]:
    """The network's inputs by their INPUT_NAMES."""
    neighbours = pair_features.find_neighbours(detections)
    inputs = (
        features.node_features(detections),
        detections.patch_embedding,
        detections.embedding,
        neighbours.indices,
        neighbours.present,
        neighbours.features,
    )
    return dict(zip(INPUT_NAMES, inputs, strict=True))


class RelationModel:
    """The relation model on ONNX Runtime, and the calibrated confidence of the cards read from its scores."""

    def __init__(self, session: Any, calibration: tuple[float, float, float, float]) -> None:
        """
        Args:
            session: an onnxruntime.InferenceSession with INPUT_NAMES and OUTPUT_NAMES: (n,), (n, 14) and
                (n, NEIGHBOURS), before the logistic function or softmax.
            calibration: weights of ``card_confidence``: a constant, log odds of the rank, log odds of ``p_keep``,
                several indices.
        """
        self._session, self._calibration = session, calibration

    def score(self, detections: ClassifiedDetections) -> ScoredDetections:
        """Scores all detections of one picture against each other."""
        count = len(detections)
        if not count:
            nothing, pairs = np.zeros(0, np.float32), np.zeros((0, 0), np.float32)
            return ScoredDetections.extend(detections, p_keep=nothing, final_ranks=detections.ranks, p_same=pairs)
        inputs = self._inputs(detections)
        keep, ranks, same = self._outputs(inputs, detections)
        p_same, scored = np.zeros((2, count, count))
        here, neighbour = np.nonzero(inputs["there"])
        other = inputs["places"][here, neighbour]
        p_same[here, other] = _logistic(same[here, neighbour])
        scored[here, other] = 1
        # each of a pair may be among the other's neighbours: the mean, or the only score there is
        return ScoredDetections.extend(
            detections,
            p_keep=_logistic(keep),
            final_ranks=softmax(ranks),
            p_same=floats((p_same + p_same.T) / np.maximum(scored + scored.T, 1)),
        )

    def _inputs(self, detections: ClassifiedDetections) -> dict[str, Any]:
        return model_inputs(detections)

    def _outputs(self, inputs: dict[str, Any], detections: ClassifiedDetections) -> tuple[Floats, Floats, Floats]:
        """Logits of keeping each detection, (n,), of its ranks, (n, 14), and of showing the same index as each of its
        neighbours, (n, NEIGHBOURS)."""
        keep, ranks, same = self._session.run(OUTPUT_NAMES, inputs)
        return keep, ranks, same

    def card_confidence(self, p_rank: float, p_keep: float, indices: int) -> float:
        """Probability that a card has the right rank, 0..1: a logistic fit to cards read on drawn tables.

        Args:
            p_rank: probability of the card's most probable rank.
            p_keep: the highest of its indices.
            indices: how many of its indices were detected.
        """
        constant, by_rank, by_keep, by_several = self._calibration
        rank_odds, keep_odds = log_odds(floats([p_rank, p_keep])).tolist()
        score = constant + by_rank * rank_odds + by_keep * keep_odds + by_several * (indices > 1)
        return 1 / (1 + math.exp(-score))


def _logistic(scores: Floats) -> Floats:
    """The logistic function, in a form that does not overflow."""
    return floats((1 + np.tanh(scores / 2)) / 2)
