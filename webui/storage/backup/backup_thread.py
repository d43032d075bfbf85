"""Makes backups in the background while the server runs, and removes old photos once an hour."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

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
        """Makes a backup, if anything has changed. The health page tells why it could not be made."""
        self.last_error = _why_not(self._backups.back_up_if_changed)

    def _run(self) -> None:
        tidied = -_TIDY
        while True:
            self.back_up()
            if time.monotonic() - tidied >= _TIDY:
                tidied = time.monotonic()
                _why_not(lambda: self._backups.remove_old_photos(self._limit))
            if self._stop.wait(self._interval):
                return


def _why_not(work: Callable[[], object]) -> str | None:
    """Does some work, and says why it could not be done; whatever that is, the next is done, and the server goes on."""
    try:
        work()
    except StorageError as error:
        _log.warning("%s", error)
        return str(error)
    except Exception as error:
        _log.exception("this should not have happened")
        return type(error).__name__
    return None
