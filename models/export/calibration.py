"""Calibration on drawn tables that no network was trained on: the weights of the crop verifier's output against the
relation model's, and the confidence of the cards so read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from models.evaluate.metrics import cards_there, right_ranks
from models.export.to_onnx import write_manifest
from models.samples.crop_verifier import detections_to_keep
from models.samples.reader_output import LabelledTable, read_tables_with_pictures
from models.samples.relation_model import sample_of
from vision.arrays import floats
from vision.cards.build import cards_from_pairs, deduplicated_corners, evidence
from vision.cards.pairing import pair
from vision.crops.pyramid import pyramid
from vision.detect.detections import ScoredDetections
from vision.engines.load import load_crop_verifier, load_relation_model
from vision.geometry import log_odds
from vision.rescore.crop_verifier import (
    FUSION_FEATURES,
    CropScores,
    Weights,
    fuse,
    fusion_features,
    multiply_ranks,
    uncertain_indices,
)
from vision.rescore.relation_model import CALIBRATION

RELATION_MODEL_ONLY: Weights = (0.0, 1.0, *[0.0] * (FUSION_FEATURES - 1))
"""Weights with which the relation model's scores count alone."""
ConfidenceWeights = tuple[float, float, float, float]
UNCALIBRATED: ConfidenceWeights = (0.0, 0.0, 0.0, 0.0)
MIN_WEIGHT = 0.1
"""Smallest weight of each sign of a right card, in log odds: too few cards with several indices are wrong to fit it."""


@dataclass(frozen=True, slots=True, eq=False)
class DoubtfulTable:
    """One table with its ``scored`` detections, and the crop verifier's output (``views``) for the doubtful ones, at
    ``places`` (m,)."""

    table: LabelledTable
    scored: ScoredDetections
    places: NDArray[np.intp]
    views: CropScores | None

    def fused(self, weights: Weights) -> ScoredDetections:
        """Combines both networks' outputs with ``weights``."""
        if self.views is None:
            return self.scored
        return fuse(self.scored, self.places, self.views, weights)


def doubtful_tables(seed: int, count: int, weights: Path) -> list[DoubtfulTable]:
    """Draws ``count`` tables and runs all networks of ``weights`` on them."""
    model, verifier = load_relation_model(weights), load_crop_verifier(weights)
    tables = []
    for picture, table in read_tables_with_pictures(seed, 0, count, weights):
        scored = model.score(table.detections)
        places = uncertain_indices(scored)
        views = verifier.classify(pyramid(picture), scored, places) if len(places) else None
        tables.append(DoubtfulTable(table, scored, places, views))
    return tables


def fit_fusion(tables: Sequence[DoubtfulTable]) -> Weights:
    """Fits the weights of ``fuse`` to the doubtful detections of ``tables``, by which of them are to be kept."""
    features, keep = [], []
    for table in tables:
        if table.views:
            sample = sample_of(table.table)
            scored = multiply_ranks(table.scored, table.places, table.views)
            # an index that need not be read may be kept or not
            counts = sample.required[table.places] | (sample.rank[table.places] < 0)
            features.append(fusion_features(scored, table.places, table.views)[counts])
            keep.append(detections_to_keep(scored, sample)[table.places][counts])
    fitted = LogisticRegression(C=1, max_iter=1000).fit(np.concatenate(features), np.concatenate(keep))
    print(f"crop verifier: {sum(map(len, keep))} detections, {sum(part.sum() for part in keep)} to keep")
    return (float(fitted.intercept_[0]), *map(float, fitted.coef_[0]))


def fit_confidence(tables: Sequence[tuple[LabelledTable, ScoredDetections]]) -> ConfidenceWeights:
    """Fits the weights of ``RelationModel.card_confidence`` to the cards read on ``tables``, by maximum
    likelihood; UNCALIBRATED where none was read."""
    evidences, right, _ = _judged(tables)
    if not evidences:
        return UNCALIBRATED
    shares, scores, counts = np.array(evidences).T
    fitted = _fitted(np.stack([log_odds(floats(shares)), log_odds(floats(scores)), counts > 1], 1), right)
    constant, by_share, by_score, by_several = fitted
    return constant, by_share, by_score, by_several


def fit_certainties(tables: Sequence[tuple[LabelledTable, ScoredDetections]]) -> dict[str, Sequence[float]]:
    """Fits the weights of ``Relations``: "name" to the cards read that are there, by which have the right rank, and
    "there" to all cards read."""
    evidences, right, there = _judged(tables)
    if not any(there):
        return {"name": UNCALIBRATED[:3], "there": UNCALIBRATED[:3]}
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


def write_calibration(weights: Path, confidence: ConfidenceWeights, fusion: Weights = RELATION_MODEL_ONLY) -> None:
    """Writes both to the folder ``weights``."""
    write_fitted(weights, {"sureness": confidence, "verified": fusion})


def write_fitted(weights: Path, fitted: Mapping[str, Sequence[float]]) -> None:
    """Writes the ``fitted`` weights, beside others that the folder ``weights`` has, and the hashes of all files."""
    path = weights / CALIBRATION
    kept: dict[str, Sequence[float]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    path.write_text(json.dumps({**kept, **fitted}, indent=1) + "\n", encoding="utf-8")
    write_manifest(weights)


def calibrate(tables: Sequence[DoubtfulTable], weights: Path) -> None:
    """Fits both to ``tables`` and writes them to the folder ``weights``."""
    fusion = fit_fusion(tables)
    write_calibration(weights, fit_confidence([(table.table, table.fused(fusion)) for table in tables]), fusion)
