"""Batches on several threads: everything once, in order, shared evenly."""

from __future__ import annotations

from threading import Barrier

import pytest

from vision.workers import ALONE, ON_ALL_CORES, Workers, cores


@pytest.mark.parametrize("count", [0, 1, 3, 16, 17, 50])
@pytest.mark.parametrize("workers", [ALONE, Workers(2), Workers(3), ON_ALL_CORES])
def test_each_thing_is_worked_on_once_and_answered_in_its_place(count: int, workers: Workers) -> None:
    things = list(range(count))
    answers = workers.each(lambda some: things[some], count, 16)
    assert [one for part in answers for one in part] == things
    assert all(1 <= len(part) <= 16 for part in answers)


def test_a_few_things_are_shared_evenly() -> None:
    assert [len(part) for part in Workers(2).each(range(10).__getitem__, 10, 16)] == [5, 5]
    assert [len(part) for part in ALONE.each(range(10).__getitem__, 10, 16)] == [10]


def test_batches_run_at_once() -> None:
    both = Barrier(2, timeout=20)
    assert sorted(Workers(2).each(lambda some: both.wait(), 2, 1)) == [0, 1]


def test_what_goes_wrong_in_a_batch_is_told() -> None:
    def work(some: slice) -> int:
        raise ValueError(some.start)

    with pytest.raises(ValueError, match="0"):
        Workers(2).each(work, 4, 2)
    assert cores() >= 1
