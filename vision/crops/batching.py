"""Runs the RoI head on several batches at once.

A dozen small crops are too little work to share among the threads of one network. Several batches at once, each on one
thread, keep all cores busy, and include the cutting of the crops.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

Result = TypeVar("Result")
MIN_BATCH = 4
"""Fewer items are not split: waking a thread takes as long as they do."""
MAX_CORES = 8
"""More threads than this do not pay for batches this small."""


class Workers:
    """A pool of ``threads`` that several callers may use at a time.

    The threads start at once, so that they inherit the priority of the thread that creates them. Not to be used after a
    fork, nor from within the work itself.
    """

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads, "batches") if threads > 1 else None
        if self._pool:
            started = Barrier(threads)
            list(self._pool.map(lambda _: started.wait(), range(threads)))

    def map_batches(self, work: Callable[[slice], Result], count: int, max_size: int) -> list[Result]:
        """The results of ``work`` for consecutive batches of ``count`` items, at most ``max_size`` each, in order.

        Items are split evenly, so that no thread is idle.
        """
        size = min(max_size, max(-(-count // self._threads), MIN_BATCH))
        batches = [slice(start, min(start + size, count)) for start in range(0, count, size)]
        if self._pool is None or len(batches) < 2:
            return list(map(work, batches))
        try:
            results = self._pool.map(work, batches)
        except RuntimeError:  # the pool is shut down because the program ends: finish what was begun
            return list(map(work, batches))
        return list(results)


def cores() -> int:
    """Number of cores to use, of those available to this process."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(available, MAX_CORES)


SERIAL = Workers(1)
"""Runs all batches in the calling thread."""
