"""Calibration on drawn tables that no network was trained on: how sure a card and its name are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from models.evaluate.metrics import cards_there, right_ranks
from models.samples.relations import LabelledTable
from vision.arrays import floats
from vision.cards.build import cards_from_pairs, deduplicated_corners, evidence
from vision.cards.pairing import pair
from vision.detect.detections import ScoredDetections
from vision.geometry import log_odds
from vision.rescore.relations import Certainty

UNCALIBRATED: Certainty = (0.0, 0.0, 0.0)
MIN_WEIGHT = 0.1
"""Smallest weight of each sign of a right card, in log odds: too few cards with several indices are wrong to fit it."""


def fit_certainties(tables: Sequence[tuple[LabelledTable, ScoredDetections]]) -> dict[str, Sequence[float]]:
    """Fits the weights of ``Relations``: "name" to the cards read that are there, by which have the right rank, and
    "there" to all cards read; UNCALIBRATED where none was read."""
    evidences, right, there = _judged(tables)
    if not any(there):
        return {"name": UNCALIBRATED, "there": UNCALIBRATED}
    shares, scores, counts = np.array(evidences).T
    here = np.array(there)
    return {
        "name": _fitted(np.stack([log_odds(floats(shares)), counts > 1], 1)[here], np.array(right)[here].tolist()),
        "there": _fitted(np.stack([log_odds(floats(scores)), counts > 1], 1), there),
    }


def _judged(
    tables: Sequence[tuple[LabelledTable, ScoredDetections]],
) -> tuple[list[tuple[float, float, int]], list[bool], list[bool]]:
    """The evidence of all cards read on ``tables``, whether each has the right rank, and whether it is there."""
    evidences, right, there = [], list[bool](), list[bool]()
    for table, scored in tables:
        corners, readings = deduplicated_corners(scored)
        paired = pair(corners)
        evidences += evidence(paired)
        cards = cards_from_pairs(paired, readings, lambda *_: 1.0, scored.vocabulary)
        right += right_ranks(table.table, cards)
        there += cards_there(table.table, cards)
    return evidences, right, there


def _fitted(features: NDArray[np.floating], right: Sequence[bool]) -> list[float]:
    """A constant and weights, by maximum likelihood, of the log odds with which ``features`` (n, k) say what is
    ``right`` (n)."""
    features_and_one = np.column_stack([np.ones(len(right)), features])
    sign = np.where(right, -1, 1)

    def negative_log_likelihood(weights: NDArray[np.float64]) -> float:
        return float(np.logaddexp(0, sign * (features_and_one @ weights)).mean())

    bounds = [(None, None), *[(MIN_WEIGHT, None)] * features.shape[1]]
    fitted = minimize(negative_log_likelihood, np.full(len(bounds), 0.5), method="L-BFGS-B", bounds=bounds)
    print(f"calibration: {len(right)} cards, {sum(right)} right")
    return [float(weight) for weight in fitted.x]
