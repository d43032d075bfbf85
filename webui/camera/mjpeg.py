"""The live picture as motion JPEG: each picture is encoded once for everybody who looks, and none while nobody does."""

from __future__ import annotations

import textwrap
import threading
from collections.abc import Iterator

import cv2
import numpy as np

from vision.cameras.watcher import Snapshot, Watcher
from vision.images.jpeg import to_jpeg
from vision.values import Pixels
from webui.access.quotas import Quota

MOST_VIEWERS = 8
"""Each holds one of the page's threads; half of them stay free for everything else."""
VIEWERS_OF_ONE = 2
"""Of one device, so that none takes the seats of all others."""
BOUNDARY = "picture"
_LONGEST, _QUALITY = 960, 75
_WAIT = 1.0


class LivePicture:
    """Hands out the newest picture of a watched camera, as JPEG."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._lock = threading.Lock()
        self._encoded: tuple[object, bytes] = (None, b"")
        self._seats = Quota(MOST_VIEWERS, VIEWERS_OF_ONE)

    def picture(self, after: int = -1, wait: float = _WAIT) -> tuple[int, bytes]:
        """The newest picture's number and JPEG, or a slate that says why there is none."""
        snapshot = self._watcher.snapshot(after, wait)
        return snapshot.number, self._jpeg(snapshot)

    def viewer(self, guest: str | None = None) -> Viewer | None:
        """A stream for one more viewer; None where there are MOST_VIEWERS already, or VIEWERS_OF_ONE of this guest."""
        return Viewer(self, guest) if self._seats.take(guest) else None

    def left(self, guest: str | None) -> None:
        """One viewer less."""
        self._seats.give_back(guest)

    def _jpeg(self, snapshot: Snapshot) -> bytes:
        key = (snapshot.frame, snapshot.trouble)  # frames are equal only where they are the same
        with self._lock:
            if self._encoded[0] != key:
                pixels = slate(snapshot.trouble) if snapshot.frame is None else snapshot.frame.pixels
                self._encoded = key, to_jpeg(pixels, _LONGEST, _QUALITY)
            return self._encoded[1]


class Viewer(Iterator[bytes]):
    """The parts of one multipart answer; ``close`` ends it and must be called."""

    def __init__(self, live: LivePicture, guest: str | None) -> None:
        self._live, self._guest, self._number, self._open, self._begun = live, guest, -1, True, False

    def __next__(self) -> bytes:
        if not self._open:
            raise StopIteration
        self._number, data = self._live.picture(self._number)
        # a browser shows a picture when it sees the line that ends it, so that line is sent along
        head = b"" if self._begun else f"--{BOUNDARY}\r\n".encode()
        self._begun = True
        about = f"Content-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n".encode()
        return head + about + data + f"\r\n--{BOUNDARY}\r\n".encode()

    def close(self) -> None:
        if self._open:
            self._open = False
            self._live.left(self._guest)


def slate(sentence: str | None) -> Pixels:
    """What is shown instead of a picture, (540, 960, 3) BGR: never the last one, which would pass for live."""
    pixels = np.full((540, 960, 3), 40, np.uint8)
    for y in range(-540, 960, 60):  # stripes, so that nobody takes it for a dark table
        cv2.line(pixels, (y, 540), (y + 540, 0), (54, 54, 54), 14, cv2.LINE_AA)
    lines = ["No live picture", *textwrap.wrap(sentence or "The camera is being opened ...", 44)]
    for number, line in enumerate(lines):
        size = 1.6 if number == 0 else 1.1
        place = (50, 170 + 62 * number)
        cv2.putText(pixels, line, place, cv2.FONT_HERSHEY_SIMPLEX, size, (240, 240, 240), 2, cv2.LINE_AA)
    return pixels
