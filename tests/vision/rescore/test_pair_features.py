"""How finds lie to one another."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.rescore.test_features import named
from vision.rescore.pair_features import EDGE_FEATURES, NEIGHBOURS, find_neighbours


def test_the_nearest_come_first_and_far_ones_are_none() -> None:
    around = find_neighbours(named((0, 0, 0.9, 4), (90, 0, 0.8, 4), (30, 0, 0.7, 5), (2000, 0, 0.6, 4)))
    assert around.places[0, :2].tolist() == [2, 1]
    assert around.there.sum(1).tolist() == [2, 2, 2, 0]
    assert around.told.shape == (4, NEIGHBOURS, EDGE_FEATURES) and not around.told[~around.there].any()


def test_a_find_by_itself_has_no_neighbours() -> None:
    for finds in (named(), named((0, 0, 0.9, 4))):
        around = find_neighbours(finds)
        assert not around.there.any() and len(around.places) == len(finds.places)


def test_a_neighbour_is_told_in_widths_of_the_card() -> None:
    told = find_neighbours(named((0, 0, 0.9, 4), (30, 15, 0.8, 4))).told[:, 0]
    assert told[0, :2] == pytest.approx([0.3, 0.15]) and told[1, :2] == pytest.approx([-0.3, -0.15])
    assert told[0, 2:4] == pytest.approx([1.5, 0.75]), "and small distances once more, larger"


def test_the_two_ends_of_one_card_and_two_finds_of_one_index_stand_out() -> None:
    ends = find_neighbours(named((0, 0, 0.9, 4), (0, 0, 0.9, 4), turned=(1,))).told[0, 0]
    again = find_neighbours(named((0, 0, 0.9, 4), (1, 1, 0.5, 4))).told[0, 0]
    other = find_neighbours(named((0, 0, 0.9, 4), (40, 0, 0.9, 7))).told[0, 0]
    of_ends, of_again, of_other = ((row[13], row[15]) for row in (ends, again, other))
    assert of_ends[0] > 0.95 > 0.1 > of_ends[1]
    assert of_again[1] > 0.8 > 0.1 > of_again[0]
    assert max(of_other) < 0.1
    assert ends[17] > 0.9 > other[17], "names that agree"


def test_turning_and_moving_the_picture_changes_nothing_that_is_told() -> None:
    finds = named((0, 0, 0.9, 4), (30, 15, 0.8, 4), (70, -20, 0.7, 5))
    before = find_neighbours(finds)
    quads = finds.found.quads
    quarter = np.array([[0, 1], [-1, 0]], np.float32)
    middles = (finds.found.boxes[:, :2] + finds.found.boxes[:, 2:]) / 2 @ quarter + 500
    half = (finds.found.boxes[:, 2:] - finds.found.boxes[:, :2]) / 2
    finds.found.boxes[:] = np.concatenate([middles - half, middles + half], 1)
    quads[:] = quads @ quarter + 500
    after = find_neighbours(finds)
    assert (after.places == before.places).all()
    assert after.told == pytest.approx(before.told, abs=1e-3)
