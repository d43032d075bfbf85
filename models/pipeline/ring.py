"""Blocks of samples drawn by processes ahead of a training, in a ring of files on disk.

The blocks that a step draws from follow from its number alone. So a training that waits, is stopped, or runs on another
machine sees the same samples; a block that is gone is drawn again.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Lock, Thread
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from webui.storage.files.atomic_files import replace_file

Block = NDArray[np.void]
DrawBlock = Callable[[int], Block]
T = TypeVar("T")
_drawing: list[DrawBlock] = []


@dataclass(frozen=True, slots=True)
class RingShape:
    """How steps and blocks go together.

    Attributes:
        first: blocks drawn before the first step.
        window: largest number of blocks that a step draws from.
        steps_per_block: after so many steps there is one block more.
    """

    first: int = 4
    window: int = 24
    steps_per_block: int = 4

    def blocks(self, step: int) -> range:
        """The numbers of the blocks that a step draws from."""
        end = self.first + step // self.steps_per_block
        return range(max(end - self.window, 0), end)


def _start(make: Callable[[], DrawBlock]) -> None:
    parent = parent_process()
    if parent:  # a training that is killed must not leave its drawing processes behind
        Thread(target=_end_with, args=(parent.join,), daemon=True).start()
    _drawing[:] = [make()]


def _end_with(wait: Callable[[], None]) -> None:
    """Ends this process when ``wait`` returns."""
    wait()
    os._exit(1)


def _write(number: int, target: Path) -> None:
    if target.exists():
        return
    written = io.BytesIO()  # NumPy says of a full disk only that fewer bytes were written
    np.save(written, _drawing[0](number), allow_pickle=False)
    replace_file(target, written.getvalue())


class BlockRing:
    """The blocks of a training in ``folder``, drawn by ``processes`` (0: in this one, when they are asked for).

    ``make`` returns the function that draws a block; it is called once in each process.
    """

    def __init__(
        self, folder: Path, make: Callable[[], DrawBlock], shape: RingShape, steps: int, processes: int
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._shape, self._last = folder, shape, shape.blocks(max(steps - 1, 0)).stop
        self._pool: ProcessPoolExecutor | None = None
        if processes:
            self._pool = ProcessPoolExecutor(processes, get_context("spawn"), _start, (make,))
        else:
            _start(make)
        self._ahead = 2 * processes
        self._futures: dict[int, Future[None]] = {}
        self._open: dict[int, Block] = {}
        self._lock = Lock()

    def blocks(self, step: int) -> list[Block]:
        """The blocks that a step draws from; waits until they are drawn, and has those after them begun."""
        wanted = self._shape.blocks(step)
        with self._lock:
            for number in range(wanted.start, min(wanted.stop + self._ahead, self._last)):
                self._request(number)
            for number in wanted:
                if number not in self._open:
                    self._futures[number].result()
                    self._open[number] = np.load(self._path(number), mmap_mode="r")
            for number in [number for number in self._open if number < wanted.start - self._shape.first]:
                del self._open[number], self._futures[number]
                self._path(number).unlink(missing_ok=True)
            return [self._open[number] for number in wanted]

    def _path(self, number: int) -> Path:
        return self._folder / f"block-{number:07d}.npy"

    def _request(self, number: int) -> None:
        if number in self._futures:
            return
        if self._pool:
            self._futures[number] = self._pool.submit(_write, number, self._path(number))
        else:
            _write(number, self._path(number))
            self._futures[number] = Future()
            self._futures[number].set_result(None)

    def close(self, remove: bool) -> None:
        """Ends the drawing; with ``remove`` the blocks are deleted, and what a stop left of others."""
        if self._pool:
            self._pool.shutdown(cancel_futures=True)
        self._open.clear()
        if remove:
            for path in self._folder.iterdir():
                path.unlink(missing_ok=True)


class Prefetched(Generic[T]):
    """``make(number)`` for numbers that are asked for in order, computed by a thread up to ``ahead`` of them before."""

    def __init__(self, make: Callable[[int], T], end: int, ahead: int) -> None:
        self._make, self._end, self._ahead = make, end, ahead
        self._pool = ThreadPoolExecutor(1, "prefetch")
        self._futures: dict[int, Future[T]] = {}

    def __call__(self, number: int) -> T:
        for after in range(number, min(number + self._ahead + 1, self._end)):
            if after not in self._futures:
                self._futures[after] = self._pool.submit(self._make, after)
        return self._futures.pop(number).result()

    def close(self) -> None:
        """Ends the thread."""
        self._pool.shutdown(cancel_futures=True)
