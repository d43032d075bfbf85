"""A short film of a round: what is drawn is what its truth says."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.films import Film, film


@pytest.fixture(scope="module")
def short() -> Film:
    return film(3, (640, 360), changes=12)


def test_the_same_seed_gives_the_same_film(short: Film) -> None:
    again = film(3, (640, 360), changes=12)
    assert again.play == short.play and again.truth == short.truth
    first = next(iter(short.frames()))
    assert np.array_equal(first[1], next(iter(again.frames()))[1]) and first[1].shape == (360, 640, 3)


def test_every_group_holds_the_cards_that_were_laid_and_not_taken_back(short: Film) -> None:
    counts: dict[int, int] = {}
    for change in short.truth.history:
        sign = {"laid": 1, "added": 1, "taken-back": -1}.get(change.what, 0)
        counts[change.group] = counts.get(change.group, 0) + sign * len(change.cards)
    assert {group.group: len(group.cards) for group in short.truth.groups} == counts


def test_a_card_is_seen_after_it_was_laid(short: Film) -> None:
    laid = [change for change in short.truth.history if change.what in ("laid", "added")]
    for group in short.truth.groups:
        seconds = [change.second for change in laid if change.group == group.group for _ in change.cards]
        assert all(at is None or at >= second for at, second in zip(group.seen, seconds, strict=True))
