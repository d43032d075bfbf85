"""How late this machine lets people work: bounds of time are the program's, not those of a machine that is busy."""

from __future__ import annotations

import threading
import time

_BEAT = 0.02


class Pulse:
    """Wakes again and again while it lasts. ``late`` says how late at most, ``lost`` how late in all, in seconds."""

    def __init__(self) -> None:
        self.late = self.lost = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="pulse", daemon=True)

    def __enter__(self) -> Pulse:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _beat(self) -> None:
        begun = time.monotonic()
        while not self._over.wait(_BEAT):
            late = time.monotonic() - begun - _BEAT
            self.late, self.lost = max(self.late, late), self.lost + late
            begun = time.monotonic()
