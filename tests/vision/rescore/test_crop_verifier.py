"""Finds of which the judge is not sure, seen from near by."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.vision.rescore.test_features import SIZE, named
from vision.arrays import floats
from vision.geometry import log_odds
from vision.rescore.crop_verifier import (
    BATCH,
    FUSION_FEATURES,
    VIEW,
    VIEWS,
    OnnxCropVerifier,
    Views,
    doubtful_indices,
    fuse,
    fusion_features,
    multiply_ranks,
)
from vision.rescore.relation_model import ScoredDetections

WEIGHTS = (0.5, 1.0, 2.0, 0.25, 0.1, -3.0, -1.0, 0.3, 0.2, -0.4, 0.6)


class Session:
    """Says of every view that it shows an index, a five."""

    def __init__(self) -> None:
        self.views: list[np.ndarray] = []

    def run(self, _names: list[str], given: dict[str, Any]) -> list[np.ndarray]:
        self.views += [*given["views"]]
        count = len(given["views"])
        return [np.full((count, 1), 1.5, np.float32), np.eye(14, dtype=np.float32)[[4] * count] * 9]


def judged_as(*kept: float, rank: int = 4) -> ScoredDetections:
    count = len(kept)
    ranks = np.full((count, 14), 0.01, np.float32)
    ranks[:, rank] = 0.87
    return ScoredDetections(floats(kept), ranks, np.zeros((count, count), np.float32))


def test_only_doubtful_finds_are_shown_and_weighed() -> None:
    finds = named((0, 0, 0.9, 4), (200, 0, 0.5, 4), (400, 0, 0.1, 4))
    judged, session = judged_as(0.999, 0.4, 0.001), Session()
    pixels = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    after = OnnxCropVerifier(session, WEIGHTS).verify([pixels], finds, judged)
    assert len(session.views) == len(VIEWS) and doubtful_indices(judged).tolist() == [1]
    assert after.kept[[0, 2]] == pytest.approx(judged.kept[[0, 2]])
    assert after.kept[1] > 0.9, "it is there, and has the name that the judge gave it"
    assert judged.kept[1] == pytest.approx(0.4), "what was given stays as it was"


def test_views_are_given_as_the_network_takes_them() -> None:
    finds, session = named((0, 0, 0.5, 4)), Session()
    pixels = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    pixels[..., 2] = 255
    OnnxCropVerifier(session, WEIGHTS).verify([pixels], finds, judged_as(0.5))
    view = session.views[0]
    assert view.shape == (3, VIEW.size, VIEW.size) and view.dtype == np.float32
    # red first; the grey beyond the picture is left out
    assert view[:, -20:, -20:].mean((1, 2)) == pytest.approx([1, 0, 0])


class Counting(Session):
    """Says something else of every view it is shown."""

    def run(self, names: list[str], given: dict[str, Any]) -> list[np.ndarray]:
        before = len(self.views)
        _, ranks = super().run(names, given)
        return [np.arange(before, len(self.views), dtype=np.float32)[:, None], ranks]


def test_what_counts_of_a_find_is_the_mean_of_its_views() -> None:
    finds, session = named(*((200 * n, 0, 0.5, 4) for n in range(7))), Counting()
    pixels = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    seen = OnnxCropVerifier(session, WEIGHTS).classify([pixels], finds, np.arange(7))
    assert len(session.views) == 21, "more than are shown at once"
    # of the first find, where five are shown at once: views 0, 5 and 10
    parts = [np.arange(start, start + 3 * count).reshape(3, count).mean(0) for start, count in ((0, BATCH), (15, 2))]
    assert seen.shows == pytest.approx(np.concatenate(parts))
    assert seen.ranks.shape == (7, 14)


def test_where_the_judge_is_sure_of_all_nothing_is_shown() -> None:
    session = Session()
    judged = judged_as(0.9999, 0.0001)
    pixels = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    assert (
        OnnxCropVerifier(session, WEIGHTS).verify([pixels], named((0, 0, 0.9, 4), (200, 0, 0.1, 4)), judged) is judged
    )
    assert not session.views


def test_the_signs_are_what_the_weights_are_fitted_to() -> None:
    judged = judged_as(0.3, 0.9)
    judged.same[:] = [[1, 0.8], [0.8, 1]]
    finds = named((0, 0, 0.5, 4), (20, 0, 0.5, 4))
    ranks = np.full((2, 14), 0.02, np.float32)
    ranks[0, 4] = ranks[1, 9] = 0.74
    views, places = Views(floats([1.5, -2.0]), ranks), np.arange(2)
    told = fusion_features(finds, judged, places, views)
    assert told.shape == (2, FUSION_FEATURES) == (2, len(WEIGHTS) - 1)
    assert told[:, 0] == pytest.approx(log_odds(floats([0.3, 0.9])))
    assert told[:, 1].tolist() == [1.5, -2.0]
    assert told[:, 2] == pytest.approx(log_odds(floats([0.74, 0.02]))), "the rank that the judge gave"
    assert told[:, 3] == pytest.approx(log_odds(floats([0.74, 0.74]))), "the rank that the verifier sees"
    assert told[:, 4] == pytest.approx([0.8 * 0.9, 0.8 * 0.3]), "how far it repeats another, not itself"
    assert told[:, 5] == pytest.approx([0.9, 0.3]), "another of its rank beside it"
    assert told[:, 6] == pytest.approx(log_odds(floats([0.87, 0.87])))
    assert told[:, 7] == pytest.approx(log_odds(finds.names.ranks.max(1)))
    assert told[:, 9].tolist() == [0, 0], "no joker"
    after = fuse(finds, judged, places, views, WEIGHTS)
    both = multiply_ranks(judged, places, views)
    scores = WEIGHTS[0] + fusion_features(finds, both, places, views) @ floats(WEIGHTS[1:])
    assert after.kept == pytest.approx(1 / (1 + np.exp(-scores)), abs=1e-5)
    assert np.array_equal(after.ranks, both.ranks)


def test_a_find_further_off_or_of_another_rank_is_none_beside_it() -> None:
    for finds, near in ((((0, 0), (20, 0)), True), (((0, 0), (30, 0)), False)):
        for rank in (4, 5):
            told = named(*[(x, y, 0.5, 4) for x, y in finds])
            judged = judged_as(0.3, 0.9)
            judged.ranks[1] = np.roll(judged.ranks[1], rank - 4)
            views = Views(floats([0.0]), judged.ranks[:1])
            assert fusion_features(told, judged, np.arange(1), views)[0, 5] == pytest.approx(0.9 * (near and rank == 4))


def test_what_shows_a_card_from_its_other_end_counts() -> None:
    views = Views(floats([0.0]), judged_as(0.5).ranks)
    alone, mated = (named((0, 0, 0.5, 4), (0, 0, 0.8, 4), turned=turned) for turned in ((), (1,)))
    for finds, shares in ((alone, 0.0), (mated, 0.8)):
        assert fusion_features(finds, judged_as(0.5, 0.9), np.arange(1), views)[0, 8] == pytest.approx(shares, abs=0.01)


def test_ranks_of_judge_and_verifier_are_multiplied_where_it_looked() -> None:
    judged = judged_as(0.5, 0.5)
    judged.ranks[:] = 0.01
    judged.ranks[:, 4], judged.ranks[:, 7] = 0.58, 0.3
    ranks = np.full((1, 14), 0.01, np.float32)
    ranks[0, 4], ranks[0, 7] = 0.08, 0.8
    after = multiply_ranks(judged, np.array([1]), Views(floats([0.0]), ranks))
    assert np.array_equal(after.ranks[0], judged.ranks[0])
    assert after.ranks.argmax(1).tolist() == [4, 7] and after.ranks.sum(1) == pytest.approx([1, 1], abs=1e-4)
    assert after.ranks[1, 7] / after.ranks[1, 4] == pytest.approx(0.3 * 0.8 / (0.58 * 0.08), rel=0.01)
    assert judged.ranks[1, 4] == pytest.approx(0.58), "what was given stays as it was"


def test_another_name_than_the_judges_is_believed_less() -> None:
    other = np.full((1, 14), 0.02, np.float32)
    other[:, 7] = 0.74
    same = np.roll(other, -3, axis=1)
    places, judged, finds = np.arange(1), judged_as(0.5), named((0, 0, 0.5, 4))
    against, along = (
        fuse(finds, judged, places, Views(floats([1.0]), ranks), WEIGHTS).kept[0] for ranks in (other, same)
    )
    assert against < along
