"""OpenCV's video capture: attached cameras, network streams and video files; nothing else names it."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime

import cv2
import numpy as np

from vision.cameras.base import Abilities, Size
from vision.errors import CameraError
from vision.values import Frame

INTERVAL = 1 / 12
"""Seconds between two pictures that are decoded; those between them are passed over, which costs next to nothing."""
_REST = 0.3
_WAITED = 0.015
"""A picture that took this many seconds to come was waited for; those that queued up during a rest come at once."""
_MOST_QUEUED = 200
_OPEN_MS, _READ_MS = 5000, 3000


class Capture:
    """One ``cv2.VideoCapture``.

    Args:
        source: a device number, an address or a file name.
        trouble: how messages begin that say that no picture comes, with what to do after a semicolon.

    Raises:
        CameraError: it cannot be opened.
    """

    def __init__(self, source: int | str, name: str, trouble: str) -> None:
        self.name = name
        self._trouble = trouble
        self._last = 0.0
        # a number without a camera is an answer, not something to print warnings about
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
        if isinstance(source, str):
            limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _OPEN_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, _READ_MS]
            capture = cv2.VideoCapture(source, cv2.CAP_FFMPEG, limits)
        elif sys.platform.startswith("linux"):
            capture = cv2.VideoCapture(source, cv2.CAP_V4L2)
        else:
            capture = cv2.VideoCapture(source)
        self._capture: cv2.VideoCapture | None = capture
        if not capture.isOpened():
            self.close()
            raise CameraError(f"{name} cannot be opened; {trouble}")

    def get(self, prop: int) -> float:
        return self._opened().get(prop)

    def set(self, prop: int, value: float) -> bool:
        return self._opened().set(prop, value)

    def size(self) -> Size:
        return int(self.get(cv2.CAP_PROP_FRAME_WIDTH)), int(self.get(cv2.CAP_PROP_FRAME_HEIGHT))

    def skip(self, count: int) -> None:
        """Passes over ``count`` pictures."""
        for _ in range(count):
            if not self._opened().grab():
                raise self._nothing()

    def next(self) -> Frame:
        """The next picture, whatever it is."""
        ok, pixels = self._opened().read()
        if not ok or pixels is None:
            raise self._nothing()
        self._last = time.monotonic()
        return Frame(np.ascontiguousarray(pixels, dtype=np.uint8), datetime.now(UTC), self.name)

    def newest(self) -> Frame:
        """The picture of now: those that queued up meanwhile are passed over."""
        if time.monotonic() - self._last > _REST:
            waits = 0
            for _ in range(_MOST_QUEUED):
                asked = time.monotonic()
                self.skip(1)
                # one wait may be a busy machine's, before a picture that did queue up
                waits += time.monotonic() - asked > _WAITED
                if waits == 2:
                    break
        while time.monotonic() - self._last < INTERVAL:
            self.skip(1)
        return self.next()

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _opened(self) -> cv2.VideoCapture:
        if self._capture is None:
            raise CameraError(f"{self.name} is closed; open it again")
        return self._capture

    def _nothing(self) -> CameraError:
        return CameraError(f"{self.name} gives no picture any more; {self._trouble}")


class PlayedCamera:
    """What a stream and a video file have in common: one size, the newest picture is the best, and nothing to set."""

    def __init__(self, source: str, name: str, trouble: str, unset: str) -> None:
        """``unset`` ends the sentence why nothing can be set. Raises CameraError where it cannot be opened."""
        self._capture, self._unset = Capture(source, name, trouble), unset

    @property
    def name(self) -> str:
        return self._capture.name

    def abilities(self) -> Abilities:
        size = self._capture.size()
        return Abilities(size, size)

    def read(self) -> Frame:
        return self._capture.newest()

    def still(self) -> Frame:
        return self.read()

    def adjust(self, focus: float | None, exposure: float | None) -> None:
        if focus is not None or exposure is not None:
            raise CameraError(f"{self.name} {self._unset}")

    def close(self) -> None:
        self._capture.close()
