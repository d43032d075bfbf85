"""Opens the database: moves a damaged file aside, copies an old one, and runs the missing migrations."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from webui.storage.db.damage import move_aside_if_damaged
from webui.storage.db.engines import file_engine, for_writing, server_engine, without_password
from webui.storage.db.snapshot import snapshot, timestamp
from webui.storage.errors import StorageError, disk_trouble, reason

FILE_NAME = "handfoot.db"
_MIGRATIONS = Path(__file__).parent / "migrations"
_log = logging.getLogger(__name__)


class OtherVersionError(Exception):
    """A database's schema version is unknown here; ``older`` is whether it is of before those that are known."""

    def __init__(self, version: str) -> None:
        super().__init__(f"its version is {version}")
        self.older = version < min(_versions())

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
        elif _revision(engine) != newest_version():
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


def migrate(engine: Engine, copy_folder: Path | None, version: str | None = None) -> None:
    """Runs all missing migrations in one transaction.

    Args:
        engine: the database.
        copy_folder: where to copy an older database before, None for no copy.
        version: the schema version to stop at, None for the newest.

    Raises:
        OtherVersionError: its schema version is unknown here.
        SQLAlchemyError: it cannot be read or written.
        OSError: the copy cannot be written.
    """
    newest = version or newest_version()
    if _revision(engine) == newest:
        return
    # Alembic takes as long to import as everything else of a start together, and few starts migrate anything.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    with _unbound(for_writing(engine, long=True)) as connection, connection.begin():
        current = _revision_in(connection)
        if current == newest:  # another process migrated it while this one waited for the lock
            return
        for named in (current, version):
            if named is not None and named not in _versions():  # before anything is written
                raise OtherVersionError(named)
        if current is not None and copy_folder is not None:
            target = copy_folder / f"handfoot-before-{newest}-{timestamp()}.db"
            snapshot(engine, target)
            _log.info("database copied to %s before its migration", target.name)
        config.attributes["connection"], loose = connection, _loose_rows(connection)
        command.upgrade(config, newest)
        if _loose_rows(connection) > loose:
            raise sqlite3.IntegrityError("its migration would lose rows")
        _log.info("database brought from version %s to %s", current, newest)


@contextmanager
def _unbound(engine: Engine) -> Iterator[Connection]:
    """A connection on which SQLite lets a table be rebuilt that others refer to (sqlite.org/lang_altertable.html, 7).

    Foreign keys can be let go only outside a transaction; they are held again at its end.
    """
    with engine.connect() as connection:
        line = connection.connection.driver_connection
        if not isinstance(line, sqlite3.Connection):
            yield connection
            return
        line.execute("PRAGMA foreign_keys=OFF")
        try:
            yield connection
        finally:
            line.execute("PRAGMA foreign_keys=ON")


def _loose_rows(connection: Connection) -> int:
    """How many rows refer to others that are missing; 0 on a server, which holds its foreign keys always."""
    if connection.dialect.name != "sqlite":
        return 0
    return len(connection.execute(text("PRAGMA foreign_key_check")).all())


@cache
def empty_database() -> bytes:
    """A database file without games, of the newest schema, which to copy is quicker than to run all migrations.

    Raises:
        OSError, SQLAlchemyError: the folder for temporary files cannot be written.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder, FILE_NAME)
        engine = file_engine(path)
        try:
            migrate(engine, None)
        finally:
            engine.dispose()  # and with that puts everything into the one file
        return path.read_bytes()


def newest_version() -> str:
    """The schema version of this program: the highest of the migrations' numbers."""
    return max(_versions())


def _versions() -> set[str]:
    return {path.name.partition("_")[0] for path in (_MIGRATIONS / "versions").glob("[0-9]*_*.py")}


def _revision(engine: Engine) -> str | None:
    with engine.begin() as connection:
        return _revision_in(connection)


def _revision_in(connection: Connection) -> str | None:
    """The schema version of a database, None for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    version = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if version is None else str(version)
