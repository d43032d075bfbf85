"""Whether the services work: what ``/healthz`` answers."""

from __future__ import annotations

import shutil
import threading
import time
from dataclasses import dataclass
from importlib import metadata
from typing import Any

from webui.reading.known_looks import KnownLooks
from webui.reading.reader_service import ReaderService
from webui.storage.backup.backup_thread import BackupThread
from webui.storage.errors import StorageError
from webui.storage.store import Store

_MIN_FREE_BYTES = 200 * 1024 * 1024
_MAX_AGE = 2.0
_PATIENCE = 3.0
"""Seconds that a check may take; after these the storage does not answer."""
_WAITERS = 2
"""So many wait at once for a check that others began. They hold threads that also answer what needs no database."""
_NO_ANSWER = "what is stored cannot be reached: disk or database do not answer"
_NO_BACKUP = "the last backup could not be written; see Backup on the page"


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
    """Checks the services in a thread, at most once in two seconds, as disk and database may keep it waiting.

    No result is told that is older than the age and the patience together, so whoever asks seldom waits for a new one.
    Thread-safe.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._started = time.monotonic()
        self._last: tuple[float, Health] | None = None
        self._running: tuple[float, threading.Event] | None = None
        self._waiting = 0

    def run(self, store: Store, reader: ReaderService, looks: KnownLooks, backup_thread: BackupThread) -> Health:
        """The health of the services, as checked within the last seconds."""
        with self._lock:
            now = time.monotonic()
            is_begun = self._running is None and (self._last is None or now - self._last[0] > _MAX_AGE)
            if is_begun:
                self._running = now, threading.Event()
            running, may_wait = self._running, self._last is None or self._waiting < _WAITERS
            waits = running is not None and (is_begun or (may_wait and self._known(now) is None))
            self._waiting += waits
        if is_begun and running:
            arguments = (running[1], store, reader, looks, backup_thread)
            threading.Thread(target=self._run, args=arguments, name="health", daemon=True).start()
        if waits and running:
            running[1].wait(max(0.0, running[0] + _PATIENCE - time.monotonic()))
        with self._lock:
            self._waiting -= waits
            known = self._known(time.monotonic())
        return known or self._result(_NO_ANSWER, None, None, reader, backup_thread)

    def _known(self, now: float) -> Health | None:
        """The last result; None where it is too old, or a check hangs that would give another."""
        overdue = self._running is not None and now - self._running[0] >= _PATIENCE
        if self._last is None or overdue or now - self._last[0] > _MAX_AGE + _PATIENCE:
            return None
        return self._last[1]

    def _run(
        self,
        done: threading.Event,
        store: Store,
        reader: ReaderService,
        looks: KnownLooks,
        backup_thread: BackupThread,
    ) -> None:
        try:
            result = self._result(_storage(store), _free_bytes(store), looks.damage, reader, backup_thread)
            self._last = time.monotonic(), result
        finally:
            self._running = None
            done.set()

    def _result(
        self,
        storage: str | None,
        free: int | None,
        looks: str | None,
        reader: ReaderService,
        backup_thread: BackupThread,
    ) -> Health:
        low = free is not None and free < _MIN_FREE_BYTES
        parts = {
            "storage": storage,
            "reader": reader.error,
            "looks": looks,
            "backups": _NO_BACKUP if backup_thread.last_error else None,
            "disk": f"only {free // 1024**2} MB free; make room" if free is not None and low else None,
        }
        facts = {
            "version": metadata.version("handfoot"),
            "uptime": round(time.monotonic() - self._started),
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
