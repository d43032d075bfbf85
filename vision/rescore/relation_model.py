"""What judges the finds once the other networks have spoken: which are indices to keep, and which show the same one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.arrays import Floats, floats, softmax
from vision.geometry import log_odds
from vision.recognise.classify import ClassifiedDetections
from vision.rescore import features, pair_features

RELATION_MODEL, CALIBRATION = "relation_model.onnx", "calibration.json"
INPUT_NAMES = ("told", "patches", "windows", "places", "there", "between")
"""What the judge's network takes; see ``model_inputs``."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoredDetections:
    """Of each named find how likely it is the one to keep of an index that can be read, and is named right, ``kept``
    (n,); its ``ranks`` (n, 14) as in ClassScores, weighed anew; and of each two how likely they show the same index,
    ``same`` (n, n)."""

    kept: Floats
    ranks: Floats
    same: Floats


def model_inputs(named: ClassifiedDetections) -> dict[str, Any]:
    """What the network takes: all that is told of each find, what namer and settler saw of it, and its neighbours."""
    around = pair_features.find_neighbours(named)
    given = (
        features.node_features(named),
        named.names.seen,
        named.windows,
        around.places,
        around.there,
        around.told,
    )
    return dict(zip(INPUT_NAMES, given, strict=True))


class RelationModel:
    """A network that sees all finds of a picture together, on ONNX Runtime, and how sure cards are that it kept."""

    def __init__(self, session: Any, calibration: tuple[float, float, float, float]) -> None:
        """``session`` is an onnxruntime.InferenceSession with the inputs INPUT_NAMES and the outputs ``kept`` (n,),
        ``rank`` (n, 14) and ``same`` (n, NEIGHBOURS), before the logistic function or softmax; ``calibration`` is what
        ``sureness`` weighs: a constant, log odds of the rank and of the belief, several indices."""
        self._session, self._calibration = session, calibration

    def score(self, named: ClassifiedDetections) -> ScoredDetections:
        """Judges all named finds of one picture."""
        count = len(named.places)
        if not count:
            return ScoredDetections(np.zeros(0, np.float32), named.names.ranks, np.zeros((0, 0), np.float32))
        given = model_inputs(named)
        kept, ranks, pairs = self._session.run(["kept", "rank", "same"], given)
        same, said = np.zeros((2, count, count))
        here, there = np.nonzero(given["there"])
        other = given["places"][here, there]
        same[here, other] = _likely(pairs[here, there])
        said[here, other] = 1
        # both of a pair may say it of the other; where one alone does its word counts
        return ScoredDetections(
            kept=_likely(kept),
            ranks=softmax(ranks),
            same=floats((same + same.T) / np.maximum(said + said.T, 1)),
        )

    def card_confidence(self, share: float, found: float, indices: int) -> float:
        """How often a card so named has the right rank, 0..1: a logistic fit to cards read on drawn tables.

        ``share`` is the likeliest rank's, ``found`` the belief in the card's surest index, ``indices`` how many were
        seen.
        """
        constant, by_share, by_found, by_several = self._calibration
        odds, believed = log_odds(floats([share, found])).tolist()
        score = constant + by_share * odds + by_found * believed + by_several * (indices > 1)
        return 1 / (1 + math.exp(-score))


def _likely(scores: Floats) -> Floats:
    """The logistic function, by one that bears scores of any size."""
    return floats((1 + np.tanh(scores / 2)) / 2)
