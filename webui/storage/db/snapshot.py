"""Copies a whole database as of one moment into an SQLite file, and back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import (
    Connection,
    Engine,
    MetaData,
    Table,
    column,
    create_engine,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy import table as table_clause

from webui.storage import clock
from webui.storage.db.engines import SQLITE
from webui.storage.db.tables import GAME_TABLES, DeviceRow, EventKeyRow, VersionRow

_BATCH_ROWS = 200  # readings are large


def timestamp() -> str:
    """The current UTC time to the millisecond, for file names."""
    return clock.now().strftime("%Y%m%d-%H%M%S-%f")[:-3]


def snapshot(engine: Engine, target: Path) -> None:
    """Copies a database of any schema version into a new SQLite file.

    The file appears under its name when it is complete.

    Raises:
        OSError, sqlite3.Error, SQLAlchemyError: the database cannot be read or the file not written; no file is left.
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
                    column.server_default = None  # PostgreSQL's sequences mean nothing to SQLite
            tables.create_all(new)
            for table in tables.sorted_tables:
                copy_rows(table, old, new)
    finally:
        file.dispose()


def copy_rows(table: Table, old: Connection, new: Connection) -> None:
    """Copies all rows of a table into the same table of another database."""
    for rows in old.execution_options(yield_per=_BATCH_ROWS).execute(select(table)).mappings().partitions():
        new.execute(insert(table), [dict(row) for row in rows])


def replace_games(old: Connection, new: Connection) -> None:
    """Replaces all games of ``new`` by those of ``old``, keeping every id. Both have the newest schema."""
    new.execute(delete(EventKeyRow))  # the ways in to tables of events that go
    new.execute(delete(DeviceRow).where(DeviceRow.event_id.is_not(None)))
    for table in reversed(GAME_TABLES):
        new.execute(table.delete())
    for table in GAME_TABLES:
        copy_rows(table, old, new)
        if new.dialect.name != SQLITE:  # PostgreSQL's sequences do not follow inserted ids
            raise_sequence(new, table.name, new.scalar(select(func.coalesce(func.max(table.c.id), 1))) or 1)


def raise_sequence(connection: Connection, table: str, number: int) -> None:
    """Lets the ids of a table go on after ``number`` at least. On SQLite, it has to be one with AUTOINCREMENT."""
    if connection.dialect.name != SQLITE:
        sequence = func.pg_get_serial_sequence(table, "id")
        connection.execute(select(func.setval(sequence, func.greatest(number, func.nextval(sequence)))))
        return
    sequences = table_clause("sqlite_sequence", column("name"), column("seq"))
    known = connection.scalar(select(sequences.c.seq).where(sequences.c.name == table))
    if known is None:
        connection.execute(insert(sequences).values(name=table, seq=number))
    else:
        connection.execute(update(sequences).where(sequences.c.name == table).values(seq=max(known, number)))


def remove_all_but_games(path: Path) -> None:
    """Empties the tables of a copy that do not belong to games: who was let in here must not leave this machine."""
    keep = {*(table.name for table in GAME_TABLES), VersionRow.__tablename__}
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        for name in {name for (name,) in tables.fetchall()} - keep:
            connection.execute(f'DELETE FROM "{name}"')
        connection.execute("VACUUM")
