"""Uncertain detections, verified from a closer view."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.vision.rescore.synthetic import PICTURE_SIZE, classified, scored
from vision.arrays import floats
from vision.geometry import log_odds
from vision.rescore.crop_verifier import (
    BATCH,
    FUSION_FEATURES,
    VIEW,
    VIEWS,
    CropScores,
    OnnxCropVerifier,
    fuse,
    fusion_features,
    multiply_ranks,
    uncertain_indices,
)

WEIGHTS = (0.5, 1.0, 2.0, 0.25, 0.1, -3.0, -1.0, 0.3, 0.2, -0.4, 0.6)
PIXELS = np.full((PICTURE_SIZE[1], PICTURE_SIZE[0], 3), 90, np.uint8)


class Session:
    """Answers for every view that it shows an index, a five."""

    def __init__(self) -> None:
        self.views: list[np.ndarray] = []

    def run(self, _names: list[str], inputs: dict[str, Any]) -> list[np.ndarray]:
        self.views += [*inputs["views"]]
        count = len(inputs["views"])
        return [np.full((count, 1), 1.5, np.float32), np.eye(14, dtype=np.float32)[[4] * count] * 9]


def test_only_uncertain_detections_are_verified() -> None:
    detections = scored(classified((0, 0, 0.9, 4), (200, 0, 0.5, 4), (400, 0, 0.1, 4)), [0.999, 0.4, 0.001], rank=4)
    session = Session()
    after = OnnxCropVerifier(session, WEIGHTS).verify([PIXELS], detections)
    assert len(session.views) == len(VIEWS) and uncertain_indices(detections).tolist() == [1]
    assert after.p_keep[[0, 2]] == pytest.approx(detections.p_keep[[0, 2]])
    assert after.p_keep[1] > 0.9, "there is an index, of the rank that the relation model gave"
    assert detections.p_keep[1] == pytest.approx(0.4), "the input stays as it was"


def test_views_are_given_as_rgb_shares() -> None:
    session = Session()
    pixels = np.zeros((PICTURE_SIZE[1], PICTURE_SIZE[0], 3), np.uint8)
    pixels[..., 2] = 255
    OnnxCropVerifier(session, WEIGHTS).verify([pixels], scored(classified((0, 0, 0.5, 4)), [0.5], rank=4))
    view = session.views[0]
    assert view.shape == (3, VIEW.size, VIEW.size) and view.dtype == np.float32
    # red first; the grey beyond the picture is left out
    assert view[:, -20:, -20:].mean((1, 2)) == pytest.approx([1, 0, 0])


class CountingSession(Session):
    """Answers differently for every view."""

    def run(self, names: list[str], inputs: dict[str, Any]) -> list[np.ndarray]:
        before = len(self.views)
        _, ranks = super().run(names, inputs)
        return [np.arange(before, len(self.views), dtype=np.float32)[:, None], ranks]


def test_the_answers_for_the_views_of_a_detection_are_averaged() -> None:
    detections, session = classified(*((200 * n, 0, 0.5, 4) for n in range(7))), CountingSession()
    crops = OnnxCropVerifier(session, WEIGHTS).classify([PIXELS], detections, np.arange(7))
    assert len(session.views) == 21, "more than one batch"
    # of the first detection in a batch of five: views 0, 5 and 10
    parts = [np.arange(start, start + 3 * count).reshape(3, count).mean(0) for start, count in ((0, BATCH), (15, 2))]
    assert crops.index_logit == pytest.approx(np.concatenate(parts))
    assert crops.ranks.shape == (7, 14)


def test_nothing_is_run_where_the_relation_model_is_sure_of_all() -> None:
    session = Session()
    detections = scored(classified((0, 0, 0.9, 4), (200, 0, 0.1, 4)), [0.9999, 0.0001], rank=4)
    assert OnnxCropVerifier(session, WEIGHTS).verify([PIXELS], detections) is detections
    assert not session.views


def test_the_fusion_features_are_those_the_weights_are_fitted_to() -> None:
    detections = scored(classified((0, 0, 0.5, 4), (20, 0, 0.5, 4)), [0.3, 0.9], rank=4)
    detections.p_same[:] = [[1, 0.8], [0.8, 1]]
    ranks = np.full((2, 14), 0.02, np.float32)
    ranks[0, 4] = ranks[1, 9] = 0.74
    crops, indices = CropScores(floats([1.5, -2.0]), ranks), np.arange(2)
    features = fusion_features(detections, indices, crops)
    assert features.shape == (2, FUSION_FEATURES) == (2, len(WEIGHTS) - 1)
    assert features[:, 0] == pytest.approx(log_odds(floats([0.3, 0.9])))
    assert features[:, 1].tolist() == [1.5, -2.0]
    assert features[:, 2] == pytest.approx(log_odds(floats([0.74, 0.02]))), "the relation model's rank"
    assert features[:, 3] == pytest.approx(log_odds(floats([0.74, 0.74]))), "the verifier's rank"
    assert features[:, 4] == pytest.approx([0.8 * 0.9, 0.8 * 0.3]), "another of the same index, not itself"
    assert features[:, 5] == pytest.approx([0.9, 0.3]), "another of its rank nearby"
    assert features[:, 6] == pytest.approx(log_odds(floats([0.87, 0.87])))
    assert features[:, 7] == pytest.approx(log_odds(detections.ranks.max(1)))
    assert features[:, 9].tolist() == [0, 0], "no joker"
    after = fuse(detections, indices, crops, WEIGHTS)
    multiplied = multiply_ranks(detections, indices, crops)
    scores = WEIGHTS[0] + fusion_features(multiplied, indices, crops) @ floats(WEIGHTS[1:])
    assert after.p_keep == pytest.approx(1 / (1 + np.exp(-scores)), abs=1e-5)
    assert np.array_equal(after.final_ranks, multiplied.final_ranks)


@pytest.mark.parametrize(("distance", "near"), [(20, True), (30, False)])
@pytest.mark.parametrize("rank", [4, 5])
def test_only_a_near_detection_of_the_same_rank_counts_as_beside(distance: int, near: bool, rank: int) -> None:
    detections = scored(classified((0, 0, 0.5, 4), (distance, 0, 0.5, 4)), [0.3, 0.9], rank=4)
    detections.final_ranks[1] = np.roll(detections.final_ranks[1], rank - 4)
    crops = CropScores(floats([0.0]), detections.final_ranks[:1])
    features = fusion_features(detections, np.arange(1), crops)
    assert features[0, 5] == pytest.approx(0.9 * (near and rank == 4))


@pytest.mark.parametrize(("opposite", "support"), [((), 0.0), ((1,), 0.8)])
def test_a_detection_of_the_opposite_corner_counts(opposite: tuple[int, ...], support: float) -> None:
    detections = scored(classified((0, 0, 0.5, 4), (0, 0, 0.8, 4), opposite=opposite), [0.5, 0.9], rank=4)
    crops = CropScores(floats([0.0]), detections.final_ranks[:1])
    assert fusion_features(detections, np.arange(1), crops)[0, 8] == pytest.approx(support, abs=0.01)


def test_ranks_are_multiplied_where_the_crop_verifier_ran() -> None:
    detections = scored(classified((0, 0, 0.5, 4), (200, 0, 0.5, 4)), [0.5, 0.5])
    detections.final_ranks[:] = 0.01
    detections.final_ranks[:, 4], detections.final_ranks[:, 7] = 0.58, 0.3
    ranks = np.full((1, 14), 0.01, np.float32)
    ranks[0, 4], ranks[0, 7] = 0.08, 0.8
    after = multiply_ranks(detections, np.array([1]), CropScores(floats([0.0]), ranks)).final_ranks
    assert np.array_equal(after[0], detections.final_ranks[0])
    assert after.argmax(1).tolist() == [4, 7] and after.sum(1) == pytest.approx([1, 1], abs=1e-4)
    assert after[1, 7] / after[1, 4] == pytest.approx(0.3 * 0.8 / (0.58 * 0.08), rel=0.01)
    assert detections.final_ranks[1, 4] == pytest.approx(0.58), "the input stays as it was"


def test_another_rank_than_the_relation_models_lowers_the_probability() -> None:
    other = np.full((1, 14), 0.02, np.float32)
    other[:, 7] = 0.74
    same = np.roll(other, -3, axis=1)
    detections = scored(classified((0, 0, 0.5, 4)), [0.5], rank=4)
    against, along = (
        fuse(detections, np.arange(1), CropScores(floats([1.0]), ranks), WEIGHTS).p_keep[0] for ranks in (other, same)
    )
    assert against < along
