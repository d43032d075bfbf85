"""Opens the database: moves a damaged file aside, copies an old one, and brings it to the newest version."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, Engine, insert, inspect, select, update
from sqlalchemy.exc import SQLAlchemyError

from webui.storage.db.damage import move_aside_if_damaged
from webui.storage.db.engines import file_engine, for_writing, server_engine, without_password
from webui.storage.db.snapshot import snapshot, timestamp
from webui.storage.db.tables import Base, VersionRow
from webui.storage.errors import StorageError, disk_trouble, reason

FILE_NAME = "handfoot.db"
FIRST_VERSION = "0016"
STEPS: dict[str, Callable[[Connection], None]] = {}
"""For each later version, in order, what changes a database of the one before; see the README."""
_SCHEMAS = Path(__file__).parent / "schemas"
_log = logging.getLogger(__name__)


class OtherVersionError(Exception):
    """A database's schema version is unknown here; ``older`` is whether it is of before those that are known."""

    def __init__(self, version: str) -> None:
        super().__init__(f"its version is {version}")
        self.older = version < FIRST_VERSION

    @property
    def advice(self) -> str:
        """Who wrote it and what to do, as the end of a sentence."""
        if self.older:
            return "an early handfoot; open them once with the handfoot of 28 November 2026, then with this one"
        return "a newer handfoot; update this one and try again"


def open_database(folder: Path, address: str | None = None, served: bool = False) -> Engine:
    """Opens or creates the database and migrates it.

    An older database is copied into the folder before its migration; a damaged SQLite file is moved aside and replaced
    by an empty one.

    Args:
        folder: the data folder.
        address: the address of a PostgreSQL database, None for SQLite in the folder.
        served: whether a server works on the folder meanwhile, from under which nothing is moved or migrated.

    Raises:
        StorageError: the folder or the database cannot be used, or it is of another version: one unknown here,
            or where it is served any other.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise StorageError(
            f"games cannot be kept in {folder}: {reason(error)}; name another folder with --data"
        ) from error
    if address is not None:
        engine, shown = server_engine(address), without_password(address)
        suggestion = "see that it runs, and its address"
    else:
        if not os.access(folder, os.W_OK):  # SQLite would open a file there, and refuse every change
            raise StorageError(
                f"games cannot be kept in {folder}: {disk_trouble(folder)}; name another folder with --data"
            )
        path = folder / FILE_NAME
        if not served:
            move_aside_if_damaged(path)
        engine, shown, suggestion = file_engine(path), str(path), "name another folder with --data"
    try:
        if not served:
            migrate(engine, folder)
        elif _version(engine) != newest_version():
            engine.dispose()
            raise StorageError(
                f"the games in {shown} are open in a server that is just starting or of another version; "
                "do it again in a moment, or stop that server and start it again"
            )
    except OtherVersionError as error:
        engine.dispose()
        raise StorageError(f"the games in {shown} were written by {error.advice} ({error})") from error
    except (SQLAlchemyError, OSError, sqlite3.Error) as error:
        engine.dispose()
        raise StorageError(f"games cannot be kept in {shown}: {reason(error, folder)}; {suggestion}") from error
    return engine


def migrate(engine: Engine, copy_folder: Path | None) -> None:
    """Makes the tables of an empty database, or takes the steps to the newest version, in one transaction.

    Args:
        engine: the database.
        copy_folder: where to copy an older database before, None for no copy.

    Raises:
        OtherVersionError: its schema version is unknown here.
        SQLAlchemyError: it cannot be read or written.
        OSError: the copy cannot be written.
    """
    newest = newest_version()
    if _version(engine) == newest:
        return
    with for_writing(engine, long=True).begin() as connection:
        current = _version_in(connection)
        if current == newest:  # another process migrated it while this one waited for the lock
            return
        if current is None:
            Base.metadata.create_all(connection)
            connection.execute(insert(VersionRow).values(version_num=newest))
            return
        if current not in versions():
            raise OtherVersionError(current)
        if copy_folder is not None:
            target = copy_folder / f"handfoot-before-{newest}-{timestamp()}.db"
            snapshot(engine, target)
            _log.info("database copied to %s before its migration", target.name)
        for version, step in STEPS.items():
            if version > current:
                step(connection)
        connection.execute(update(VersionRow).values(version_num=newest))
        _log.info("database brought from version %s to %s", current, newest)


def create_of_version(path: Path, version: str) -> None:
    """Makes an SQLite database without rows of any version; of an earlier one, the SQL is kept in ``schemas``.

    Raises:
        OtherVersionError: that version is unknown here.
        SQLAlchemyError, sqlite3.Error, OSError: it cannot be written.
    """
    if version not in versions():
        raise OtherVersionError(version)
    if version != newest_version():
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript((_SCHEMAS / f"{version}.sql").read_text())
        return
    engine = file_engine(path)
    try:
        migrate(engine, None)
    finally:
        engine.dispose()


def versions() -> list[str]:
    """The schema versions that can be opened, oldest first."""
    return [FIRST_VERSION, *STEPS]


def newest_version() -> str:
    """The schema version of this program, which ``tables`` describes."""
    return versions()[-1]


def _version(engine: Engine) -> str | None:
    with engine.begin() as connection:
        return _version_in(connection)


def _version_in(connection: Connection) -> str | None:
    """The schema version of a database, None for an empty one."""
    if not inspect(connection).has_table(VersionRow.__tablename__):
        return None
    return connection.scalar(select(VersionRow.version_num))
