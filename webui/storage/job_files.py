"""Photos that wait to be read, on the disk: what was taken in is read, though the page ends before its turn."""

from __future__ import annotations

import json
import logging
import time
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from webui.storage.error_text import reason, what_to_do
from webui.storage.errors import StorageError
from webui.storage.photo_files import new_zip

FOLDER = "waiting"
_TRIES = 5
"""What was begun so often, and never ended, may be what ends the page."""
_JOB = "job.json"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be done: of which ``kind``, what else is known of it, the page where it leads to, by whom it comes."""

    kind: str
    about: dict[str, Any]
    target: str
    author: str | None


@dataclass(frozen=True, slots=True)
class Waiting:
    """A job with its photos, by their names. ``tries`` says how often it was begun."""

    ticket: str
    job: Job
    names: tuple[str, ...]
    path: Path
    tries: int = 0

    def photos(self) -> Iterator[tuple[bytes, str]]:
        """Each photo with its name, taken from the disk when it is asked for."""
        with zipfile.ZipFile(self.path) as held:
            for place, name in enumerate(self.names):
                yield held.read(str(place)), name

    @property
    def size(self) -> int:
        return self.path.stat().st_size


class WaitingRoom:
    """The folder ``waiting`` of the data folder: a file for each job, named by its time, its ticket and its tries."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER

    def keep(self, ticket: str, job: Job, photos: Iterable[tuple[bytes, str]]) -> Waiting:
        """Keeps a job with its photos, which are asked for one by one.

        Raises:
            StorageError: the disk does not take it.
        """
        path, names = self._folder / f"{time.time_ns():020}-{ticket}.0.zip", []
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with new_zip(path) as file:
                for place, (data, name) in enumerate(photos):
                    file.writestr(str(place), data, zipfile.ZIP_STORED)
                    names.append(name)
                file.writestr(_JOB, json.dumps({**asdict(job), "names": names}))
        except OSError as error:
            raise StorageError(f"The photo was not kept: {reason(error)}; {what_to_do(error)}.") from error
        return Waiting(ticket, job, tuple(names), path)

    def begin(self, waiting: Waiting) -> Waiting:
        """Notes that it is begun once more.

        Raises:
            StorageError: it cannot be noted.
        """
        tries = waiting.tries + 1
        path = waiting.path.with_name(f"{waiting.path.name.split('.')[0]}.{tries}.zip")
        try:
            return replace(waiting, path=waiting.path.rename(path), tries=tries)
        except OSError as error:
            raise StorageError(f"The photo cannot be read: {reason(error)}; {what_to_do(error)}.") from error

    def remove(self, waiting: Waiting) -> None:
        """It is done, or nobody waits for it any more."""
        with suppress(OSError):  # it is found to be done when it is done again
            waiting.path.unlink(missing_ok=True)

    def all(self) -> Iterator[Waiting]:
        """What waits, the first first; but for what cannot be read or was begun too often, which stays where it is."""
        for path in sorted(self._folder.glob("*.zip")):
            try:
                waiting = _read(path)
            except (OSError, zipfile.BadZipFile, ValueError, KeyError, TypeError) as error:
                _log.error("%s waits to be read and cannot be: %s", path.name, error)
                continue
            if waiting.tries < _TRIES:
                yield waiting
            else:
                _log.error("%s was begun %d times and never ended; it is left where it is", path.name, waiting.tries)


def _read(path: Path) -> Waiting:
    with zipfile.ZipFile(path) as file:
        held = json.loads(file.read(_JOB))
    made, tries, _ = path.name.split(".")
    names = tuple(held.pop("names"))
    return Waiting(made.partition("-")[2], Job(**held), names, path, int(tries))
