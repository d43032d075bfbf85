"""Readings of the live picture: a picture is read now and then, and the last readings are merged."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from vision.cameras.watcher import Watcher
from vision.errors import VisionError
from vision.values import Frame, Reading
from webui import wording
from webui.reading.reader_service import merge_readings
from webui.rounds.overlay.outlines import label_position
from webui.translation import _

_ACTIVE_SECONDS = 3.0
"""So long after the last request pictures are read, and readings of before still hold."""
_MERGED_READINGS = 3
Read = Callable[[Frame], Reading]
_log = logging.getLogger(__name__)


class LiveReading:
    """Reads pictures while somebody asks for readings: one at a time, then a pause as long as it took.

    So one of two cores stays free; other readings at the same time make the pauses longer. Thread-safe.
    """

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._lock = threading.Lock()
        self._executor = ThreadPoolExecutor(1, "read-live")
        self._readings: tuple[Reading, ...] = ()
        self._merged: Reading | None = None
        self._error: str | None = None
        self._busy, self._next, self._asked = False, 0.0, -_ACTIVE_SECONDS

    @property
    def is_wanted(self) -> bool:
        """Whether somebody has asked for readings in the last seconds."""
        return time.monotonic() - self._asked <= _ACTIVE_SECONDS

    def state(self, read: Read) -> dict[str, Any]:
        """The cards to draw over the picture, what is wrong if anything, and whether a picture has been read yet.

        Starts to read the newest picture if it is time. ``width`` and ``height`` are the picture's; positions are in
        its pixels.
        """
        frame = self._watcher.snapshot().frame
        now = time.monotonic()
        with self._lock:
            if frame is None or now - self._asked > _ACTIVE_SECONDS:
                self._readings, self._merged = (), None
            self._asked = now
            if frame is not None and not self._busy and now >= self._next:
                self._busy = True
                self._executor.submit(self._read, read, frame)
            return _as_json(self._merged) | {"trouble": self._error}

    def close(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _read(self, read: Read, frame: Frame) -> None:
        begun = time.monotonic()
        reading, message = None, None
        try:
            reading = read(frame)
        except VisionError as error:
            message = f"{error}."
        except Exception:
            _log.exception("reading the live picture failed")
            message = _("This picture could not be read. Trying the next one.")
        finally:
            with self._lock:
                self._busy, self._error = False, message
                self._next = 2 * time.monotonic() - begun
                if reading is not None:
                    size = (reading.width, reading.height)
                    same_size = [other for other in self._readings if (other.width, other.height) == size]
                    self._readings = (reading, *same_size)[:_MERGED_READINGS]
                    self._merged = merge_readings(self._readings)


def _as_json(reading: Reading | None) -> dict[str, Any]:
    if reading is None:
        return {"read": False, "width": 16, "height": 9, "cards": []}
    cards = []
    for card in reading.cards:
        x, y, size = label_position(card.quad, reading.width, reading.height)
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
