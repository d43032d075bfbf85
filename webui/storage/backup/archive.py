"""One file that holds games: a ZIP of the database as SQLite, the house's own rules and, where wanted, the photos.

Backups and exports are such files, whatever database the games are kept in.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from alembic.util import CommandError
from sqlalchemy import JSON, Connection, Engine, Integer, func, select, union_all
from sqlalchemy.exc import SQLAlchemyError

from webui.storage.db.connect import FILE_NAME, bring_up_to_date
from webui.storage.db.engines import file_engine
from webui.storage.db.snapshot import leave_games_alone, snapshot
from webui.storage.db.tables import GAME_TABLES, FirstMeldRow, GameRow, LogRow, PhotoRow, SheetRow
from webui.storage.error_text import reason
from webui.storage.errors import StorageError
from webui.storage.photo_files import PhotoFiles, new_zip

_ABOUT = "about.json"
_OWN_FILES = ("rulesets/*.toml", "zones.json")
_OWN_FILE = re.compile(r"rulesets/[^/\\]+\.toml|zones\.json")
_PHOTOS = "photos/"
_LARGEST_OWN, _LARGEST_PHOTO, _LARGEST_DATABASE = 1024**2, 64 * 1024**2, 1024**3
_PIECE = 16 * 1024**2
"""What is read of a file at a time; its list of contents, which is read at once, has room for 170 000 photos in it."""
_SWELLS = 4
"""Photos are packed already: unpacked, they take no more than so many times the whole file."""
_PLAIN_NAME = re.compile(r"\w[\w.-]*")
_ROOM_LEFT = 50 * 1024**2
UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
"""What a damaged archive does to those who read a file in it."""
_BROKEN = (*UNREADABLE, OSError, sqlite3.Error)


@dataclass(frozen=True, slots=True)
class About:
    """What a file says of itself: when it was made and by which version; how many games, rounds agreed and photos.

    ``newest`` is the number of the newest log entry in it.
    """

    made_at: str
    version: str
    games: int
    rounds: int
    photos: int
    newest: int = 0


def write_archive(target: Path, engine: Engine, folder: Path, photos: PhotoFiles | None) -> About:
    """Writes all games into a file, which is there whole or not at all.

    Args:
        target: the file.
        engine: the database.
        folder: the data folder, for the house's own rules.
        photos: the photos, where they shall be in it.

    Raises:
        StorageError: it cannot be written.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".copy-") as work:
            copy = Path(work) / FILE_NAME
            snapshot(engine, copy)
            leave_games_alone(copy)
            pictures = photos.all_files() if photos else []
            about = _count(copy, sum("-view" not in path.name for path in pictures))
            with new_zip(target) as archive:
                archive.writestr(_ABOUT, json.dumps(asdict(about)))
                archive.write(copy, FILE_NAME)
                for path in (path for pattern in _OWN_FILES for path in sorted(folder.glob(pattern))):
                    archive.write(path, path.relative_to(folder).as_posix())
                for path in pictures:
                    archive.write(path, _PHOTOS + path.name, zipfile.ZIP_STORED)
    except (OSError, SQLAlchemyError, sqlite3.Error) as error:
        why = str(error) if isinstance(error, sqlite3.Error) else reason(error)
        raise StorageError(f"the games cannot be written to {target}: {why}; make room or name another file") from error
    return about


def _count(copy: Path, photos: int) -> About:
    engine = file_engine(copy)
    try:
        with engine.begin() as connection:
            games = connection.scalar(select(func.count()).select_from(GameRow)) or 0
            newest = connection.scalar(select(func.max(LogRow.id))) or 0
            rounds = connection.scalar(select(func.count(SheetRow.round_id.distinct()))) or 0
    finally:
        engine.dispose()
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return About(now, metadata.version("handfoot"), games, rounds, photos, newest)


def look_into(path: Path) -> About:
    """What a file holds.

    Raises:
        StorageError: it is none of ours, or is damaged.
    """
    with _reading(path), _unpacking(path) as archive:
        with archive.open(_ABOUT) as packed:
            said = json.loads(packed.read(_LARGEST_OWN))
        return About(**{field.name: said[field.name] for field in fields(About)})


@dataclass(frozen=True, slots=True)
class Opened:
    """A file that was unpacked: its database, brought up to date, and its other files by name."""

    engine: Engine
    archive: zipfile.ZipFile
    names: tuple[str, ...]

    def own_files(self) -> Iterator[tuple[str, bytes]]:
        """The house's own rules and how its table is shared out, each by its name in the data folder."""
        for name in self.names:
            if _OWN_FILE.fullmatch(name):
                yield name, self._read(name)

    def photo_names(self) -> Iterator[str]:
        """The names of the photos and the smaller views of them."""
        for name in self.names:
            plain = name.removeprefix(_PHOTOS)
            if name.startswith(_PHOTOS) and _PLAIN_NAME.fullmatch(plain):
                yield plain

    def photo(self, name: str) -> bytes:
        return self._read(_PHOTOS + name)

    def _read(self, name: str) -> bytes:
        with self.archive.open(name) as packed:
            return b"".join(iter(lambda: packed.read(_PIECE), b""))


