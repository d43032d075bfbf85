"""The newest frames of the camera, taken by a thread of their own, so that none is missed while one is being read."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from vision.cameras.watcher import Watcher
from vision.values import Frame

FRAMES_A_SECOND = 4.0
MOST_WAITING = 8
"""Frames that wait at most, some 20 MB; on a machine that takes longer to read, the oldest are dropped."""
_WAIT = 0.5
"""Seconds without a frame after which the camera is asked again."""


class Frames:
    """Frames with the time at which they came, oldest first. Thread-safe.

    ``trouble`` is why none comes, as a sentence; ``seen_at`` when the last one came, by ``time.monotonic``.
    """

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._waiting = deque[tuple[Frame, float]](maxlen=MOST_WAITING)
        self._changed, self._stop = threading.Condition(), threading.Event()
        self.trouble: str | None = None
        self.seen_at = time.monotonic()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Takes frames until the end of the block."""
        thread = threading.Thread(target=self._take, name="watch-frames", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._stop.set()
            thread.join()

    def next(self) -> tuple[Frame, float] | None:
        """The oldest frame that waits, with its time; None if none comes within half a second."""
        with self._changed:
            if not self._waiting:
                self._changed.wait(_WAIT)
            return self._waiting.popleft() if self._waiting else None

    def drop(self) -> None:
        """Forgets the frames that wait."""
        with self._changed:
            self._waiting.clear()

    def _take(self) -> None:
        number = -1
        while not self._stop.is_set():
            begun = time.monotonic()
            snapshot = self._watcher.snapshot(number, _WAIT)
            now = time.monotonic()
            if snapshot.frame is None:
                self.trouble = snapshot.error
            else:
                self.trouble, self.seen_at = None, now
                if snapshot.number != number:
                    number = snapshot.number
                    with self._changed:
                        self._waiting.append((snapshot.frame, now))
                        self._changed.notify()
            self._stop.wait(max(begun + 1 / FRAMES_A_SECOND - time.monotonic(), 0.02))
