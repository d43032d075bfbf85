"""Network cameras over HTTP: a snapshot address, which gives one picture a request, and motion JPEG.

What an address gives is told by its answer, so it does not matter which of the two was meant; what is neither is left
to FFmpeg. One picture that fails is asked for again; only several in a row end the connection.
"""

from __future__ import annotations

import http.client
import statistics
import threading
import time
from collections import deque
from contextlib import suppress

from vision.cameras.address import Address
from vision.cameras.base import SLOW_PATIENCE, Abilities, Camera
from vision.cameras.http.answer import ADVICE, NAME, Answer
from vision.cameras.http.pictures import EndlessError, begins_as_parts, begins_as_picture, parts, whole_picture
from vision.errors import CameraError, PhotoError, VisionError
from vision.images.decode import decode_photo
from vision.values import Frame

_SNAPSHOT_PAUSE = 0.2
"""Least seconds between two snapshots, so that small cameras are not kept busy."""
_TRIES, _TRY_SECONDS = 4, 4.0
"""So often and for so long a picture that fails is asked for again."""
_FIRST_SECONDS, _SILENCE, _MAX_SILENCE = 6.0, 3.0, 12.0
"""Seconds without a picture after which a camera counts as gone: before the first, and later a quick and a slow one."""
_NO_PICTURE = "gives no picture any more"
_DAMAGED_SECONDS = 2.0
"""So long damaged pictures are passed over."""


class HttpCamera(Camera):
    """What snapshots and motion JPEG have in common: the size of their first picture."""

    name = NAME
    _first: Frame | None = None

    def abilities(self) -> Abilities:
        if self._first is None:
            self._first = self._next()
        size = self._first.width, self._first.height
        return Abilities(size, size, patience=SLOW_PATIENCE)


class SnapshotCamera(HttpCamera):
    """Fetches its address again for each picture."""

    def __init__(self, address: Address, first: Frame) -> None:
        self._address, self._first, self._fetched = address, first, 0.0

    def _next(self) -> Frame:
        end = time.monotonic() + _TRY_SECONDS
        for left in reversed(range(_TRIES)):
            time.sleep(max(self._fetched + _SNAPSHOT_PAUSE - time.monotonic(), 0))
            self._fetched = time.monotonic()
            try:
                with Answer(self._address, _NO_PICTURE) as answer:
                    return _snapshot(answer)
            except EndlessError:  # it has become a stream
                raise CameraError(f"{NAME} {_NO_PICTURE}; {ADVICE}") from None
            except VisionError:
                if not left or time.monotonic() > end:
                    raise
        raise AssertionError("unreachable")


class MjpegCamera(HttpCamera):
    """Shows the newest picture of a motion JPEG stream; a thread takes in what comes, so that none grows old.

    Where the stream ends after pictures, as some do after each or after a minute, it is asked for again.
    """

    def __init__(self, address: Address, answer: Answer) -> None:
        self._changed = threading.Condition()
        self._last: tuple[int, bytes] = (0, b"")
        self._given = 0
        self._gone = False
        self._came, self._gaps = time.monotonic(), deque[float](maxlen=5)
        self._address, self._answer = address, answer
        threading.Thread(target=self._run, args=(answer,), name="motion-jpeg", daemon=True).start()

    def still(self) -> Frame:
        self._must_be_open()
        with self._changed:
            self._given = self._last[0]  # one that comes from now on
        return self.read()

    def close(self) -> None:
        with self._changed:
            super().close()
        self._answer.cut()  # or its thread would wait for as long as bytes come

    def _next(self) -> Frame:
        end = time.monotonic() + _DAMAGED_SECONDS
        while True:
            try:
                return decode_photo(self._picture(), f"the picture of {NAME}")
            except PhotoError:
                if time.monotonic() > end:
                    raise

    def _picture(self) -> bytes:
        """The newest picture that was not given yet (JPEG)."""
        with self._changed:
            silence = max(_SILENCE, 2.5 * statistics.median(self._gaps)) if self._gaps else _FIRST_SECONDS
            end = time.monotonic() + min(silence, _MAX_SILENCE)
            while self._last[0] == self._given and not self._gone:
                left = end - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(left)
            if self._last[0] == self._given:
                raise CameraError(f"{NAME} {_NO_PICTURE}; {ADVICE}")
            self._given, data = self._last
            return data

    def _run(self, answer: Answer) -> None:
        more: Answer | None = answer
        while more is not None:
            before = self._last[0]
            with suppress(OSError, ValueError, http.client.HTTPException), more:
                more.goes_on()
                for data in parts(more.response):
                    self._show(data)
                    if self._closed:
                        break
            more = self._again() if self._last[0] > before else None
        with self._changed:
            self._gone = True
            self._changed.notify_all()

    def _show(self, data: bytes) -> None:
        with self._changed:
            now = time.monotonic()
            if self._last[0]:
                self._gaps.append(now - self._came)
            self._came, self._last = now, (self._last[0] + 1, data)
            self._changed.notify_all()

    def _again(self) -> Answer | None:
        """The stream asked for anew; None where the camera is closed or gives none."""
        time.sleep(max(self._came + _SNAPSHOT_PAUSE - time.monotonic(), 0))
        try:
            made = None if self._closed else Answer(self._address, _NO_PICTURE)
        except CameraError:
            return None
        with self._changed:
            if made is not None:
                self._answer = made
            closed = self._closed
        if closed and made is not None:
            made.close()
            return None
        return made


def open_http(address: Address) -> HttpCamera | None:
    """Opens what an address gives; None where that is neither a picture nor motion JPEG.

    Raises:
        CameraError: nothing answers there, it asks for another user or password, or it gives a web page.
        PhotoError: the picture there cannot be read.
    """
    answer = Answer(address)
    try:
        if begins_as_parts(answer.response):
            return MjpegCamera(address, answer)
        headers = answer.response.headers
        if begins_as_picture(answer.response) or headers.get_content_maintype() == "image":
            with answer:
                return SnapshotCamera(address, _snapshot(answer))
    except EndlessError:  # pictures without anything between them
        return None
    except (OSError, ValueError, http.client.HTTPException):
        answer.close()
        raise CameraError(f"{NAME} {_NO_PICTURE}; {ADVICE}") from None
    answer.close()
    if headers.get_content_subtype() in ("html", "xhtml+xml"):
        raise CameraError(f"the address of {NAME} gives a web page; expected that of its picture or stream itself")
    return None


def _snapshot(answer: Answer) -> Frame:
    """The picture in an answer.

    Raises:
        CameraError: the answer breaks off, or takes too long.
        PhotoError: it is no picture that can be read.
        EndlessError: more pictures follow.
    """
    try:
        data = whole_picture(answer.response)
    except EndlessError:
        raise
    except (OSError, ValueError, http.client.HTTPException):
        data = None
    if data is None or answer.is_cut:
        raise CameraError(f"{NAME} {_NO_PICTURE}; {ADVICE}")
    return decode_photo(data, f"the picture of {NAME}")