@contextmanager
def opened(path: Path, work: Path) -> Iterator[Opened]:
    """Unpacks a file below a folder while it is needed; a file of an older version is brought up to date there.

    Raises:
        StorageError: it is none of ours, is damaged, or was written by a newer version.
    """
    with _reading(path), tempfile.TemporaryDirectory(dir=work, prefix=".from-") as unpacked:
        copy = Path(unpacked) / FILE_NAME
        with _unpacking(path) as archive:
            _refuse_what_swells(archive, path, work)
            with archive.open(FILE_NAME) as packed, copy.open("wb") as file:
                shutil.copyfileobj(packed, file, 1024**2)
            engine = file_engine(copy)
            try:
                with engine.begin() as connection:
                    connection.exec_driver_sql("PRAGMA trusted_schema=OFF")  # it may be anybody's
                    answer = connection.exec_driver_sql("PRAGMA quick_check").scalar()
                if answer != "ok":
                    raise StorageError(f"{path.name} is damaged ({answer}); take another backup")
                bring_up_to_date(engine, None)
                with engine.begin() as connection:
                    _refuse_what_is_no_game(connection)
                yield Opened(engine, archive, tuple(archive.namelist()))
            finally:
                engine.dispose()


class _InPieces(io.FileIO):
    """A file of which nobody reads much at once, whatever it says of itself."""

    def read(self, size: int | None = -1) -> bytes:
        found = super().read(_PIECE + 1 if size is None or size < 0 else min(size, _PIECE + 1))
        if len(found) > _PIECE:
            raise zipfile.BadZipFile("it lists more files than any export has")
        return found


@contextmanager
def _unpacking(path: Path) -> Iterator[zipfile.ZipFile]:
    with _InPieces(path) as file, zipfile.ZipFile(file) as archive:
        yield archive


def _refuse_what_swells(archive: zipfile.ZipFile, path: Path, work: Path) -> None:
    """Refuses a file built to fill memory or disk, before any of it is unpacked.

    Raises:
        KeyError: there are no games in it.
        StorageError: it is such a file, or there is no room for it.
    """
    photos: list[zipfile.ZipInfo] = []
    own = [archive.getinfo(FILE_NAME)]
    for held in archive.infolist():
        is_photo = held.filename.startswith(_PHOTOS)
        if is_photo or _OWN_FILE.fullmatch(held.filename):
            (photos if is_photo else own).append(held)
            if held.file_size > (_LARGEST_PHOTO if is_photo else _LARGEST_OWN):
                raise StorageError(f"{path.name} holds a file larger than any export has; choose another file")
    if own[0].file_size > _LARGEST_DATABASE:
        raise StorageError(f"{path.name} holds more games than there can be; choose another file")
    room = sum(held.file_size for held in photos)
    if room > _SWELLS * path.stat().st_size:
        raise StorageError(f"{path.name} holds photos that are larger than the file itself; choose another file")
    if room + sum(held.file_size for held in own) > shutil.disk_usage(work).free - _ROOM_LEFT:
        raise StorageError(f"{path.name} needs more room than there is in {work}; make room and do it again")


def _refuse_what_is_no_game(connection: Connection) -> None:
    """SQLite takes any value in any column; one wrong one would break the pages of all games.

    Raises:
        ValueError: there is such.
    """
    for table in GAME_TABLES:
        for row in connection.execute(select(table)).mappings():
            for column in table.columns:
                value, kind = row[column.name], column.type
                wanted = (dict, list) if isinstance(kind, JSON) else int if isinstance(kind, Integer) else str
                if not isinstance(value, wanted) and not (value is None and column.nullable):
                    raise ValueError(f"{table.name}.{column.name} holds {value!r}")
    for sides in connection.scalars(select(GameRow.sides)):
        if len(sides) < 2 or not all(side["players"] for side in sides):
            raise ValueError(f"a game's sides are {sides!r}")
        for side in sides:
            if not isinstance(side["name"], str) or not all(isinstance(one, str) for one in side["players"]):
                raise ValueError(f"a game's sides are {sides!r}")
    for name in connection.scalars(union_all(select(PhotoRow.file), select(FirstMeldRow.file))):
        if not _PLAIN_NAME.fullmatch(name):
            raise ValueError(f"a photo's file is {name!r}")


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Whatever a file does to those who read it is said in a sentence."""
    try:
        yield
    except CommandError as error:
        raise StorageError(f"{path.name} was written by a newer handfoot; update it ({error})") from error
    except FileNotFoundError as error:
        raise StorageError(f"there is no file {path}; name a backup or an export of handfoot") from error
    except (KeyError, ValueError, TypeError) as error:
        raise StorageError(f"{path.name} is no backup or export of handfoot; choose another file") from error
    except (*_BROKEN, SQLAlchemyError) as error:
        why = reason(error) if isinstance(error, SQLAlchemyError) else error
        raise StorageError(f"{path.name} cannot be read ({why}); it may be damaged: take another backup") from error
