"""The small networks' work in batches, on all cores at once.

A dozen small pictures are too little to share among the threads of one network. Several batches at once, each on one
thread, keep all cores busy, and the cutting of the pictures with them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

Answer = TypeVar("Answer")
LEAST = 4
"""Fewer things are not shared: to wake a thread takes as long as they do."""
MOST_CORES = 8


class Workers:
    """So many ``threads`` to work on batches, begun at once, so that they yield to others as the thread does that makes
    them; several may ask at a time. Not to be used in a process forked later, nor by the work itself."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads, "batches") if threads > 1 else None
        if self._pool:
            begun = Barrier(threads)
            list(self._pool.map(lambda _: begun.wait(), range(threads)))

    def map_batches(self, work: Callable[[slice], Answer], count: int, most: int) -> list[Answer]:
        """What ``work`` answers for each stretch of ``count`` things, of which ``most`` at most are in one; in order.

        They are shared evenly, so that no thread has nothing to do.
        """
        size = min(most, max(-(-count // self._threads), LEAST))
        stretches = [slice(start, min(start + size, count)) for start in range(0, count, size)]
        if self._pool is None or len(stretches) < 2:
            return list(map(work, stretches))
        try:
            answers = self._pool.map(work, stretches)
        except RuntimeError:  # the program is ending and takes no more work: what was begun is brought to its end
            return list(map(work, stretches))
        return list(answers)


def cores() -> int:
    """How many cores are worth using, of those that this process may."""
    return min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, MOST_CORES)


SERIAL = Workers(1)
"""The thread that asks does all."""
