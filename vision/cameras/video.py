"""A video file as a camera: it plays at its own speed and starts again at its end."""

from __future__ import annotations

import time
from pathlib import Path

import cv2

from vision.cameras.base import CameraKind
from vision.cameras.opencv_capture import CaptureCamera
from vision.errors import CameraError
from vision.values import Frame

_MAX_SKIPPED = 50
"""Frames that are skipped to catch up; after a longer rest the film goes on where it was."""
_DEFAULT_RATE = 25.0
"""Frames a second, where the file does not say."""


class VideoCamera(CaptureCamera):
    """Plays a video file.

    Raises:
        CameraError: it is no video.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(str(path), path.name, "expected a video file that plays elsewhere too")
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        self._rate = rate if 0 < rate < 1000 else _DEFAULT_RATE
        self._started_at, self._position = 0.0, 0

    def read(self) -> Frame:
        now = time.monotonic()
        behind = int((now - self._started_at) * self._rate) - self._position
        if behind < 0:
            time.sleep(max(self._started_at + self._position / self._rate - now, 0))
            behind = 0
        elif behind > _MAX_SKIPPED:  # the first read, or one after a rest
            self._started_at = now - self._position / self._rate
            behind = 0
        try:
            self._capture.skip(behind)
            frame = self._capture.next()
        except CameraError:
            self._capture.set(cv2.CAP_PROP_POS_FRAMES, 0)
            frame = self._capture.next()
            self._started_at, self._position, behind = time.monotonic(), 0, 0
        self._position += behind + 1
        return frame


def _open(spec: str) -> VideoCamera | None:
    path = Path(spec)
    return VideoCamera(path) if path.is_file() else None


KIND = CameraKind("a video", _open)
