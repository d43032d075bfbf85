"""How much the verifier's word counts against the judge's, and how sure a card so read is: both fitted to drawn tables
that no network was trained on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from models.evaluate.metrics import named_right
from models.export.to_onnx import note_hashes
from models.samples.crop_verifier import chosen_of
from models.samples.reader_output import Seen, looks
from models.samples.relation_model import lesson_of
from vision.arrays import floats
from vision.cards.build import cards_from_pairs, deduplicated_corners, evidence
from vision.cards.pairing import pair
from vision.crops.pyramid import pyramid
from vision.engines.load import load_crop_verifier, load_relation_model
from vision.geometry import log_odds
from vision.rescore.crop_verifier import (
    FUSION_FEATURES,
    Views,
    Weights,
    doubtful_indices,
    fuse,
    fusion_features,
    multiply_ranks,
)
from vision.rescore.relation_model import CALIBRATION, ScoredDetections

UNVERIFIED: Weights = (0.0, 1.0, *[0.0] * (FUSION_FEATURES - 1))
"""With these the belief is the judge's, whatever the verifier says."""
Sureness = tuple[float, float, float, float]
UNSURE: Sureness = (0.0, 0.0, 0.0, 0.0)
LEAST_COUNT = 0.1
"""So much, in log odds, each sign of a right card counts at least: of cards named wrong of which several indices were
seen there are too few to tell."""


@dataclass(frozen=True, slots=True, eq=False)
class Doubted:
    """The finds of one table, ``judged``, and what the verifier says of those the judge is not sure of, at ``places``
    (m,)."""

    seen: Seen
    judged: ScoredDetections
    places: NDArray[np.intp]
    views: Views | None

    def fuse(self, weights: Weights) -> ScoredDetections:
        """The judge's word with the verifier's, which counts as ``weights`` say."""
        if self.views is None:
            return self.judged
        return fuse(self.seen.named, self.judged, self.places, self.views, weights)


def doubted_on(seed: int, count: int, weights: Path) -> list[Doubted]:
    """What all networks of ``weights`` say of ``count`` tables, drawn as ``finds.looks`` does."""
    judge, verifier = load_relation_model(weights), load_crop_verifier(weights)
    tables = []
    for picture, seen in looks(seed, 0, count, weights):
        judged = judge.score(seen.named)
        places = doubtful_indices(judged)
        views = verifier.classify(pyramid(picture), seen.named, places) if len(places) else None
        tables.append(Doubted(seen, judged, places, views))
    return tables


def fit_verified(tables: Sequence[Doubted]) -> Weights:
    """What ``verifier.fuse`` weighs, fitted to the doubtful finds of ``tables``: which of them to keep."""
    given, kept = [], []
    for table in tables:
        if table.views:
            lesson, named = lesson_of(table.seen), table.seen.named
            judged = multiply_ranks(table.judged, table.places, table.views)
            # an index that nobody is asked to read may be kept or not
            counts = lesson.asked[table.places] | (lesson.rank[table.places] < 0)
            given.append(fusion_features(named, judged, table.places, table.views)[counts])
            kept.append(chosen_of(judged, lesson)[table.places][counts])
    fitted = LogisticRegression(C=1, max_iter=1000).fit(np.concatenate(given), np.concatenate(kept))
    print(f"verifier: {sum(map(len, kept))} finds, {sum(part.sum() for part in kept)} to keep")
    return (float(fitted.intercept_[0]), *map(float, fitted.coef_[0]))


def fit_sureness(tables: Sequence[tuple[Seen, ScoredDetections]]) -> Sureness:
    """What ``RelationModel.card_confidence`` weighs, fitted to the cards read on ``tables``."""
    given, right = [], []
    for seen, judged in tables:
        corners, readings = deduplicated_corners(seen.named, judged)
        paired = pair(corners)
        given += evidence(paired)
        right += named_right(seen.table, cards_from_pairs(paired, readings, lambda *_: 1.0))
    shares, found, several = np.array(given).T
    told = np.stack([log_odds(floats(shares)), log_odds(floats(found)), several > 1], 1)
    given_one = np.column_stack([np.ones(len(right)), told])
    way = np.where(right, -1, 1)

    def unlikely(counts: NDArray[np.float64]) -> float:
        return float(np.logaddexp(0, way * (given_one @ counts)).mean())

    bounds = [(None, None), *[(LEAST_COUNT, None)] * told.shape[1]]
    fitted = minimize(unlikely, np.full(len(bounds), 0.5), method="L-BFGS-B", bounds=bounds)
    print(f"calibration: {len(right)} cards, {sum(right)} right")
    constant, by_share, by_found, by_several = map(float, fitted.x)
    return constant, by_share, by_found, by_several


def note(weights: Path, sureness: Sureness, verified: Weights = UNVERIFIED) -> None:
    """Writes both to the folder ``weights``."""
    text = json.dumps({"sureness": sureness, "verified": verified}, indent=1)
    (weights / CALIBRATION).write_text(text + "\n", encoding="utf-8")
    note_hashes(weights)


def calibrate(tables: Sequence[Doubted], weights: Path) -> None:
    """Fits both to ``tables`` and writes them to the folder ``weights``."""
    verified = fit_verified(tables)
    note(weights, fit_sureness([(table.seen, table.fuse(verified)) for table in tables]), verified)
