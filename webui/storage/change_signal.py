"""Wakes waiting threads when a game changes, here or on another device that uses the same database."""

from __future__ import annotations

import threading
from collections.abc import Callable

from webui.storage.errors import StorageError

_POLL_SECONDS = 1.0


class ChangeSignal:
    """Counts changes and wakes the threads that wait for the next one. Thread-safe."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._count = 0

    @property
    def count(self) -> int:
        """The number of changes so far."""
        return self._count

    def notify(self) -> None:
        """Reports one change."""
        with self._condition:
            self._count += 1
            self._condition.notify_all()

    def wait(self, last_count: int, seconds: float) -> int:
        """Blocks until ``count`` exceeds ``last_count`` or the time is over. Returns the current count."""
        with self._condition:
            self._condition.wait_for(lambda: self._count > last_count, seconds)
            return self._count


class ChangePoller:
    """Polls a shared database once a second and notifies a signal of changes made by other devices.

    Runs in a thread of its own until ``close``.

    Args:
        newest_change: returns the number of the newest log entry.
        signal: notified whenever that number changes.
    """

    def __init__(self, newest_change: Callable[[], int], signal: ChangeSignal) -> None:
        self._newest_change, self._signal = newest_change, signal
        self._stop = threading.Event()
        threading.Thread(target=self._run, name="change-poller", daemon=True).start()

    def close(self) -> None:
        """Stops the thread at its next turn."""
        self._stop.set()

    def _run(self) -> None:
        last: int | None = None
        while not self._stop.wait(_POLL_SECONDS):
            try:
                newest = self._newest_change()
            except StorageError:  # the next request reports it; the database may be back in a second
                continue
            if last is not None and newest != last:
                self._signal.notify()
            last = newest
