"""Copies of a whole database as it stood at one moment, and the way back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection, Engine, MetaData, Table, create_engine, func, insert, select, text

from webui.storage.db.engines import SQLITE
from webui.storage.db.tables import GAME_TABLES

_ROWS = 200  # at a time; readings are large


def stamp() -> str:
    """Now, to the millisecond, as part of a file's name that sorts by time."""
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")[:-3]


def snapshot(engine: Engine, target: Path) -> None:
    """Writes all of a database, of whatever version, into a new SQLite file.

    Nobody ever finds half of it under that name.

    Raises:
        OSError, sqlite3.Error, SQLAlchemyError: it cannot be read or written; there is no file then.
    """
    part = target.with_name(f".{target.name}.part")
    try:
        if engine.dialect.name == SQLITE:
            with closing(sqlite3.connect(str(engine.url.database))) as old, closing(sqlite3.connect(part)) as new:
                old.backup(new)
        else:
            _copy_from_server(engine, part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _copy_from_server(engine: Engine, target: Path) -> None:
    tables = MetaData()
    file = create_engine(f"sqlite:///{target}")
    try:
        with engine.begin() as old, file.begin() as new:
            tables.reflect(old)
            for table in tables.tables.values():
                for column in table.columns:
                    column.server_default = None  # a server's way of numbering
            tables.create_all(new)
            for table in tables.sorted_tables:
                copy_rows(table, old, new)
    finally:
        file.dispose()


def copy_rows(table: Table, old: Connection, new: Connection) -> None:
    """Adds all rows of a table in one database to the same table in another."""
    for rows in old.execution_options(yield_per=_ROWS).execute(select(table)).mappings().partitions():
        new.execute(insert(table), [dict(row) for row in rows])


def put_in_place(old: Connection, new: Connection) -> None:
    """Puts all games of one database in the place of all those of another; both are up to date.

    Every number is as it was, so that addresses and names of cards mean the same.
    """
    for table in reversed(GAME_TABLES):
        new.execute(table.delete())
    for table in GAME_TABLES:
        copy_rows(table, old, new)
        if new.dialect.name != SQLITE:  # there the numbering does not follow by itself
            numbers = func.pg_get_serial_sequence(table.name, "id")
            held = select(func.coalesce(func.max(table.c.id), 1)).scalar_subquery()
            new.execute(select(func.setval(numbers, func.greatest(held, func.nextval(numbers)))))


def leave_games_alone(path: Path) -> None:
    """Takes from a copy whatever does not belong to games: which devices were let in is nobody else's concern."""
    kept = {*(table.name for table in GAME_TABLES), "alembic_version"}
    file = create_engine(f"sqlite:///{path}")
    try:
        tables = MetaData()
        tables.reflect(file)
        with file.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            for table in reversed(tables.sorted_tables):
                if table.name not in kept:
                    connection.execute(table.delete())
            connection.execute(text("VACUUM"))
    finally:
        file.dispose()
