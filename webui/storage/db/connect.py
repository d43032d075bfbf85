"""Opens the database: moves a damaged file aside, copies an old one, and runs the missing migrations."""

from __future__ import annotations

import logging
import os
import sqlite3
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from webui.storage.db.damage import move_aside_if_damaged
from webui.storage.db.engines import file_engine, for_writing, server_engine, without_password
from webui.storage.db.snapshot import snapshot, timestamp
from webui.storage.errors import StorageError, disk_trouble, reason

FILE_NAME = "handfoot.db"
_MIGRATIONS = Path(__file__).parent / "migrations"
_log = logging.getLogger(__name__)


def open_database(folder: Path, address: str | None = None, served: bool = False) -> Engine:
    """Opens or creates the database and migrates it.

    An older database is copied into the folder before its migration; a damaged SQLite file is moved aside and replaced
    by an empty one.

    Args:
        folder: the data folder.
        address: the address of a PostgreSQL database, None for SQLite in the folder.
        served: whether a server works on the folder meanwhile, from under which nothing is moved or migrated.

    Raises:
        StorageError: the folder or the database cannot be used, or it is of another version: a newer one, or where it
            is served any other.
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
        elif _revision(engine) != ScriptDirectory.from_config(_config()).get_current_head():
            engine.dispose()
            raise StorageError(
                f"the games in {shown} are open in a server that is just starting or of another version; "
                "do it again in a moment, or stop that server and start it again"
            )
    except CommandError as error:
        engine.dispose()
        raise StorageError(f"the games in {shown} were written by a newer handfoot; update it ({error})") from error
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
        CommandError: its schema version is unknown here.
        SQLAlchemyError: it cannot be read or written.
        OSError: the copy cannot be written.
    """
    config = _config()
    scripts = ScriptDirectory.from_config(config)
    newest = version or scripts.get_current_head()
    if _revision(engine) == newest:
        return
    with for_writing(engine, long=True).begin() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
        if current == newest:  # another process migrated it while this one waited for the lock
            return
        if current is not None:
            scripts.get_revision(current)  # raises for an unknown version, before anything is written
            if copy_folder is not None:
                target = copy_folder / f"handfoot-before-{newest}-{timestamp()}.db"
                snapshot(engine, target)
                _log.info("database copied to %s before its migration", target.name)
        config.attributes["connection"] = connection
        command.upgrade(config, newest or "head")
        _log.info("database brought from version %s to %s", current, newest)


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    return config


def _revision(engine: Engine) -> str | None:
    with engine.begin() as connection:
        return MigrationContext.configure(connection).get_current_revision()
