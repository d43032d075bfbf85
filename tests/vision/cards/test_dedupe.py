"""Deduplication keeps each printed index once."""

from __future__ import annotations

import numpy as np

from vision.arrays import Floats, floats
from vision.cards.dedupe import deduplicate


def p_same(count: int, *pairs: tuple[int, int, float]) -> Floats:
    """A matrix (count, count) with the probabilities of ``pairs``, else 0."""
    same = np.zeros((count, count), np.float32)
    for i, j, probability in pairs:
        same[i, j] = same[j, i] = probability
    return same


def test_of_two_detections_of_one_index_the_more_probable_stays() -> None:
    assert deduplicate(floats([0.7, 0.9, 0.8]), p_same(3, (0, 1, 0.9)), 0.5) == [1, 2]


def test_improbable_detections_are_dropped_and_suppress_nothing() -> None:
    assert deduplicate(floats([0.4, 0.3, 0.8]), p_same(3, (0, 1, 0.9)), 0.35) == [0, 2]
    assert deduplicate(floats([0.4, 0.3]), p_same(2), 0.5) == []


def test_a_dropped_detection_suppresses_no_other() -> None:
    chain = p_same(3, (0, 1, 0.9), (1, 2, 0.9))
    assert deduplicate(floats([0.9, 0.8, 0.7]), chain, 0.5) == [0, 2]


def test_neighbours_that_are_hardly_the_same_stay() -> None:
    assert deduplicate(floats([0.9, 0.8]), p_same(2, (0, 1, 0.3)), 0.5) == [0, 1]


def test_one_detection_or_none_has_no_duplicates() -> None:
    assert deduplicate(floats([]), p_same(0), 0.5) == []
    assert deduplicate(floats([0.9]), p_same(1), 0.5) == [0]
