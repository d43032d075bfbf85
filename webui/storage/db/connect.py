"""Opens the database: brought up to date by migrations, copied before it is changed, moved aside when damaged."""

from __future__ import annotations

import logging
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
from webui.storage.db.snapshot import snapshot, stamp
from webui.storage.error_text import reason
from webui.storage.errors import StorageError

FILE_NAME = "handfoot.db"
_MIGRATIONS = Path(__file__).parent / "migrations"
_log = logging.getLogger(__name__)


def open_database(folder: Path, address: str | None = None) -> Engine:
    """Opens, or makes, the database and brings it up to date.

    An older database is copied into the folder before it is changed; a file that is no database any more is moved
    aside and a new one begun.

    Args:
        folder: the data folder.
        address: of a PostgreSQL database; none for a file in the folder.

    Raises:
        StorageError: the folder or the database cannot be used, or it was written by a newer version.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise StorageError(
            f"games cannot be kept in {folder}: {error.strerror or error}; name another folder with --data"
        ) from error
    if address is not None:
        engine, place, todo = server_engine(address), without_password(address), "see that it runs, and its address"
    else:
        path = folder / FILE_NAME
        move_aside_if_damaged(path)
        engine, place, todo = file_engine(path), str(path), "name another folder with --data"
    try:
        bring_up_to_date(engine, folder)
    except CommandError as error:
        engine.dispose()
        raise StorageError(f"the games in {place} were written by a newer handfoot; update it ({error})") from error
    except (SQLAlchemyError, OSError, sqlite3.Error) as error:
        engine.dispose()
        why = str(error) if isinstance(error, sqlite3.Error) else reason(error)
        raise StorageError(f"games cannot be kept in {place}: {why}; {todo}") from error
    return engine


def bring_up_to_date(engine: Engine, copies: Path | None) -> None:
    """Runs the migrations that are missing, all or none of them.

    Args:
        engine: the database.
        copies: the folder for a copy of an older database; none to change it without.

    Raises:
        CommandError: nobody here knows its version.
        SQLAlchemyError: it cannot be read or written.
        OSError: the copy cannot be written.
    """
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    newest = scripts.get_current_head()
    if _revision(engine) == newest:
        return
    with for_writing(engine).begin() as connection:
        present = MigrationContext.configure(connection).get_current_revision()
        if present == newest:  # another device was quicker
            return
        if present is not None:
            scripts.get_revision(present)  # one that nobody here knows is refused before anything is touched
            if copies is not None:
                target = copies / f"handfoot-before-{newest}-{stamp()}.db"
                snapshot(engine, target)
                _log.info("database copied to %s before its migration", target.name)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        _log.info("database brought from version %s to %s", present, newest)


def _revision(engine: Engine) -> str | None:
    with engine.begin() as connection:
        return MigrationContext.configure(connection).get_current_revision()
