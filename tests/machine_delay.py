"""Measures how busy the machine is, so that tests with time limits blame the program and not the machine."""

from __future__ import annotations

import threading
import time

_INTERVAL = 0.02
_RETRY_SECONDS = 900.0
"""Seconds to wait for a busy machine; a test then fails, so that it is never silently left out."""


class DelayMonitor:
    """Wakes every 20 ms while the context lasts.

    ``late`` is the longest delay of a wake-up, ``lost`` the sum of all delays, in seconds.
    """

    def __init__(self) -> None:
        self.late = self.lost = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._measure, name="delays", daemon=True)

    def __enter__(self) -> DelayMonitor:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _measure(self) -> None:
        start = time.monotonic()
        while not self._over.wait(_INTERVAL):
            delay = time.monotonic() - start - _INTERVAL
            self.late, self.lost = max(self.late, delay), self.lost + delay
            start = time.monotonic()


class RetryTime:
    """Allows retries of a measurement that a busy machine spoiled, for ``seconds`` in all."""

    def __init__(self, seconds: float = _RETRY_SECONDS) -> None:
        self._end = time.monotonic() + seconds

    def pause(self) -> None:
        """Pauses before the next try.

        Raises:
            AssertionError: the time is over.
        """
        assert time.monotonic() < self._end, "the machine stayed too busy to measure"
        time.sleep(1.0)
