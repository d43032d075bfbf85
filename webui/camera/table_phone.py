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
    """The phone that is the table camera: the key of its page, and whose it is, for people."""

    key: str
    name: str


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
        """The phone that is the table camera; None where none is."""
        return self._in_use

    def begin(self, name: str, still: Size | None, take_over: bool) -> str | None:
        """Makes a phone the table camera. Returns the key for its pictures; None where another one is.

        Args:
            name: what people call it.
            still: width and height of its stills, as far as its browser tells.
            take_over: whether it takes the place of another one that still sends.
        """
        with self._lock:
            if self._in_use is not None and not take_over and MAILBOX.silent_for < SILENT_SECONDS:
                return None
            self._in_use, self._stopped = PhoneInUse(secrets.token_urlsafe(16), name), None
            MAILBOX.begin(still)
            key = self._in_use.key
        self._changed()
        return key

    def put(self, key: str, jpeg: bytes, is_still: bool = False) -> bool:
        """Takes a picture of the page with this key; False where its phone is not the table camera."""
        with self._lock:
            if self._in_use is None or not secrets.compare_digest(key.encode(), self._in_use.key.encode()):
                return False
            if is_still:
                MAILBOX.put_still(jpeg)
            else:
                MAILBOX.put(jpeg)
            return True

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
