"""Each printed index once."""

from __future__ import annotations

import numpy as np

from vision.arrays import Floats, floats
from vision.cards.dedupe import deduplicate


def alike(count: int, *pairs: tuple[int, int, float]) -> Floats:
    """How likely each two of ``count`` finds are one: as told for ``pairs``, else not at all."""
    same = np.zeros((count, count), np.float32)
    for i, j, likely in pairs:
        same[i, j] = same[j, i] = likely
    return same


def test_two_finds_of_one_index_count_once_and_the_surer_stays() -> None:
    assert deduplicate(floats([0.7, 0.9, 0.8]), alike(3, (0, 1, 0.9)), 0.5) == [1, 2]


def test_what_is_hardly_believed_is_left_out_and_leaves_nothing_out() -> None:
    assert deduplicate(floats([0.4, 0.3, 0.8]), alike(3, (0, 1, 0.9)), 0.35) == [0, 2]
    assert deduplicate(floats([0.4, 0.3]), alike(2), 0.5) == []


def test_a_find_left_out_leaves_none_out_in_its_turn() -> None:
    chain = alike(3, (0, 1, 0.9), (1, 2, 0.9))
    assert deduplicate(floats([0.9, 0.8, 0.7]), chain, 0.5) == [0, 2]


def test_neighbours_that_are_hardly_one_stay() -> None:
    assert deduplicate(floats([0.9, 0.8]), alike(2, (0, 1, 0.3)), 0.5) == [0, 1]


def test_one_find_or_none_is_no_repeat() -> None:
    assert deduplicate(floats([]), alike(0), 0.5) == []
    assert deduplicate(floats([0.9]), alike(1), 0.5) == [0]
