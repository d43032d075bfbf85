"""Batches on several threads: every item once, in order, split evenly."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from vision.crops.batching import MIN_BATCH, SERIAL, Workers, cores


@pytest.mark.parametrize("count", [0, 1, 3, 16, 17, 50])
@pytest.mark.parametrize("workers", [SERIAL, Workers(2), Workers(3), Workers(cores())])
def test_every_item_is_processed_once_and_in_order(count: int, workers: Workers) -> None:
    items = list(range(count))
    answers = workers.map_batches(lambda some: items[some], count, 16)
    assert [one for part in answers for one in part] == items
    assert all(1 <= len(part) <= 16 for part in answers)


def test_few_items_are_split_evenly() -> None:
    assert [len(part) for part in Workers(2).map_batches(range(10).__getitem__, 10, 16)] == [5, 5]
    assert [len(part) for part in SERIAL.map_batches(range(10).__getitem__, 10, 16)] == [10]


def test_batches_run_in_parallel() -> None:
    both = Barrier(2, timeout=20)
    assert sorted(Workers(2).map_batches(lambda some: both.wait(), 2 * MIN_BATCH, MIN_BATCH)) == [0, 1]
    assert len(Workers(2).map_batches(lambda some: some, MIN_BATCH, 16)) == 1, "too few to be split"


def test_work_is_finished_in_the_caller_when_the_pool_is_shut_down() -> None:
    workers = Workers(2)
    assert workers._pool
    workers._pool.shutdown()
    assert workers.map_batches(lambda some: some.start, 12, 4) == [0, 4, 8]


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="threads have no niceness of their own here")
def test_threads_inherit_the_priority_of_their_creator() -> None:
    def made() -> Workers:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 5)
        return Workers(2)

    with ThreadPoolExecutor(1) as yielding:
        workers = yielding.submit(made).result()

    def nice(_: slice) -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    assert workers.map_batches(nice, 2 * MIN_BATCH, MIN_BATCH) == [5, 5]


def test_an_error_in_a_batch_is_raised() -> None:
    def work(some: slice) -> int:
        raise ValueError(some.start)

    with pytest.raises(ValueError, match="0"):
        Workers(2).map_batches(work, 12, 4)
