"""Opens the database: brought up to date by migrations, copied before it is changed, moved aside when damaged."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from webui.storage.errors import StorageError

FILE_NAME = "handfoot.db"
_MIGRATIONS = Path(__file__).parent / "migrations"
_CONNECTIONS = 30  # more than the page has threads


def open_database(folder: Path) -> tuple[Engine, str | None]:
    """Opens, or makes, the database in a folder and brings it up to date.

    An older database is copied beside itself before it is changed; one that is no database any more is moved aside
    and a new one begun.

    Returns:
        The engine, and a sentence for a person where a damaged database was moved aside.

    Raises:
        StorageError: the folder cannot be used, or the database was written by a newer version.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise StorageError(
            f"games cannot be kept in {folder}: {error.strerror or error}; name another folder with --data"
        ) from error
    path = folder / FILE_NAME
    notice = _move_aside_if_damaged(path)
    engine = create_engine(f"sqlite:///{path}", pool_size=_CONNECTIONS, connect_args={"timeout": 15})
    event.listen(engine, "connect", _prepare)
    try:
        _migrate(engine, path)
    except CommandError as error:
        raise StorageError(f"the games in {path} were written by a newer handfoot; update it ({error})") from error
    except (SQLAlchemyError, OSError, sqlite3.Error) as error:
        reason = error.orig if isinstance(error, DBAPIError) else error
        raise StorageError(f"games cannot be kept in {path}: {reason}; name another folder with --data") from error
    return engine, notice


def _prepare(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    """Readers do not wait for a writer, a commit is on the disk, and rows must belong to something."""
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def _migrate(engine: Engine, path: Path) -> None:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    newest = scripts.get_current_head()
    with engine.begin() as connection:
        present = MigrationContext.configure(connection).get_current_revision()
    if present == newest:
        return
    if present is not None:
        scripts.get_revision(present)  # one that nobody here knows is refused before anything is touched
        _copy(path, path.with_name(f"{path.stem}-before-{newest}-{_stamp()}.db"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _copy(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)


def _move_aside_if_damaged(path: Path) -> str | None:
    if not path.exists():
        return None
    try:
        with closing(sqlite3.connect(path, timeout=15)) as connection:
            answer = connection.execute("PRAGMA quick_check").fetchone()[0]
    except sqlite3.OperationalError:  # locked or not ours to open, which says nothing of damage; opening it will tell
        return None
    except sqlite3.DatabaseError as error:
        answer = str(error)
    if answer == "ok":
        return None
    aside = path.with_name(f"{path.stem}-damaged-{_stamp()}.db")
    try:
        for suffix in ("", "-wal", "-shm"):
            part = path.with_name(path.name + suffix)
            if part.exists():
                part.rename(aside.with_name(aside.name + suffix))
    except OSError as error:
        raise StorageError(f"the games in {path} are damaged and cannot be moved aside: {error.strerror}") from error
    return f"the games in {path} were damaged ({answer}); they are kept as {aside.name} and a new list was begun"


def _stamp() -> str:
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
