"""SQLAlchemy engines for the two supported databases: SQLite in the data folder, and PostgreSQL at an address.

Both have one writer at a time: a writing transaction locks the whole database before it reads anything. So what it
read cannot change before it commits, and the ids of log entries follow the order of the changes.
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
LOCK_SECONDS = 15
"""How long to wait for other writers."""
_CONNECTIONS = 30  # more than the server has threads
_WRITES = "handfoot_writes"
"""Execution option that marks an engine whose transactions write."""
_ADVISORY_LOCK = 4862150  # the key of handfoot's writers among all advisory locks of a PostgreSQL server
_SERVER_OPTIONS = (
    "-c synchronous_commit=on "  # a committed change is on disk, whatever the server's default is
    f"-c lock_timeout={LOCK_SECONDS}s "
    "-c idle_in_transaction_session_timeout=30s"  # a client that lost its power must not block the others
)


def file_engine(path: Path) -> Engine:
    """An engine for SQLite in a file."""
    engine = create_engine(f"sqlite:///{path}", pool_size=_CONNECTIONS, connect_args={"timeout": LOCK_SECONDS})
    event.listen(engine, "connect", _set_pragmas)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def server_engine(address: str) -> Engine:
    """An engine for PostgreSQL at an address such as ``postgresql://user:password@host/database``.

    Raises:
        StorageError: the address is malformed, or psycopg is not installed.
    """
    url = _server_url(address)
    try:
        engine = create_engine(
            url,
            pool_size=_CONNECTIONS,
            pool_pre_ping=True,
            isolation_level="REPEATABLE READ",
            connect_args={"options": _SERVER_OPTIONS, "connect_timeout": 10},
        )
    except ImportError as error:
        raise StorageError(
            "a PostgreSQL database needs psycopg, which is not installed; install handfoot[postgres]"
        ) from error
    event.listen(engine, "begin", _begin_postgresql)
    return engine


def for_writing(engine: Engine) -> Engine:
    """The same engine for transactions that write."""
    if engine.dialect.name == SQLITE:
        return engine.execution_options(**{_WRITES: True})
    # after waiting for the lock, reads must see what the previous writer committed, not an older snapshot
    return engine.execution_options(**{_WRITES: True, "isolation_level": "READ COMMITTED"})


def without_password(address: str) -> str:
    """An address with its password masked, for messages."""
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


def _set_pragmas(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    """Readers do not block on a writer, a commit is synced to disk, and foreign keys are enforced."""
    connection.isolation_level = None  # ``_begin_sqlite`` begins transactions, not the driver
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA fullfsync=ON")  # on macOS, fsync alone does not flush the drive's cache
    connection.execute("PRAGMA foreign_keys=ON")


def _writes(connection: Connection) -> bool:
    options: dict[str, Any] = dict(connection.get_execution_options())
    return bool(options.get(_WRITES))


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if _writes(connection) else "BEGIN")


def _begin_postgresql(connection: Connection) -> None:
    if _writes(connection):
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})")
