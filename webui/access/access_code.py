"""The door of the page on a network: the code that lets a device in, and how often it may be guessed.

This machine itself needs no code. Another device is let in once, by the six digits or by the key in the square to
scan, and is then known by a secret of its own in its cookie until somebody removes it.
"""

from __future__ import annotations

import json
import secrets
import threading
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from limits import RateLimitItemPerHour, RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from webui.access.network import neighbour
from webui.storage.atomic_files import replace_file
from webui.storage.errors import StorageError

_FILE = "door.json"
GUESSES = RateLimitItemPerMinute(10, 10)
"""Of one address: ten in ten minutes."""
ALL_GUESSES = RateLimitItemPerHour(60)
"""Of all together: somebody who tries all day finds a code of a million with a chance of 1 in 700."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """``code`` is six digits; ``key`` stands in the square to scan; ``open_to_viewers`` lets others look on."""

    code: str
    key: str
    open_to_viewers: bool = False


class TooManyGuesses(Exception):
    """A code was tried so often that no more are heard for a while."""


class AccessCode:
    """Safe to use from several threads.

    Raises:
        StorageError: the code cannot be kept.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / _FILE
        self._lock = threading.Lock()
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._wrong = 0
        try:
            self._held = _read(self._path)
        except (OSError, ValueError, TypeError):  # not there yet, or not as it was written
            self._held = _new()
            self._keep(self._held)

    @property
    def secrets(self) -> Secrets:
        return self._held

    @property
    def code(self) -> str:
        """The six digits as people read them: ``123 456``."""
        return f"{self._held.code[:3]} {self._held.code[3:]}"

    @property
    def wrong(self) -> int:
        """How many wrong codes were tried since the page was started."""
        return self._wrong

    def opens(self, code: str, address: str) -> bool:
        """Whether what was typed is the code.

        Raises:
            TooManyGuesses: that address, or all together, have tried too often.
        """
        given = "".join(sign for sign in code if sign.isdecimal())
        # both are counted before anything is compared, so that guesses sent side by side are no more than others
        if not self._limiter.hit(GUESSES, neighbour(address)) or not self._limiter.hit(ALL_GUESSES):
            raise TooManyGuesses
        if secrets.compare_digest(given.encode(), self._held.code.encode()):
            return True
        with self._lock:
            self._wrong += 1
        return False

    def scanned(self, key: str) -> bool:
        """Whether a key is the one in the square; it is too long to be guessed."""
        return secrets.compare_digest(key.encode(), self._held.key.encode())

    def change_code(self) -> None:
        """Makes a new code and a new square; devices that are in stay in."""
        with self._lock:
            self._keep(_new(self._held.open_to_viewers))
            self._wrong = 0

    def open_to_viewers(self, is_open: bool) -> None:
        """Lets others look on without the code, or no more."""
        with self._lock:
            self._keep(replace(self._held, open_to_viewers=is_open))

    def _keep(self, held: Secrets) -> None:
        try:
            replace_file(self._path, json.dumps(asdict(held)).encode())
        except OSError as error:
            raise StorageError(f"{self._path} cannot be written: {error.strerror or error}; make room there") from error
        self._held = held


def _new(open_to_viewers: bool = False) -> Secrets:
    return Secrets(f"{secrets.randbelow(10**6):06}", secrets.token_urlsafe(12), open_to_viewers)


def _read(path: Path) -> Secrets:
    held = Secrets(**json.loads(path.read_text(encoding="utf-8")))
    if not (len(held.code) == 6 and held.code.isdecimal() and len(held.key) >= 16):
        raise ValueError("no code that was made here")
    path.chmod(0o600)
    return held
