"""Relations: a graph attention network that weighs all detections of a picture against each other, without any rank.

It decides which detections are indices to keep, which of them show the same index, and what rank each has.

Of what is printed it is told only how sure a name is, how well the names of two detections agree, and whether it is a
sign such as a joker's: those look like much else on a table, and need more that speaks for them. So it need not be
trained again for another deck, nor for another RoI head of the same quality.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from vision.arrays import Floats, floats, softmax
from vision.detect.detections import ClassifiedDetections, ScoredDetections
from vision.geometry import log_odds
from vision.rescore import features, pair_features

RELATIONS, CALIBRATION = "relations.onnx", "calibration.json"
"""File names in a folder of weights."""
INPUT_NAMES, OUTPUT_NAMES = ("told", "places", "there", "between"), ("kept", "same", "trust", "share")
"""Names baked into the weights: ``told`` (n, NODE_FEATURES), ``places`` and ``there`` (n, NEIGHBOURS), ``between``
(n, NEIGHBOURS, EDGE_FEATURES); (n,), (n, NEIGHBOURS), (n,), (n, NEIGHBOURS)."""
NODE_FEATURES = len(features.BASE_FEATURES) + 3 + features.GEOMETRY_FEATURES
EDGE_FEATURES = pair_features.EDGE_FEATURES + 1
MIN_SHARE = 1e-3
"""Added to probabilities before the logarithm."""


def relation_inputs(detections: ClassifiedDetections) -> dict[str, Any]:
    """The network's inputs by their INPUT_NAMES."""
    entropies = [-(shares * np.log(shares + 1e-6)).sum(1) for shares in (detections.ranks, detections.suits)]
    sign = log_odds(floats(detections.ranks[:, detections.vocabulary.signs].sum(1)), 1e-3)
    base, lying = features.base_features(detections), features.geometry_features(detections)
    told = np.column_stack([base, *entropies, sign, lying])
    neighbours = pair_features.find_neighbours(detections)
    unit = detections.embedding / np.maximum(np.linalg.norm(detections.embedding, axis=1, keepdims=True), 1e-6)
    alike = (unit[:, None] * unit[neighbours.indices]).sum(2) * neighbours.present
    between = np.concatenate([neighbours.features, alike[..., None]], 2)
    return {
        "told": floats(told),
        "places": neighbours.indices,
        "there": neighbours.present,
        "between": floats(between),
    }


def log_shares(shares: Floats) -> Floats:
    """The logarithms that are weighed, of probabilities (n, 14)."""
    return floats(np.log(shares + MIN_SHARE))


Certainty = tuple[float, float, float]
"""Weights of the log odds that something is so: a constant, its own log odds, and several indices."""


class Relations:
    """The network on ONNX Runtime; it weighs the names that a deck head gave, and makes none.

    How sure a name is and how sure it is that a card lies there are two things, each fitted to drawn tables: two clear
    indices of a card say much for the card, and nothing for a name that neither shows clearly.
    """

    def __init__(self, session: Any, name: Certainty, there: Certainty) -> None:
        """
        Args:
            session: an onnxruntime.InferenceSession with INPUT_NAMES and OUTPUT_NAMES.
            name: fitted weights of a name's probability; its log odds are those of the rank.
            there: those of a card's; its log odds are those of ``p_keep``.
        """
        self._session, self._name, self._there = session, name, there

    def score(self, detections: ClassifiedDetections) -> ScoredDetections:
        """Scores all detections of one picture against each other."""
        count = len(detections)
        if not count:
            nothing, pairs = np.zeros(0, np.float32), np.zeros((0, 0), np.float32)
            return ScoredDetections.extend(detections, p_keep=nothing, final_ranks=detections.ranks, p_same=pairs)
        inputs = relation_inputs(detections)
        keep, same, trust, share = self._session.run(OUTPUT_NAMES, inputs)
        names, places = log_shares(detections.ranks), inputs["places"]
        others = np.where(inputs["there"], share, 0)
        ranks = trust[:, None] * names + np.einsum("nk,nkr->nr", others, names[places])
        p_same, scored = np.zeros((2, count, count))
        here, neighbour = np.nonzero(inputs["there"])
        other = places[here, neighbour]
        p_same[here, other] = _logistic(same[here, neighbour])
        scored[here, other] = 1
        # each of a pair may be among the other's neighbours: the mean, or the only score there is
        return ScoredDetections.extend(
            detections,
            p_keep=_logistic(keep),
            final_ranks=softmax(floats(ranks)),
            p_same=floats((p_same + p_same.T) / np.maximum(scored + scored.T, 1)),
        )

    def name_confidence(self, p_rank: float, indices: int) -> float:
        """Probability that the name of a card that lies there has the right rank, 0..1."""
        return _certain(self._name, p_rank, indices)

    def there_confidence(self, p_keep: float, indices: int) -> float:
        """Probability that a card lies there, whatever its name, 0..1."""
        return _certain(self._there, p_keep, indices)

    def card_confidence(self, p_rank: float, p_keep: float, indices: int) -> float:
        """Probability that a card lies there and has the right rank: never more than either.

        Args:
            p_rank: probability of the card's most probable rank.
            p_keep: the highest of its indices.
            indices: how many of its indices were detected.
        """
        return self.name_confidence(p_rank, indices) * self.there_confidence(p_keep, indices)


def _certain(weights: Certainty, share: float, indices: int) -> float:
    odds = weights[0] + weights[1] * float(log_odds(floats([share]))[0]) + weights[2] * (indices > 1)
    return 1 / (1 + math.exp(-odds))


def _logistic(scores: Floats) -> Floats:
    """The logistic function, in a form that does not overflow."""
    return floats((1 + np.tanh(scores / 2)) / 2)
