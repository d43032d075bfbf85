"""A video file as a camera: it plays as fast as it was filmed, and begins again at its end."""

from __future__ import annotations

import time
from pathlib import Path

import cv2

from vision.cameras.opencv_capture import PlayedCamera
from vision.errors import CameraError
from vision.values import Frame

_MOST_SKIPPED = 50
_USUAL_RATE = 25.0


class VideoCamera(PlayedCamera):
    """Plays a video file.

    Raises:
        CameraError: it is no video.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(
            str(path),
            path.name,
            "expected a video file that plays elsewhere too",
            "is a video file; nothing of it can be set",
        )
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        self._rate = rate if 0 < rate < 1000 else _USUAL_RATE
        self._begun, self._shown = 0.0, 0

    def read(self) -> Frame:
        now = time.monotonic()
        late = int((now - self._begun) * self._rate) - self._shown
        if not 0 <= late <= _MOST_SKIPPED:  # at the start, and after a rest
            if late < 0:
                time.sleep(max(self._begun + self._shown / self._rate - now, 0))
            else:
                self._begun, self._shown = now - self._shown / self._rate, self._shown
            late = 0
        try:
            self._capture.skip(late)
            frame = self._capture.next()
        except CameraError:
            self._capture.set(cv2.CAP_PROP_POS_FRAMES, 0)
            frame = self._capture.next()
            self._begun, self._shown, late = time.monotonic(), 0, 0
        self._shown += late + 1
        return frame
