"""Makes backups in the background while the server runs, removes what crashes left, and old photos once an hour."""

from __future__ import annotations

import logging
import threading
import time

from webui.storage.backup.backups import Backups
from webui.storage.errors import StorageError
from webui.storage.files.photo_limit import PhotoLimit

_INTERVAL = 10 * 60.0
_TIDY = 3600.0
_log = logging.getLogger(__name__)


class BackupThread:
    """A thread that runs until ``close``. ``last_error`` says why the last backup failed, None where it did not."""

    def __init__(self, backups: Backups, limit: PhotoLimit, interval: float = _INTERVAL) -> None:
        self._backups, self._limit, self._interval = backups, limit, interval
        self.last_error: str | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="backups", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Stops the thread and makes a last backup, if anything has changed."""
        self._stop.set()
        self._thread.join()
        self.back_up()

    def back_up(self) -> None:
        """Makes a backup, if anything has changed."""
        try:
            self._backups.back_up_if_changed()
            self.last_error = None
        except StorageError as error:  # the server goes on; its health page reports the error
            self.last_error = str(error)
            _log.warning("no backup: %s", error)

    def _run(self) -> None:
        tidied = -_TIDY
        while True:
            self.back_up()
            self._backups.remove_leftovers()
            if time.monotonic() - tidied >= _TIDY:
                tidied = time.monotonic()
                self._tidy()
            if self._stop.wait(self._interval):
                return

    def _tidy(self) -> None:
        try:
            self._backups.remove_old_photos(self._limit)
        except StorageError as error:
            _log.warning("%s", error)
