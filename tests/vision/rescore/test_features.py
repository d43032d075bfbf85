"""Features of each detection."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.rescore.synthetic import HEIGHT, JOKER, WIDTH, classified
from vision.detect.detections import ClassifiedDetections
from vision.rescore.features import BASE_FEATURES, GEOMETRY_FEATURES, base_features, card_axes, geometry_features


def feature(name: str, detections: ClassifiedDetections, index: int = 0) -> float:
    return float(base_features(detections)[index, BASE_FEATURES.index(name)])


def test_a_joker_detected_in_several_places_has_a_higher_score_around_it() -> None:
    alone = classified((0, 0, 0.2, JOKER))
    several = classified((0, 0, 0.2, JOKER), (15, 0, 0.2, JOKER), (0, 15, 0.2, JOKER))
    assert feature("score", alone) == feature("score", several)
    assert feature("score around", alone) < feature("score around", several)
    assert feature("same rank around", alone) < feature("same rank around", several)
    other = classified((0, 0, 0.2, JOKER), (15, 0, 0.2, 3))
    assert feature("score around", other) == feature("score around", alone)
    assert feature("other rank around", other) > feature("other rank around", alone)


def test_the_opposite_corner_of_a_card_supports_an_index() -> None:
    with_mate = classified((0, 0, 0.3, 4), (0, 0, 0.9, 4), opposite=(1,))
    assert feature("opposite corner", with_mate) == pytest.approx(0.9, abs=0.01)
    assert feature("opposite corner", classified((0, 0, 0.3, 4), (0, 0, 0.9, 5), opposite=(1,))) == 0
    assert feature("opposite corner", classified((0, 0, 0.3, 4), (300, 0, 0.9, 4), opposite=(1,))) < 0.01


def test_a_card_of_another_size_than_the_confident_ones_stands_out() -> None:
    row = classified((0, 0, 0.3, 4), *((200 * i, 0, 0.9, 4) for i in range(1, 4)))
    assert feature("size", row) == pytest.approx(0, abs=1e-3)
    row.quads[0] *= 2
    assert feature("size", row) == pytest.approx(np.log(2), abs=1e-3)


def test_without_detections_there_are_no_features() -> None:
    assert base_features(classified()).shape == (0, len(BASE_FEATURES))
    assert geometry_features(classified()).shape == (0, GEOMETRY_FEATURES)


def test_features_tell_which_quarters_of_a_card_are_in_the_picture() -> None:
    features = geometry_features(classified((200, 200, 0.9, 4), (-50, 200, 0.9, 4), (200, 315, 0.9, 4)))
    assert features.shape == (3, GEOMETRY_FEATURES) and np.isfinite(features).all()
    near_high, near_low, far_high, far_low = features[:, -6:-2].T
    assert (near_high[0], near_low[0], far_high[0], far_low[0]) == (1, 1, 1, 1)
    assert near_high[1] < 0.5 and far_high[1] == far_low[1] == 1, "its left half is out"
    assert near_high[2] == far_high[2] == 1 and near_low[2] < 0.5, "its lower half is out"


def test_axes_of_a_card_seen_by_its_right_corner_are_mirrored() -> None:
    right = replace(classified((100, 100, 0.9, 4)), index_on_right=np.array([True]))
    corners, along, down = card_axes(right)
    assert corners[0] == pytest.approx([200, 100])
    assert along[0] == pytest.approx([-WIDTH, 0]) and down[0] == pytest.approx([0, HEIGHT])
