"""OpenCV's video capture for webcams, network streams and video files. The only module that uses it."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime

import cv2
import numpy as np

from vision.cameras.base import Abilities, Camera, Size
from vision.errors import CameraError
from vision.values import Frame

INTERVAL = 1 / 12
"""Seconds between two decoded frames; frames in between are grabbed and dropped, which costs next to nothing."""
_REST = 0.3
"""Seconds without a read after which old frames may be queued."""
_WAITED = 0.015
"""A grab that took this many seconds waited for a new frame; queued frames come at once."""
_LONG_WAITED = 0.5
"""A grab that took this many seconds surely waited."""
_MAX_QUEUED = 200
"""Frames that are dropped at most to reach the newest."""
_DAMAGED = 3
"""Frames in a row that cannot be decoded and are passed over; one such frame is no reason to open the camera anew."""
_OPEN_MS, _READ_MS = 8000, 10_000
"""Time limits of OpenCV's FFmpeg backend, in milliseconds; a stream may give a frame every four seconds."""


class Capture:
    """One ``cv2.VideoCapture``.

    Args:
        source: a device number, an address or a file name.
        name: the camera's name in messages.
        advice: what to do where no frame comes; the end of a sentence.

    Raises:
        CameraError: it cannot be opened.
    """

    def __init__(self, source: int | str, name: str, advice: str) -> None:
        self.name = name
        self._advice = advice
        self._last_read = 0.0
        # a number without a camera is an expected case, no reason for warnings on the console
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
            raise CameraError(f"{name} cannot be opened; {advice}")

    def get(self, prop: int) -> float:
        """The value of an OpenCV property; -1 or 0 where the driver lacks it."""
        return self._opened().get(prop)

    def set(self, prop: int, value: float) -> bool:
        """Sets an OpenCV property; False where the driver refuses."""
        return self._opened().set(prop, value)

    def size(self) -> Size:
        """Width and height of the frames, in pixels."""
        return int(self.get(cv2.CAP_PROP_FRAME_WIDTH)), int(self.get(cv2.CAP_PROP_FRAME_HEIGHT))

    def skip(self, count: int) -> None:
        """Drops the next ``count`` frames."""
        for _ in range(count):
            if not self._opened().grab():
                raise self._no_frame()

    def next(self) -> Frame:
        """The next frame in the queue, however old."""
        self.skip(1)
        return self._grabbed()

    def newest(self) -> Frame:
        """The current frame: frames that were queued meanwhile are dropped."""
        if time.monotonic() - self._last_read > _REST:
            waits = 0
            for _ in range(_MAX_QUEUED):
                start = time.monotonic()
                self.skip(1)
                waited = time.monotonic() - start
                if waited > _LONG_WAITED:
                    return self._grabbed()  # the next one may be seconds away
                # a single wait may come from a busy machine, before a frame that was queued
                waits += waited > _WAITED
                if waits == 2:
                    break
        while time.monotonic() - self._last_read < INTERVAL:
            self.skip(1)
        return self.next()

    def close(self) -> None:
        """Releases the device; may be called twice."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _opened(self) -> cv2.VideoCapture:
        if self._capture is None:
            raise CameraError(f"{self.name} is closed; open it again")
        return self._capture

    def _grabbed(self) -> Frame:
        """Decodes the frame that was grabbed last, or, where that cannot be, one of the next."""
        ok, pixels = self._opened().retrieve()
        for _ in range(_DAMAGED):
            if ok and pixels is not None:
                break
            self.skip(1)
            ok, pixels = self._opened().retrieve()
        if not ok or pixels is None:
            raise self._no_frame()
        self._last_read = time.monotonic()
        return Frame(np.ascontiguousarray(pixels, dtype=np.uint8), datetime.now(UTC), self.name)

    def _no_frame(self) -> CameraError:
        return CameraError(f"{self.name} gives no picture any more; {self._advice}")


class CaptureCamera(Camera):
    """A camera, stream or video file that OpenCV captures, of one size. Its arguments are those of ``Capture``.

    Raises:
        CameraError: it cannot be opened.
    """

    def __init__(self, source: int | str, name: str, advice: str) -> None:
        self._capture, self.name = Capture(source, name, advice), name

    def abilities(self) -> Abilities:
        size = self._capture.size()
        return Abilities(size, size)

    def close(self) -> None:
        super().close()
        self._capture.close()

    def _next(self) -> Frame:
        return self._capture.next()

    def _newest(self) -> Frame:
        return self._capture.newest()
