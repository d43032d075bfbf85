"""The two databases that games may be kept in: SQLite, a file of the data folder, and PostgreSQL, at an address.

Both are written by one at a time: a transaction that writes takes the whole database for itself before it looks at
anything, so what it saw cannot change before it is done, and the numbers of the log are in the order of the changes.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry

from webui.storage.errors import StorageError

SQLITE = "sqlite"
WAIT = 15
"""Seconds to wait for others who write."""
_CONNECTIONS = 30  # more than the page has threads
_WRITES = "handfoot_writes"
_WRITERS_LOCK = 4862150  # what handfoot's writers agree on among all who may use the server's advisory locks
_OF_A_SERVER = (
    "-c synchronous_commit=on "  # what is confirmed is on the disk, whatever the server is set to
    f"-c lock_timeout={WAIT}s "
    "-c idle_in_transaction_session_timeout=30s"  # a device that lost its power must not hold up the others
)


def file_engine(path: Path) -> Engine:
    """SQLite in a file."""
    engine = create_engine(f"sqlite:///{path}", pool_size=_CONNECTIONS, connect_args={"timeout": WAIT})
    event.listen(engine, "connect", _prepare_file)
    event.listen(engine, "begin", _begin_in_file)
    return engine


def server_engine(address: str) -> Engine:
    """PostgreSQL at an address such as ``postgresql://user:password@host/database``.

    Raises:
        StorageError: it is no such address, or psycopg is not installed.
    """
    url = _server_url(address)
    try:
        engine = create_engine(
            url,
            pool_size=_CONNECTIONS,
            pool_pre_ping=True,
            isolation_level="REPEATABLE READ",
            connect_args={"options": _OF_A_SERVER, "connect_timeout": 10},
        )
    except ImportError as error:
        raise StorageError(
            "a PostgreSQL database needs psycopg, which is not installed; install handfoot[postgres]"
        ) from error
    event.listen(engine, "begin", _begin_at_server)
    return engine


def for_writing(engine: Engine) -> Engine:
    """The same database for transactions that write."""
    if engine.dialect.name == SQLITE:
        return engine.execution_options(**{_WRITES: True})
    # what is read after the wait for the others must be what they left, not what was there when the wait began
    return engine.execution_options(**{_WRITES: True, "isolation_level": "READ COMMITTED"})


def without_password(address: str) -> str:
    """An address as it may be shown."""
    return _server_url(address).render_as_string(hide_password=True)


def _server_url(address: str) -> URL:
    try:
        url = make_url(address)
    except ArgumentError:
        url = None
    if url is None or url.drivername.partition("+")[0] not in ("postgresql", "postgres"):
        raise StorageError(
            "the database's address was not understood; expected one such as "
            "postgresql://user:password@host/database, or none for a file in the data folder"
        )
    return url.set(drivername="postgresql+psycopg")


def _prepare_file(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    """Readers do not wait for a writer, a commit is on the disk, and rows must belong to something."""
    connection.isolation_level = None  # transactions are begun below, and not by the driver as it likes
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA fullfsync=ON")  # on a Mac a plain sync stops at the disk's own memory
    connection.execute("PRAGMA foreign_keys=ON")


def _writes(connection: Connection) -> bool:
    options: dict[str, Any] = dict(connection.get_execution_options())
    return bool(options.get(_WRITES))


def _begin_in_file(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if _writes(connection) else "BEGIN")


def _begin_at_server(connection: Connection) -> None:
    if _writes(connection):
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_WRITERS_LOCK})")
