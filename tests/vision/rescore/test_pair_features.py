"""How detections lie to one another."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.rescore.synthetic import classified
from vision.rescore.pair_features import EDGE_FEATURES, NEIGHBOURS, find_neighbours


def test_the_nearest_come_first_and_far_ones_are_no_neighbours() -> None:
    neighbours = find_neighbours(classified((0, 0, 0.9, 4), (90, 0, 0.8, 4), (30, 0, 0.7, 5), (2000, 0, 0.6, 4)))
    assert neighbours.indices[0, :2].tolist() == [2, 1]
    assert neighbours.present.sum(1).tolist() == [2, 2, 2, 0]
    assert neighbours.features.shape == (4, NEIGHBOURS, EDGE_FEATURES)
    assert not neighbours.features[~neighbours.present].any()


def test_a_single_detection_has_no_neighbours() -> None:
    for detections in (classified(), classified((0, 0, 0.9, 4))):
        neighbours = find_neighbours(detections)
        assert not neighbours.present.any() and len(neighbours.indices) == len(detections)


def test_offsets_are_in_widths_of_the_card() -> None:
    features = find_neighbours(classified((0, 0, 0.9, 4), (30, 15, 0.8, 4))).features[:, 0]
    assert features[0, :2] == pytest.approx([0.3, 0.15]) and features[1, :2] == pytest.approx([-0.3, -0.15])
    assert features[0, 2:4] == pytest.approx([1.5, 0.75]), "and once more, enlarged"


def test_two_ends_of_one_card_and_two_detections_of_one_index_stand_out() -> None:
    ends = find_neighbours(classified((0, 0, 0.9, 4), (0, 0, 0.9, 4), opposite=(1,))).features[0, 0]
    repeated = find_neighbours(classified((0, 0, 0.9, 4), (1, 1, 0.5, 4))).features[0, 0]
    other = find_neighbours(classified((0, 0, 0.9, 4), (40, 0, 0.9, 7))).features[0, 0]
    of_ends, of_repeated, of_other = ((row[13], row[15]) for row in (ends, repeated, other))
    assert of_ends[0] > 0.95 > 0.1 > of_ends[1]
    assert of_repeated[1] > 0.8 > 0.1 > of_repeated[0]
    assert max(of_other) < 0.1
    assert ends[17] > 0.9 > other[17], "ranks that agree"


def test_turning_and_moving_the_picture_changes_no_feature() -> None:
    detections = classified((0, 0, 0.9, 4), (30, 15, 0.8, 4), (70, -20, 0.7, 5))
    before = find_neighbours(detections)
    quarter = np.array([[0, 1], [-1, 0]], np.float32)
    centres = detections.box_centres() @ quarter + 500
    half = (detections.boxes[:, 2:] - detections.boxes[:, :2]) / 2
    detections.boxes[:] = np.concatenate([centres - half, centres + half], 1)
    detections.quads[:] = detections.quads @ quarter + 500
    after = find_neighbours(detections)
    assert (after.indices == before.indices).all()
    assert after.features == pytest.approx(before.features, abs=1e-3)
