"""Keeps the games safe by itself while the page is open: backups when something has changed, old photos removed."""

from __future__ import annotations

import logging
import threading
import time

from webui.storage.backup.backups import Keeping
from webui.storage.backup.photo_retention import PhotoLimit
from webui.storage.errors import StorageError

_EVERY = 10 * 60.0
_DAY = 24 * 3600.0
_log = logging.getLogger(__name__)


class Keeper:
    """Works in a thread of its own until it is closed. ``trouble`` is why the last backup could not be made, if so."""

    def __init__(self, keeping: Keeping, limit: PhotoLimit, every: float = _EVERY) -> None:
        self._keeping, self._limit, self._every = keeping, limit, every
        self.trouble: str | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="keeper", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Makes a last backup, where something has changed."""
        self._stop.set()
        self._thread.join()
        self.back_up()

    def back_up(self) -> None:
        try:
            self._keeping.back_up_if_changed()
            self.trouble = None
        except StorageError as error:  # the page goes on; whoever asks for its health hears of it
            self.trouble = str(error)
            _log.warning("no backup: %s", error)

    def _run(self) -> None:
        tidied = -_DAY
        while True:
            self.back_up()
            if time.monotonic() - tidied >= _DAY:
                tidied = time.monotonic()
                self._tidy()
            if self._stop.wait(self._every):
                return

    def _tidy(self) -> None:
        self._keeping.tidy()
        try:
            self._keeping.limit_photos(self._limit)
        except StorageError as error:
            _log.warning("%s", error)
