"""Rings the bell for what other devices change in a database that several share."""

from __future__ import annotations

import threading
from collections.abc import Callable

from webui.storage.change_signal import Bell
from webui.storage.errors import StorageError

_EVERY = 1.0


class Follower:
    """Asks for the newest change once a second, in a thread of its own, until it is closed."""

    def __init__(self, newest: Callable[[], int], bell: Bell) -> None:
        self._newest, self._bell = newest, bell
        self._stop = threading.Event()
        threading.Thread(target=self._run, name="follow-others", daemon=True).start()

    def close(self) -> None:
        self._stop.set()

    def _run(self) -> None:
        seen: int | None = None
        while not self._stop.wait(_EVERY):
            try:
                now = self._newest()
            except StorageError:  # whoever asks for something hears of it; it may be there again in a second
                continue
            if seen is not None and now != seen:
                self._bell.ring()
            seen = now
