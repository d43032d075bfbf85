"""Writes the archive of all games, into a file or while it is sent; of the database alone a copy is made before."""

from __future__ import annotations

import io
import json
import logging
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

from sqlalchemy import Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from webui.storage import clock
from webui.storage.backup.deck_import import deck_paths, largest
from webui.storage.db.connect import FILE_NAME
from webui.storage.db.engines import file_engine
from webui.storage.db.snapshot import remove_all_but_games, snapshot
from webui.storage.db.tables import GameRow, LogRow, RoundRow, SheetRow
from webui.storage.errors import StorageError, reason
from webui.storage.files.atomic_files import new_file
from webui.storage.files.photo_files import PhotoFiles

ABOUT, PHOTOS = "about.json", "photos/"
MAX_USER_FILE, MAX_PHOTO = 1024**2, 64 * 1024**2
"""The most bytes of a rule set or of the zones, and of a photo, in an archive."""
SPARE_DISK = 50 * 1024**2
_PATTERNS = ("rulesets/*.toml", "zones.json")
_CHUNK = 256 * 1024
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ArchiveInfo:
    """The archive's description of itself, ``about.json``.

    When it was made (ISO 8601, UTC) and by which version of handfoot, and the numbers of games, agreed rounds and
    photos; games of practice, which it holds too, are not counted. ``newest`` is the id of the newest log entry: of two
    backups of one list of games, the one with the higher holds the later state. ``number`` counts the backups of a
    folder in the order in which they were made, 0 in other files and in those of older versions.
    """

    made_at: str
    version: str
    games: int
    rounds: int
    photos: int
    newest: int = 0
    number: int = 0


def write_archive(
    target: Path, engine: Engine, folder: Path, photos: PhotoFiles | None, number: int = 0
) -> ArchiveInfo:
    """Writes all games into an archive, atomically.

    Args:
        target: the file.
        engine: the database.
        folder: the data folder, for user rule sets and table zones.
        photos: the photos to include, None to leave them out.
        number: the number among the backups of a folder.

    Raises:
        StorageError: it cannot be written.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _archive(target.parent, engine, folder, photos, number) as (info, parts), new_file(target) as file:
            file.writelines(parts)
    except (OSError, SQLAlchemyError, sqlite3.Error) as error:
        why = reason(error, target.parent)
        raise StorageError(f"the games cannot be written to {target}: {why}; make room or name another file") from error
    return info


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
        needed = sum(path.stat().st_size for path in folder.glob(f"{FILE_NAME}*"))
        try:
            if needed > shutil.disk_usage(folder).free - SPARE_DISK:
                raise StorageError(
                    f"a copy of the games needs {needed // 1024**2 + 1} MB; free up some space and try again"
                )
            _, self._parts = self._ending.enter_context(_archive(folder, engine, folder, photos))
        except (OSError, SQLAlchemyError, sqlite3.Error) as error:
            why = reason(error, folder)
            raise StorageError(f"the games cannot be copied: {why}; free up some space and try again") from error
        self._ending.callback(closed)

    def __next__(self) -> bytes:
        return next(self._parts)

    def close(self) -> None:
        self._ending.close()


@contextmanager
def _archive(
    place: Path, engine: Engine, folder: Path, photos: PhotoFiles | None, number: int = 0
) -> Iterator[tuple[ArchiveInfo, Iterator[bytes]]]:
    """The description of an archive and its bytes; the database is copied to a temporary folder in ``place`` before.

    The other arguments are those of ``write_archive``.
    """
    with tempfile.TemporaryDirectory(dir=place, prefix=".copy-") as work:
        copy = Path(work) / FILE_NAME
        snapshot(engine, copy)
        pictures = photos.all_files() if photos else []
        info = _description(copy, pictures, number)
        with closing(_parts(copy, folder, pictures, info, learnt=photos is not None)) as parts:
            yield info, parts


def _description(copy: Path, pictures: list[Path], number: int) -> ArchiveInfo:
    """Describes a copy of the database that goes into an archive with these photos, and leaves only games in it.

    Raises:
        SQLAlchemyError: it cannot be read.
    """
    remove_all_but_games(copy)
    engine = file_engine(copy)
    try:
        with engine.begin() as connection:
            games = connection.scalar(select(func.count()).select_from(GameRow).where(~GameRow.practice)) or 0
            newest = connection.scalar(select(func.max(LogRow.id))) or 0
            agreed = select(func.count(SheetRow.round_id.distinct())).join(RoundRow, RoundRow.id == SheetRow.round_id)
            rounds = connection.scalar(agreed.join(GameRow).where(~GameRow.practice)) or 0
    finally:
        engine.dispose()
    photos = sum("-view" not in path.name for path in pictures)
    now = clock.now().isoformat(timespec="seconds")
    return ArchiveInfo(now, metadata.version("handfoot"), games, rounds, photos, newest, number)


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


def _parts(
    copy: Path, folder: Path, pictures: list[Path], info: ArchiveInfo, learnt: bool
) -> Generator[bytes, None, None]:
    """The bytes of an archive, piece by piece."""
    sink = _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(ABOUT, json.dumps(asdict(info)))
        yield from _add(archive, sink, copy, FILE_NAME, zipfile.ZIP_DEFLATED)
        for path, name, packing in _files_beside(folder, pictures, learnt):
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


def _files_beside(folder: Path, pictures: Iterable[Path], learnt: bool) -> Iterator[tuple[Path, str, int]]:
    """What an archive holds beside the games: each file, its name there, and how it is packed.

    What cannot be read, or what no archive may hold, is left out, so that the others are saved and can be read again.

    Args:
        folder: the data folder.
        pictures: the photos to include.
        learnt: whether to include what was learnt of the decks.
    """
    for path in (path for pattern in _PATTERNS for path in sorted(folder.glob(pattern))):
        if _is_readable(path, MAX_USER_FILE):
            yield path, path.relative_to(folder).as_posix(), zipfile.ZIP_DEFLATED
    for path in deck_paths(folder, learnt):
        name = path.relative_to(folder).as_posix()
        if _is_readable(path, largest(name) or 0):
            yield path, name, zipfile.ZIP_STORED
    for path in filter(lambda path: _is_readable(path, MAX_PHOTO), pictures):
        yield path, PHOTOS + path.name, zipfile.ZIP_STORED


def _is_readable(path: Path, most: int) -> bool:
    """Whether a file can be read and has ``most`` bytes or fewer, so that whoever reads the archive takes it.

    One that cannot does not keep the games out of a backup.
    """
    try:
        fits = path.is_file() and path.stat().st_size <= most
        if fits:
            path.open("rb").close()
    except OSError:
        fits = False
    if not fits:
        _log.warning("%s is left out of a backup, as it cannot be read or is far too big", path.name)
    return fits
