"""The live picture as motion JPEG: each picture is encoded once for all viewers, and only while somebody views it."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import cv2
import numpy as np

from vision.cameras.watcher import Watcher
from vision.cameras.watching.owner import Snapshot
from vision.images.jpeg import to_jpeg
from vision.values import Pixels
from webui.access.quotas import Quota

MAX_VIEWERS = 8
"""Each holds a thread of the server; two thirds of them stay free for everything else."""
VIEWERS_PER_CLIENT = 2
"""Fewer, so that one device cannot take them all."""
BOUNDARY = "picture"
_MAX_SIDE, _QUALITY = 960, 75
_WAIT_SECONDS = 1.0


class LivePicture:
    """Serves the newest picture of a watched camera as JPEG. Thread-safe."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._lock = threading.Lock()
        self._encoded: tuple[object, bytes] = (None, b"")
        self._quota = Quota(MAX_VIEWERS, VIEWERS_PER_CLIENT)

    def picture(self, after: int = -1, wait: float = _WAIT_SECONDS) -> tuple[int, bytes]:
        """The number and JPEG of the newest picture, or of a slate where there is none.

        Args:
            after: waits for a picture with a higher number than this.
            wait: seconds to wait at most.
        """
        snapshot = self._watcher.snapshot(after, wait)
        return snapshot.number, self._jpeg(snapshot)

    def open_stream(self, client: str | None = None) -> LiveStream | None:
        """A stream for one more viewer; None if the quota of all clients or of this one is used up."""
        return LiveStream(self, client) if self._quota.take(client) else None

    def release(self, client: str | None) -> None:
        """Gives back the quota of a stream that ended."""
        self._quota.release(client)

    def _jpeg(self, snapshot: Snapshot) -> bytes:
        key = (snapshot.frame, snapshot.error)  # frames compare by identity
        with self._lock:
            if self._encoded[0] != key:
                pixels = slate() if snapshot.frame is None else snapshot.frame.pixels
                self._encoded = key, to_jpeg(pixels, _MAX_SIDE, _QUALITY)
            return self._encoded[1]


class LiveStream(Iterator[bytes]):
    """The parts of one multipart response; ``close`` ends it and must be called."""

    def __init__(self, live: LivePicture, client: str | None) -> None:
        self._live, self._client, self._number, self._is_open, self._begun = live, client, -1, True, False

    def __next__(self) -> bytes:
        if not self._is_open:
            raise StopIteration
        self._number, data = self._live.picture(self._number)
        # A browser shows a picture only when it gets the boundary after it, so that is sent along.
        start = b"" if self._begun else f"--{BOUNDARY}\r\n".encode()
        self._begun = True
        head = f"Content-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n".encode()
        return start + head + data + f"\r\n--{BOUNDARY}\r\n".encode()

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._live.release(self._client)


def slate() -> Pixels:
    """The picture if there is none, (540, 960, 3) uint8 BGR: a crossed-out camera, which nobody takes for a table.

    The last picture would pass for a live one; why there is none is said by the page.
    """
    pixels, pale = np.full((540, 960, 3), 40, np.uint8), (120, 120, 120)
    cv2.rectangle(pixels, (410, 110), (550, 210), pale, 10, cv2.LINE_AA)
    cv2.circle(pixels, (480, 160), 28, pale, 10, cv2.LINE_AA)
    cv2.line(pixels, (400, 230), (560, 90), pale, 10, cv2.LINE_AA)
    return pixels
