"""An archive of all games, written while it is sent: only the database is copied on the disk, and no photo."""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from webui.storage.backup.archive import ABOUT, SPARE_DISK, describe
from webui.storage.backup.user_files import files_beside
from webui.storage.db.connect import FILE_NAME
from webui.storage.db.snapshot import remove_all_but_games, snapshot
from webui.storage.errors import StorageError, reason
from webui.storage.files.photo_files import PhotoFiles

_CHUNK = 256 * 1024


class _Sink(io.RawIOBase):
    """What a ZIP file writes to, to be taken from piece by piece; it cannot seek."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        piece = bytes(data)  # type: ignore[call-overload]
        self._pieces.append(piece)
        return len(piece)

    def take(self) -> bytes:
        """What was written since the last call."""
        taken = b"".join(self._pieces)
        self._pieces.clear()
        return taken


class ArchiveStream(Iterator[bytes]):
    """The bytes of an archive with everything, photos included. ``close`` must be called, however the sending ends.

    Args:
        engine: the database.
        folder: the data folder.
        photos: the photos.
        closed: called once at the end.

    Raises:
        StorageError: the database cannot be copied, or there is no room for the copy; ``closed`` is not called then.
    """

    def __init__(self, engine: Engine, folder: Path, photos: PhotoFiles, closed: Callable[[], None]) -> None:
        self._ending = ExitStack()
        try:
            work = self._ending.enter_context(tempfile.TemporaryDirectory(dir=folder, prefix=".copy-"))
            copy = Path(work) / FILE_NAME
            needed = sum(path.stat().st_size for path in folder.glob(f"{FILE_NAME}*"))
            if needed > shutil.disk_usage(folder).free - SPARE_DISK:
                raise StorageError(
                    f"a copy of the games needs {needed // 1024**2 + 1} MB; free up some space and try again"
                )
            snapshot(engine, copy)
            remove_all_but_games(copy)
            self._parts = _parts(copy, folder, photos)
        except BaseException as error:
            self._ending.close()
            if isinstance(error, (OSError, SQLAlchemyError, sqlite3.Error)):
                why = reason(error, folder)
                raise StorageError(f"the games cannot be copied: {why}; free up some space and try again") from error
            raise
        self._ending.callback(closed)

    def __next__(self) -> bytes:
        return next(self._parts)

    def close(self) -> None:
        self._parts.close()
        self._ending.close()


def _parts(copy: Path, folder: Path, photos: PhotoFiles) -> Generator[bytes, None, None]:
    pictures = photos.all_files()
    info = describe(copy, sum("-view" not in path.name for path in pictures))
    sink = _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(ABOUT, json.dumps(asdict(info)))
        yield from _add(archive, sink, copy, FILE_NAME, zipfile.ZIP_DEFLATED)
        for path, name, packing in files_beside(folder, pictures, learnt=True):
            yield from _add(archive, sink, path, name, packing)
    yield sink.take()


def _add(archive: zipfile.ZipFile, sink: _Sink, path: Path, name: str, how: int) -> Iterator[bytes]:
    try:
        file = path.open("rb")
    except FileNotFoundError:  # an old photo that made room meanwhile
        return
    with file:
        entry = zipfile.ZipInfo.from_file(path, name, strict_timestamps=False)  # a Pi without a set clock is in 1970
        entry.compress_type = how
        with archive.open(entry, "w") as packed:
            while chunk := file.read(_CHUNK):
                packed.write(chunk)
                if piece := sink.take():
                    yield piece
    if piece := sink.take():
        yield piece
