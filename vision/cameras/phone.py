"""A phone or tablet as a camera: its browser sends one picture after another, which wait in a mailbox.

The page that takes them (``webui/pages/photos/phone.py``) puts them in; the camera gives the newest one, and asks for a
still by leaving word in the mailbox, which the answer to the next picture passes on. Only the newest picture is held.
"""

from __future__ import annotations

import statistics
import threading
import time
from collections import deque

from vision.cameras.base import SLOW_PATIENCE, Abilities, Camera, CameraKind, Size
from vision.errors import CameraError, PhotoError
from vision.images.sandbox import shared_decoder
from vision.values import Frame

NAME = "the phone at the table"
QUICK, SLOW = 0.2, 2.0
"""Seconds between two pictures, while somebody looks at them and otherwise."""
_WATCHED_SECONDS = 3.0
"""So long after a picture was looked at, more are wanted quickly."""
_SILENCE, _MAX_SILENCE = 3.0, 12.0
"""Seconds without a picture after which a phone counts as gone; one over a slow network has more."""
_STILL_SECONDS = 9.0
_DAMAGED_SECONDS = 2.0
"""So long damaged pictures are passed over."""
_NOBODY = (
    "no phone or tablet is the table camera now; open Camera on one that has joined, and press “Use this device as the "
    "table camera”"
)

_RESTS = f"{NAME} is paused; keep its page open and its screen on"
_GONE = f"{NAME} gives no picture any more; check that its page is open and its screen on"


class Mailbox:
    """What one phone sends: its newest picture, and a still where one was asked for. Thread-safe."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._phone = 0
        self._is_on = False
        self._still_size: Size | None = None
        self._clear()

    def _clear(self) -> None:
        now = time.monotonic()
        self._number, self._jpeg, self._came, self._begun = 0, b"", now, now
        self._gaps = deque[float](maxlen=5)
        self._still: bytes | None = None
        self._still_wanted = self._rests = False
        self._looked = -_WATCHED_SECONDS

    def begin(self, still: Size | None = None) -> None:
        """A phone begins to send; what another one sent before is dropped.

        Args:
            still: width and height of its stills, as far as the browser tells.
        """
        with self._changed:
            self._phone, self._is_on, self._still_size = self._phone + 1, True, still
            self._clear()
            self._changed.notify_all()

    def end(self) -> None:
        """The phone is no camera any more."""
        with self._changed:
            self._phone, self._is_on = self._phone + 1, False
            self._clear()
            self._changed.notify_all()

    def put(self, jpeg: bytes) -> None:
        """Takes the phone's next picture, in place of the one before."""
        with self._changed:
            now = time.monotonic()
            if self._number:
                self._gaps.append(now - self._came)
            self._number, self._jpeg, self._came, self._rests = self._number + 1, jpeg, now, False
            self._changed.notify_all()

    def rest(self) -> None:
        """The phone is there and has no new picture, as after a call; the last one counts no more."""
        with self._changed:
            self._jpeg, self._came, self._rests = b"", time.monotonic(), True
            self._gaps.clear()
            self._changed.notify_all()

    def put_still(self, jpeg: bytes) -> None:
        """Takes the still that was asked for."""
        with self._changed:
            self._still, self._still_wanted, self._came = jpeg, False, time.monotonic()
            self._changed.notify_all()

    @property
    def is_on(self) -> bool:
        """Whether a phone is the camera, be it silent or not."""
        return self._is_on

    @property
    def wants_still(self) -> bool:
        """Whether the phone is to take a still now."""
        return self._still_wanted

    @property
    def pause(self) -> float:
        """Seconds until the next picture is wanted."""
        return QUICK if time.monotonic() - self._looked < _WATCHED_SECONDS else SLOW

    @property
    def silent_for(self) -> float:
        """Seconds since the phone sent anything."""
        return time.monotonic() - self._came

    # The rest is for the camera, which names the phone that it was opened for.

    def open(self) -> tuple[int, Size | None]:
        """The number of the phone that sends, and the size of its stills.

        Raises:
            CameraError: no phone is the camera.
        """
        with self._changed:
            if not self._is_on:
                raise CameraError(_NOBODY)
            return self._phone, self._still_size

    def next(self, phone: int, after: int) -> tuple[int, bytes]:
        """The newest picture and its number, once it is higher than ``after``.

        Raises:
            CameraError: none comes, or another phone is the camera.
        """
        with self._changed:
            self._looked = time.monotonic()
            waiting_since = self._looked
            while True:
                self._must_be(phone)
                now = self._looked = time.monotonic()
                if self._number > after and now - self._came < _SILENCE:
                    return self._number, self._jpeg
                patience = max(_SILENCE, 2.5 * statistics.median(self._gaps)) if self._gaps else _SILENCE
                left = max(self._came, waiting_since) + min(patience, _MAX_SILENCE) - now
                if left <= 0:
                    raise CameraError(_GONE)
                self._changed.wait(min(left, 0.5))

    def take_still(self, phone: int) -> bytes:
        """Asks the phone for a still and waits for it.

        Raises:
            CameraError: the phone is gone, or another phone is the camera.
            PhotoError: it sends pictures, but no still.
        """
        with self._changed:
            self._still, self._still_wanted = None, True
            end = time.monotonic() + _STILL_SECONDS
            try:
                while self._still is None:
                    self._must_be(phone)
                    now = self._looked = time.monotonic()
                    if now > end:
                        if now - self._came > _SILENCE:
                            raise CameraError(_GONE)
                        raise PhotoError(f"{NAME} took no picture; try again")
                    self._changed.wait(min(end - now, 0.5))
                return self._still
            finally:
                self._still, self._still_wanted = None, False

    def _must_be(self, phone: int) -> None:
        if not self._is_on:
            raise CameraError(_NOBODY)
        if phone != self._phone:
            raise CameraError(f"{NAME} gives no picture any more; check whether another one took its place")
        if self._rests:
            raise CameraError(_RESTS)


MAILBOX = Mailbox()
"""What the phone of this machine's table sends; there is one table camera at a time."""


class PhoneCamera(Camera):
    """The pictures of the phone that is the table camera. Their shape changes where the phone is turned.

    They are decoded in the sandbox, as everything is that other devices send.

    Raises:
        CameraError: no phone is the camera.
    """

    name = NAME

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox
        self._phone, self._still_size = mailbox.open()
        self._given = 0
        self._first: Frame | None = None

    def abilities(self) -> Abilities:
        if self._first is None:
            self._first = self._next()
        size = self._first.width, self._first.height
        return Abilities(size, self._still_size or size, patience=SLOW_PATIENCE, fixed_size=False)

    def read(self) -> Frame:
        self._must_be_open()
        return self._next()

    def still(self) -> Frame:
        self._must_be_open()
        return shared_decoder().decode(self._mailbox.take_still(self._phone), f"the picture of {NAME}")[0]

    def _next(self) -> Frame:
        end = time.monotonic() + _DAMAGED_SECONDS
        while True:
            self._given, jpeg = self._mailbox.next(self._phone, self._given)
            try:
                return shared_decoder().decode(jpeg, f"the picture of {NAME}")[0]
            except PhotoError:
                if time.monotonic() > end:
                    raise


def _open(spec: str) -> PhoneCamera | None:
    return PhoneCamera(MAILBOX) if spec == "phone" else None


KIND = CameraKind("a phone or tablet that joins (phone)", _open)
