"""Whether the page can do its work just now: what ``/healthz`` answers."""

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

_LEAST_FREE = 200 * 1024 * 1024
_FRESH = 2.0
_NO_BACKUP = "the last backup could not be written; Safekeeping on the page says why"


@dataclass(frozen=True, slots=True)
class Health:
    """``ok`` where people can play; ``parts`` says of each part what is wrong, None where nothing is."""

    ok: bool
    parts: dict[str, str | None]
    facts: dict[str, Any]

    @property
    def status(self) -> str:
        return "ok" if self.ok else "failing"

    def as_json(self) -> dict[str, Any]:
        wrong = {part: trouble for part, trouble in self.parts.items() if trouble}
        return {"status": self.status, **self.facts, "parts": sorted(self.parts), "wrong": wrong}


class HealthWatch:
    """Looks the page over, at most once in two seconds however many ask; who asks meanwhile hears the last answer."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._began = time.monotonic()
        self._looked: tuple[float, Health] | None = None

    def look(self, store: Store, reader: ReaderService, backup_thread: BackupThread) -> Health:
        looked = self._looked
        if not self._lock.acquire(blocking=looked is None) and looked:
            return looked[1]
        try:
            now, looked = time.monotonic(), self._looked
            if looked is None or now - looked[0] > _FRESH:
                looked = self._looked = now, self._look(now, store, reader, backup_thread)
            return looked[1]
        finally:
            self._lock.release()

    def _look(self, now: float, store: Store, reader: ReaderService, backup_thread: BackupThread) -> Health:
        storage = _storage(store)
        free = _free(store)
        low = free is not None and free < _LEAST_FREE
        parts = {
            "storage": storage,
            "reader": reader.trouble,
            "backups": "the last backup could not be written; Safekeeping on the page says why"
            if backup_thread.last_error
            else None,
            "disk": f"only {free // 1024**2} MB free; make room" if free is not None and low else None,
        }
        facts = {
            "version": metadata.version("handfoot"),
            "uptime": round(now - self._began),
            "reader_loaded": reader.loaded,
            "free_mb": None if free is None else free // 1024**2,
        }
        return Health(storage is None and reader.trouble is None, parts, facts)


def _storage(store: Store) -> str | None:
    try:
        store.check_writable()
    except StorageError as error:
        return str(error)
    return None


def _free(store: Store) -> int | None:
    try:
        return shutil.disk_usage(store.folder).free
    except OSError:
        return None
