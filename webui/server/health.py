"""Whether the services work: what ``/healthz`` answers."""

from __future__ import annotations

import shutil
import threading
import time
from dataclasses import dataclass
from importlib import metadata
from typing import Any

from webui.reading.reader_service import ReaderService
from webui.storage.backup.backup_thread import BackupThread
from webui.storage.errors import StorageError
from webui.storage.store import Store

_MIN_FREE_BYTES = 200 * 1024 * 1024
_MAX_AGE = 2.0
_NO_BACKUP = "the last backup could not be written; Safekeeping on the page says why"


@dataclass(frozen=True, slots=True)
class Health:
    """``ok`` is whether people can play; ``parts`` maps each part to what is wrong with it, None if nothing is."""

    ok: bool
    parts: dict[str, str | None]
    facts: dict[str, Any]

    @property
    def status(self) -> str:
        return "ok" if self.ok else "failing"

    def as_json(self) -> dict[str, Any]:
        wrong = {part: error for part, error in self.parts.items() if error}
        return {"status": self.status, **self.facts, "parts": sorted(self.parts), "wrong": wrong}


class HealthCheck:
    """Checks the services at most once in two seconds. Thread-safe; during a check others get the last result."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._started = time.monotonic()
        self._last: tuple[float, Health] | None = None

    def run(self, store: Store, reader: ReaderService, backup_thread: BackupThread) -> Health:
        """The health of the services, checked now or within the last two seconds."""
        last = self._last
        if not self._lock.acquire(blocking=last is None) and last:
            return last[1]
        try:
            now, last = time.monotonic(), self._last
            if last is None or now - last[0] > _MAX_AGE:
                last = self._last = now, self._check(now, store, reader, backup_thread)
            return last[1]
        finally:
            self._lock.release()

    def _check(self, now: float, store: Store, reader: ReaderService, backup_thread: BackupThread) -> Health:
        storage = _storage(store)
        free = _free_bytes(store)
        low = free is not None and free < _MIN_FREE_BYTES
        parts = {
            "storage": storage,
            "reader": reader.error,
            "backups": _NO_BACKUP if backup_thread.last_error else None,
            "disk": f"only {free // 1024**2} MB free; make room" if free is not None and low else None,
        }
        facts = {
            "version": metadata.version("handfoot"),
            "uptime": round(now - self._started),
            "reader_loaded": reader.loaded,
            "free_mb": None if free is None else free // 1024**2,
        }
        return Health(storage is None and reader.error is None, parts, facts)


def _storage(store: Store) -> str | None:
    try:
        store.check_writable()
    except StorageError as error:
        return str(error)
    return None


def _free_bytes(store: Store) -> int | None:
    try:
        return shutil.disk_usage(store.folder).free
    except OSError:
        return None
