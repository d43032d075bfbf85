"""The signals that stop the program, handled from its first moment on. Imports nothing that takes time to load."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class StopSignals:
    """What SIGINT and SIGTERM do: at first they end the process at once, later they are noted, at last as before.

    They raise no exception: out of a signal handler it would be turned into other errors, or lost, while modules are
    imported, and would cut steps in half later. Only a second signal while one is noted raises KeyboardInterrupt.
    """

    def __init__(self) -> None:
        self.requested = False
        self._exit_code: int | None = None
        self._wake: Callable[[], None] | None = None
        self._previous: dict[signal.Signals, Any] = {}

    def exit_at_once(self, exit_code: int) -> None:
        """Lets a signal end the process, silently; for as long as nothing was opened and no thread started.

        Does nothing outside of the main thread, which alone gets signals.
        """
        self._exit_code = exit_code
        self._install()

    def note(self) -> None:
        """Lets a signal set ``requested`` and do nothing else, for whoever works to look at between two steps."""
        self._exit_code = None
        self._install()

    def restore(self) -> None:
        """Lets signals do what they did before."""
        for number, handler in self._previous.items():
            signal.signal(number, handler or signal.SIG_DFL)
        self._previous = {}

    def wake_by(self, wake: Callable[[], None]) -> None:
        """Sets what the first signal calls once it is noted; called at once where it has come already."""
        self._wake = wake
        if self.requested:
            wake()

    def _install(self) -> None:
        if not self._previous and threading.current_thread() is threading.main_thread():
            self._previous = {number: signal.signal(number, self._handle) for number in _SIGNALS}

    def _handle(self, _: int, __: FrameType | None) -> None:
        if self._exit_code is not None:
            os._exit(self._exit_code)
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True
        if self._wake is not None:
            self._wake()
