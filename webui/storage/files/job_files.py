"""The queue of photo jobs on disk, so that a photo that was accepted is read even if the server stops before."""

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

from vision.stored_arrays import DAMAGED_ZIP
from webui.storage.errors import disk_errors
from webui.storage.files.atomic_files import new_zip
from webui.whole_numbers import whole_number

FOLDER = "waiting"
_MAX_TRIES = 5
"""A job that was started so often and never finished may be what crashes the server."""
_JOB = "job.json"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Job:
    """A photo job: the name of its handler, the handler's parameters, the page to show afterwards, and who sent it."""

    kind: str
    about: dict[str, Any]
    target: str
    author: str | None


@dataclass(frozen=True, slots=True)
class StoredJob:
    """A job in the queue. ``names`` are the file names of its photos; ``tries`` is how often it was started."""

    ticket: str
    job: Job
    names: tuple[str, ...]
    path: Path
    tries: int = 0

    def photos(self) -> Iterator[tuple[bytes, str]]:
        """Each photo with its file name, read from disk one at a time."""
        with zipfile.ZipFile(self.path) as archive:
            for index, name in enumerate(self.names):
                yield archive.read(str(index)), name

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return self.path.stat().st_size


class JobFiles:
    """The folder ``waiting`` of the data folder: one ZIP file per job, named by its time, ticket and tries."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER

    def add(self, ticket: str, job: Job, photos: Iterable[tuple[bytes, str]]) -> StoredJob:
        """Stores a job with its photos, which are consumed one at a time.

        Raises:
            StorageError: the disk does not take it.
        """
        names: list[str] = []
        with disk_errors("The photo was not saved"):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            path = self._folder / f"{self._next_number():020}-{ticket}.0.zip"
            with new_zip(path) as archive:
                for index, (data, name) in enumerate(photos):
                    archive.writestr(str(index), data, zipfile.ZIP_STORED)
                    names.append(name)
                archive.writestr(_JOB, json.dumps({**asdict(job), "names": names}))
        return StoredJob(ticket, job, tuple(names), path)

    def _next_number(self) -> int:
        """The time in nanoseconds, and more than every job's that waits, even where the clock was put back."""
        waiting = (whole_number(path.name.partition("-")[0]) for path in self._folder.glob("*.zip"))
        return max([time.time_ns(), *(number + 1 for number in waiting if number is not None)])

    def begin(self, stored: StoredJob) -> StoredJob:
        """Records one more try, in the file name.

        Raises:
            StorageError: the file cannot be renamed.
        """
        tries = stored.tries + 1
        path = stored.path.with_name(f"{stored.path.name.split('.')[0]}.{tries}.zip")
        with disk_errors("The photo cannot be read"):
            return replace(stored, path=stored.path.rename(path), tries=tries)

    def put_back(self, stored: StoredJob) -> StoredJob:
        """Counts all tries of a job as one, where they ended through no fault of the job."""
        again = stored.path.with_name(f"{stored.path.name.split('.')[0]}.1.zip")
        with suppress(OSError):
            return replace(stored, path=stored.path.rename(again), tries=1)
        return stored

    def remove(self, stored: StoredJob) -> None:
        """Removes a job that is done or no longer wanted."""
        with suppress(OSError):  # after a restart it runs again, and its photo is then found to be there already
            stored.path.unlink(missing_ok=True)

    def all(self) -> Iterator[StoredJob]:
        """The queue, oldest first. Jobs that are unreadable or were tried too often are skipped and stay on disk."""
        for path in sorted(self._folder.glob("*.zip")):
            try:
                stored = _read(path)
            except (OSError, ValueError, KeyError, TypeError, AttributeError, *DAMAGED_ZIP) as error:
                _log.error("%s waits to be read and cannot be: %s", path.name, error)
                continue
            if stored.tries < _MAX_TRIES:
                yield stored
            else:
                _log.error("%s was begun %d times and never ended; it is left where it is", path.name, stored.tries)


def _read(path: Path) -> StoredJob:
    with zipfile.ZipFile(path) as archive:
        document = json.loads(archive.read(_JOB))
    prefix, tries, _ = path.name.split(".")
    names = tuple(document.pop("names"))
    return StoredJob(prefix.partition("-")[2], Job(**document), names, path, int(tries))
