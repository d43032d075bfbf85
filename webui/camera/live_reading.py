"""What is read in the live picture: the newest one now and then, the last few looks put together."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from vision.cameras.watcher import Watcher
from vision.errors import VisionError
from vision.values import Frame, Reading
from webui import wording
from webui.reading.reader_service import as_one
from webui.rounds.photo_outlines import name_place

_ASKED_LATELY = 3.0
_LOOKS = 3
Read = Callable[[Frame], Reading]


class LiveReading:
    """Reads while somebody asks: one picture at a time, then a pause as long as that look took, so that of two cores
    one stays free; whatever else is read meanwhile makes the pauses longer."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._lock = threading.Lock()
        self._reading = ThreadPoolExecutor(1, "read-live")
        self._looks: tuple[Reading, ...] = ()
        self._shown: Reading | None = None
        self._trouble: str | None = None
        self._busy, self._next, self._asked = False, 0.0, -_ASKED_LATELY

    def state(self, read: Read) -> dict[str, Any]:
        """The cards as they are drawn over the picture, what is wrong, if anything, and whether a look has been taken.

        ``width`` and ``height`` are the picture's; places are in its pixels.
        """
        frame = self._watcher.snapshot().frame
        now = time.monotonic()
        with self._lock:
            if frame is None or now - self._asked > _ASKED_LATELY:
                self._looks, self._shown = (), None
            self._asked = now
            if frame is not None and not self._busy and now >= self._next:
                self._busy = True
                self._reading.submit(self._look, read, frame)
            return _drawn(self._shown) | {"trouble": self._trouble}

    def close(self) -> None:
        self._reading.shutdown(wait=False, cancel_futures=True)

    def _look(self, read: Read, frame: Frame) -> None:
        begun = time.monotonic()
        found, trouble = None, None
        try:
            found = read(frame)
        except VisionError as error:
            trouble = f"{error}."
        finally:
            with self._lock:
                self._busy, self._trouble = False, trouble
                self._next = 2 * time.monotonic() - begun
                if found is not None:
                    alike = [look for look in self._looks if (look.width, look.height) == (found.width, found.height)]
                    self._looks = (found, *alike)[:_LOOKS]
                    self._shown = as_one(self._looks)


def _drawn(reading: Reading | None) -> dict[str, Any]:
    if reading is None:
        return {"read": False, "width": 16, "height": 9, "cards": []}
    cards = []
    for card in reading.cards:
        x, y, size = name_place(card.quad, reading.width, reading.height)
        cards.append(
            {
                "name": wording.short_name(card.face) + ("?" if card.doubt else ""),
                "points": " ".join(f"{px:.0f},{py:.0f}" for px, py in card.quad),
                "doubt": bool(card.doubt),
                "x": round(x),
                "y": round(y),
                "size": round(size),
            }
        )
    return {"read": True, "width": reading.width, "height": reading.height, "cards": cards}
