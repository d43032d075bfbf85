"""Which phone or tablet is the table camera: one at a time, known by a key that its page holds."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass

from vision.cameras.base import Size
from vision.cameras.phone import MAILBOX

SILENT_SECONDS = 10.0
"""After which another phone may take the place of one without being asked."""


@dataclass(frozen=True, slots=True)
class PhoneInUse:
    """The phone that is the table camera: the key of its page, whose it is, for people, and whether it is let in."""

    key: str
    name: str
    has_access: Callable[[], bool]


class TablePhone:
    """Decides which phone's pictures go into the mailbox. Thread-safe.

    Args:
        changed: called when another camera is meant from now on.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._lock = threading.Lock()
        self._in_use: PhoneInUse | None = None
        self._stopped: str | None = None

    @property
    def in_use(self) -> PhoneInUse | None:
        """The phone that is the table camera; None where none is, or where it was sent out since."""
        phone = self._in_use
        if phone is not None and not phone.has_access():
            self.end(phone.key)
            return self._in_use
        return phone

    def begin(
        self, name: str, still: Size | None, take_over: bool, has_access: Callable[[], bool] = lambda: True
    ) -> str | None:
        """Makes a phone the table camera. Returns the key for its pictures; None where another one is.

        Args:
            name: what people call it.
            still: width and height of its stills, as far as its browser tells.
            take_over: whether it takes the place of another one that still sends.
            has_access: tells, again and again, whether its device is still let in.
        """
        other = self.in_use
        with self._lock:
            if other is not None and not take_over and MAILBOX.silent_for < SILENT_SECONDS:
                return None
            self._in_use, self._stopped = PhoneInUse(secrets.token_urlsafe(16), name, has_access), None
            MAILBOX.begin(still)
            key = self._in_use.key
        self._changed()
        return key

    def put(self, key: str, jpeg: bytes, is_still: bool = False) -> bool:
        """Takes a picture of the page with this key; False where its phone is not the table camera."""
        with self._lock:
            if not self._is_in_use(key):
                return False
            if is_still:
                MAILBOX.put_still(jpeg)
            else:
                MAILBOX.put(jpeg)
            return True

    def pause(self, key: str) -> bool:
        """The page with this key says that its camera gives no new picture; False where it is not the table camera."""
        with self._lock:
            if not self._is_in_use(key):
                return False
            MAILBOX.rest()
            return True

    def _is_in_use(self, key: str) -> bool:
        return self._in_use is not None and secrets.compare_digest(key.encode(), self._in_use.key.encode())

    def was_stopped(self, key: str) -> bool:
        """Whether the phone whose page has this key was stopped by somebody; not so after a restart of this program."""
        return self._stopped is not None and secrets.compare_digest(key.encode(), self._stopped.encode())

    def end(self, key: str | None = None) -> None:
        """No phone is the table camera any more.

        Args:
            key: of the page that stops; it ends no other phone. None where somebody else stops whichever it is.
        """
        with self._lock:
            if self._in_use is None or (key is not None and key != self._in_use.key):
                return
            self._stopped, self._in_use = self._in_use.key, None
            MAILBOX.end()
        self._changed()
