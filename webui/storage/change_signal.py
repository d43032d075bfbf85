"""Wakes those who wait for a change."""

from __future__ import annotations

import threading


class Bell:
    """Rings after every change; whoever waits is woken. Safe to use from several threads."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._rings = 0

    @property
    def rings(self) -> int:
        """How often it has rung."""
        return self._rings

    def ring(self) -> None:
        with self._condition:
            self._rings += 1
            self._condition.notify_all()

    def wait(self, heard: int, seconds: float) -> int:
        """Waits until it has rung more often than ``heard``, or the time is over; returns how often it has rung."""
        with self._condition:
            self._condition.wait_for(lambda: self._rings > heard, seconds)
            return self._rings
