"""The access code that admits devices of the network, and rate limits against guessing it.

This machine itself needs no code. Another device is admitted once, by the six digits or by the key in the QR code. From
then on a secret of its own in its cookie identifies it, until somebody removes it.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from limits import RateLimitItemPerHour, RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from webui.access.network import client_network
from webui.storage.errors import disk_errors
from webui.storage.files.atomic_files import read_json, replace_file

_FILE = "access.json"
_CLOCK_STEP = 60.0
GUESSES = RateLimitItemPerMinute(10, 10)
"""Ten in ten minutes for each client."""
ALL_GUESSES = RateLimitItemPerHour(60)
"""For all clients together: guessing all day finds one of a million codes with a chance of 1 in 700."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """``code`` is six digits; ``key`` is part of the link in the QR code; ``open_to_viewers`` whether others may look
    on without either, and ``open_to_network`` whether they reach the page at all (``NetworkSwitch``). ``keeper_key`` is
    part of a link that only this machine's terminal shows: whoever opens it comes in with the right to do what else
    only this machine may."""

    code: str
    key: str
    keeper_key: str
    open_to_viewers: bool = False
    open_to_network: bool = False

    @property
    def key_id(self) -> str:
        """Identifies the code and the key in the QR code, without giving them away."""
        return _fingerprint(self.key)

    @property
    def keeper_key_id(self) -> str:
        """Identifies the keeper's key, without giving it away."""
        return _fingerprint(self.keeper_key)


class TooManyGuesses(Exception):
    """So many codes were tried that no more are accepted for a while."""


class AccessCode:
    """The current code and key, stored in the data folder. Thread-safe.

    Raises:
        StorageError: they cannot be stored.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / _FILE
        self._lock = threading.Lock()
        self._guesses = MemoryStorage()
        self._limiter = MovingWindowRateLimiter(self._guesses)
        self._clock_offset = _clock_offset()
        self._wrong_codes = 0
        try:
            self._secrets = _load(self._path)
        except (OSError, ValueError, TypeError):  # not there yet, or damaged
            self._save(_generate())

    @property
    def secrets(self) -> Secrets:
        return self._secrets

    @property
    def code(self) -> str:
        """The six digits as people read them: ``123 456``."""
        return f"{self._secrets.code[:3]} {self._secrets.code[3:]}"

    @property
    def wrong_codes(self) -> int:
        """How many wrong codes were entered since the page was started or the code changed."""
        return self._wrong_codes

    def is_code(self, text: str, address: str) -> bool:
        """Whether a text is the code; everything but its digits is ignored.

        Args:
            text: what was entered.
            address: the IP address that it came from.

        Raises:
            TooManyGuesses: that client, or all together, tried too often.
        """
        digits = "".join(sign for sign in text if sign.isdecimal())
        self._forget_guesses_of_another_clock()
        # Counted before anything is compared, so that guesses sent in parallel count too.
        if not self._limiter.hit(GUESSES, client_network(address)) or not self._limiter.hit(ALL_GUESSES):
            raise TooManyGuesses
        if secrets.compare_digest(digits.encode(), self._secrets.code.encode()):
            return True
        with self._lock:
            self._wrong_codes += 1
        return False

    def _forget_guesses_of_another_clock(self) -> None:
        """The limits go by the clock: once it is put back, guesses of before would count until it is there again."""
        with self._lock:
            offset, before = _clock_offset(), self._clock_offset
            self._clock_offset = offset
            if before - offset > _CLOCK_STEP:
                self._guesses.reset()

    def is_key(self, key: str) -> bool:
        """Whether a key is the one in the QR code; it is too long to be guessed."""
        return secrets.compare_digest(key.encode(), self._secrets.key.encode())

    def is_keeper_key(self, key: str) -> bool:
        """Whether a key is the one in the keeper's link."""
        return secrets.compare_digest(key.encode(), self._secrets.keeper_key.encode())

    def change(self, keeper_key: bool = False) -> None:
        """Makes a new code and key, on demand also a new keeper's key; admitted devices stay admitted."""
        with self._lock:
            new = _generate()
            kept = replace(self._secrets, code=new.code, key=new.key)
            self._save(replace(kept, keeper_key=new.keeper_key) if keeper_key else kept)
            self._wrong_codes = 0

    def change_keeper_key(self) -> None:
        """Makes a new keeper's key, for a device that shall not come by it again."""
        with self._lock:
            self._save(replace(self._secrets, keeper_key=_generate().keeper_key))

    def set_open_to_viewers(self, is_open: bool) -> None:
        """Allows viewers without the code, or forbids them."""
        with self._lock:
            self._save(replace(self._secrets, open_to_viewers=is_open))

    def set_open_to_network(self, is_open: bool) -> None:
        """Keeps whether the page lets other devices come at all; ``NetworkSwitch`` does it."""
        with self._lock:
            self._save(replace(self._secrets, open_to_network=is_open))

    def _save(self, new: Secrets) -> None:
        with disk_errors(f"{self._path.name} cannot be written"):
            replace_file(self._path, json.dumps(asdict(new)).encode())
        self._secrets = new


def _clock_offset() -> float:
    """Seconds from the monotonic clock to the other; they differ only where the clock is set."""
    return time.time() - time.monotonic()


def _generate() -> Secrets:
    return Secrets(f"{secrets.randbelow(10**6):06}", secrets.token_urlsafe(12), secrets.token_urlsafe(12))


def _fingerprint(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:16]


def _load(path: Path) -> Secrets:
    stored = Secrets(**read_json(path))
    keys = (stored.key, stored.keeper_key)
    if not (len(stored.code) == 6 and stored.code.isdecimal() and all(len(key) >= 16 for key in keys)):
        raise ValueError("not a code that was generated here")
    path.chmod(0o600)
    return stored
