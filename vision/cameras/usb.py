"""Cameras that the operating system offers, through OpenCV's capture; nothing else names it."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np

from vision.errors import CameraError
from vision.values import Frame

# A capture keeps a few old frames in a queue; this many are thrown away so that the picture is of now.
_STALE_FRAMES = 4
_WIDTH, _HEIGHT = 1920, 1080


def attached() -> list[int]:
    """The numbers of the cameras that give a picture, lowest first; opening each is the only sure test."""
    if sys.platform.startswith("linux"):
        nodes = Path("/sys/class/video4linux")
        numbers = sorted(int(node.name[5:]) for node in nodes.glob("video*") if node.name[5:].isdecimal())
    else:
        numbers = [0, 1]
    found = []
    for number in numbers:
        capture = _capture(number)
        if capture.isOpened() and capture.read()[0]:
            found.append(number)
        capture.release()
    return found


def _capture(number: int) -> cv2.VideoCapture:
    # A number without a camera is an answer, not something to print warnings about.
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    return cv2.VideoCapture(number)


class UsbCamera:
    """An attached camera, asked for 1920 x 1080.

    Raises:
        CameraError: it cannot be opened.
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self._capture = _capture(number)
        if not self._capture.isOpened():
            self._capture.release()
            raise CameraError(f"camera {number} cannot be opened; plug it in, or close the program that is using it")
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, _WIDTH)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, _HEIGHT)

    @property
    def name(self) -> str:
        return f"camera {self._number}"

    def read(self) -> Frame:
        for _ in range(_STALE_FRAMES):
            self._capture.grab()
        ok, pixels = self._capture.read()
        if not ok or pixels is None:
            raise CameraError(f"camera {self._number} gives no picture any more; unplug it and plug it in again")
        return Frame(np.ascontiguousarray(pixels, dtype=np.uint8), datetime.now(UTC), self.name)

    def close(self) -> None:
        self._capture.release()
