"""Which finds show one printed index."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.test_pairing import corner
from vision.geometry import floats
from vision.judging import load_judges
from vision.repeats import REPEAT_SIGNS, Corner, repeat_signs, without_repeats
from vision.trees import Trees


@pytest.fixture(scope="module")
def same() -> Trees:
    return load_judges().repeats


def weaker(of: Corner, found: float = 0.7) -> Corner:
    return replace(of, found=found)


def test_two_finds_of_one_index_count_once_and_the_surer_stays(same: Trees) -> None:
    weak = weaker(corner(1, 1, "8"))
    assert without_repeats([weak, corner(0, 0, "8"), corner(60, 0, "8")], same) == [1, 2]


def test_cards_of_one_rank_in_a_tight_row_stay(same: Trees) -> None:
    for step in (18, 25, 40):
        row = [corner(step * place, 0, "5") for place in range(5)]
        assert without_repeats(row, same) == [0, 1, 2, 3, 4], step


def test_indices_read_the_other_way_up_are_never_one(same: Trees) -> None:
    assert len(repeat_signs([corner(0, 0, "8"), corner(-90, -130, "8", turned=True)])[0]) == 0
    assert without_repeats([corner(0, 0, "8"), corner(-90, -130, "8", turned=True)], same) == [0, 1]


def test_one_find_or_none_is_no_repeat(same: Trees) -> None:
    assert without_repeats([], same) == []
    assert without_repeats([corner(0, 0, "8")], same) == [0]


def test_distances_are_told_as_the_surer_card_lies() -> None:
    sure, weak = corner(0, 0, "8"), weaker(corner(10, 5, "8"))
    one, two, given = repeat_signs([weak, sure])
    told = dict(zip(REPEAT_SIGNS, given[0].tolist(), strict=True))
    assert (one.tolist(), two.tolist()) == ([1], [0])
    assert (told["along"], told["down"]) == pytest.approx((0.1, 0.05), abs=1e-5)
    assert (told["tilt"], told["size"], told["other side"]) == (0, 0, 0)
    # seen in the right-hand corner, away from it is the other way
    sure, weak = (replace(one, right=True, middle=one.middle + floats([80, 0])) for one in (sure, weak))
    _, _, given = repeat_signs([weak, sure])
    assert given[0][REPEAT_SIGNS.index("along")] == pytest.approx(-0.1, abs=1e-5)
