"""The small networks' work in batches, on all cores at once.

A dozen small pictures are too little to share among the threads of one network. Several batches at once, each on one
thread, keep all cores busy, and the cutting of the pictures with them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Answer = TypeVar("Answer")


class Workers:
    """So many ``threads`` to work on batches; safe to share."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads, "batches") if threads > 1 else None

    def each(self, work: Callable[[slice], Answer], count: int, most: int) -> list[Answer]:
        """What ``work`` answers for each stretch of ``count`` things, of which ``most`` at most are in one; in order.

        They are shared evenly, so that no thread has nothing to do.
        """
        size = max(min(most, -(-count // self._threads)), 1)
        stretches = [slice(start, min(start + size, count)) for start in range(0, count, size)]
        return list((self._pool.map if self._pool else map)(work, stretches))


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


ALONE = Workers(1)
"""The thread that asks does all."""
ON_ALL_CORES = Workers(cores())
