"""The second relation model: all detections of a picture weighed against each other, without any rank.

Of what is printed it is told only how sure a name is, how well the names of two detections agree, and whether it is a
sign such as a joker's: those look like much else on a table, and need more that speaks for them. So it need not be
trained again for another deck, nor for another RoI head of the same quality.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from vision.arrays import Floats, floats
from vision.detect.detections import ClassifiedDetections
from vision.geometry import log_odds
from vision.rescore import features, pair_features
from vision.rescore.relation_model import RelationModel

RELATIONS = "relations.onnx"
"""File name in a folder of weights."""
INPUT_NAMES, OUTPUT_NAMES = ("told", "places", "there", "between"), ("kept", "same", "trust", "share")
"""Names baked into the weights: ``told`` (n, NODE_FEATURES), ``places`` and ``there`` (n, NEIGHBOURS), ``between``
(n, NEIGHBOURS, EDGE_FEATURES); (n,), (n, NEIGHBOURS), (n,), (n, NEIGHBOURS)."""
RANKLESS = tuple(
    name for name in features.BASE_FEATURES if name not in ("index by classifier", "joker", "corner shift")
)
"""Those of BASE_FEATURES that are used; of ``rank`` and ``suit`` they hold how sure they are, and no more."""
NODE_FEATURES = len(RANKLESS) + 3 + features.GEOMETRY_FEATURES
EDGE_FEATURES = pair_features.EDGE_FEATURES + 1
MIN_SHARE = 1e-3
"""Added to probabilities before the logarithm."""


def relation_inputs(detections: ClassifiedDetections) -> dict[str, Any]:
    """The network's inputs by their INPUT_NAMES."""
    base = features.base_features(detections)[:, [features.BASE_FEATURES.index(name) for name in RANKLESS]]
    entropies = [-(shares * np.log(shares + 1e-6)).sum(1) for shares in (detections.ranks, detections.suits)]
    sign = log_odds(floats(detections.ranks[:, detections.vocabulary.signs].sum(1)), 1e-3)
    told = np.column_stack([base, *entropies, sign, features.geometry_features(detections)])
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


class Relations(RelationModel):
    """The network on ONNX Runtime; it weighs the names that the RoI head gave, and makes none.

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
        super().__init__(session, (0.0, 0.0, 0.0, 0.0))
        self._name, self._there = name, there

    def name_confidence(self, p_rank: float, indices: int) -> float:
        """Probability that the name of a card that lies there has the right rank, 0..1."""
        return _certain(self._name, p_rank, indices)

    def there_confidence(self, p_keep: float, indices: int) -> float:
        """Probability that a card lies there, whatever its name, 0..1."""
        return _certain(self._there, p_keep, indices)

    def card_confidence(self, p_rank: float, p_keep: float, indices: int) -> float:
        """Probability that a card lies there and has the right rank: never more than either."""
        return self.name_confidence(p_rank, indices) * self.there_confidence(p_keep, indices)

    def _inputs(self, detections: ClassifiedDetections) -> dict[str, Any]:
        return relation_inputs(detections)

    def _outputs(self, inputs: dict[str, Any], detections: ClassifiedDetections) -> tuple[Floats, Floats, Floats]:
        keep, same, trust, share = self._session.run(OUTPUT_NAMES, inputs)
        names = log_shares(detections.ranks)
        others = np.where(inputs["there"], share, 0)
        return keep, floats(trust[:, None] * names + np.einsum("nk,nkr->nr", others, names[inputs["places"]])), same


def _certain(weights: Certainty, share: float, indices: int) -> float:
    odds = weights[0] + weights[1] * float(log_odds(floats([share]))[0]) + weights[2] * (indices > 1)
    return 1 / (1 + math.exp(-odds))
