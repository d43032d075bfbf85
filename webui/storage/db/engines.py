"""SQLAlchemy engines for the two supported databases: SQLite in the data folder, and PostgreSQL at an address.

Both have one writer at a time: a writing transaction locks the whole database before it reads anything. So what it
read cannot change before it commits, and the ids of log entries follow the order of the changes.
"""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, ExceptionContext, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry

from webui.storage.errors import StorageError

SQLITE = "sqlite"
LOCK_SECONDS = 15
"""How long to wait for other writers."""
_SPILL_PAGES = 16 * 1024
"""64 MB: changes of one transaction beyond that are written to the file before its commit."""
_CONNECTIONS = 30  # more than the server has threads
_WRITES = "handfoot_writes"
"""Execution option that marks an engine whose transactions write."""
_ADVISORY_LOCK = 4862150  # the key of handfoot's writers among all advisory locks of a PostgreSQL server
_READ_ONLY_TRANSACTION = "25006"
"""PostgreSQL's code for a change that is sent to a standby."""
_LONG = "handfoot_long"
"""Execution option that marks an engine whose statements may take minutes."""
STATEMENT_SECONDS, LONG_STATEMENT_SECONDS = 20, 600
"""After which a PostgreSQL server ends a statement; the longer one is for those that change whole tables."""
_SEVERAL_HOSTS = re.compile(r"(?P<scheme>\w+://)(?P<login>[^@/?]*@)?(?P<hosts>[^/?]*,[^/?]*)(?P<rest>.*)")
"""An address of several hosts, each with a port or without: ``postgresql://user@one,two:5433/database``."""
_PORT = "5432"
_SERVER_OPTIONS = (
    "-c synchronous_commit=on "  # a committed change is on disk, whatever the server's default is
    f"-c lock_timeout={LOCK_SECONDS}s "
    f"-c statement_timeout={STATEMENT_SECONDS}s "
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

    With several hosts, ``...@one,two/database``, it works with the one that can be written to, also after another has
    taken over.

    Raises:
        StorageError: the address is malformed, or psycopg is not installed.
    """
    url = _server_url(address)
    try:
        from webui.storage.db.postgres_connection import CONNECT_OPTIONS, use_patient_connections

        engine = create_engine(
            url,
            pool_size=_CONNECTIONS,
            pool_pre_ping=True,
            isolation_level="REPEATABLE READ",
            connect_args={"options": _SERVER_OPTIONS, **CONNECT_OPTIONS},
        )
    except ImportError as error:
        raise StorageError(
            "a PostgreSQL database needs psycopg, which is not installed; install handfoot[postgres]"
        ) from error
    use_patient_connections(engine)
    event.listen(engine, "begin", _begin_postgresql)
    event.listen(engine, "handle_error", _leave_standby)
    return engine


def for_writing(engine: Engine, long: bool = False) -> Engine:
    """The same engine for transactions that write; with ``long``, each statement may take minutes."""
    if engine.dialect.name == SQLITE:
        return engine.execution_options(**{_WRITES: True})
    # after waiting for the lock, reads must see what the previous writer committed, not an older snapshot
    return engine.execution_options(**{_WRITES: True, _LONG: long, "isolation_level": "READ COMMITTED"})


def without_password(address: str) -> str:
    """An address with its password masked, for messages."""
    return _server_url(address).render_as_string(hide_password=True)


def _server_url(address: str) -> URL:
    """The address for SQLAlchemy, which has several hosts in the query and not before it as libpq does.

    Of several hosts the one that can be written to is wanted: the others are its standbys.

    Raises:
        StorageError: the address is malformed.
    """
    several = _SEVERAL_HOSTS.match(address)
    try:
        url = make_url(address if several is None else several["scheme"] + (several["login"] or "") + several["rest"])
        if several is not None:
            hosts, _, ports = zip(*(part.partition(":") for part in several["hosts"].split(",")), strict=True)
            given = ",".join(port or _PORT for port in ports)
            url = url.update_query_dict({"host": ",".join(hosts), "port": given})
        if "," in str(url.query.get("host", "")) and "target_session_attrs" not in url.query:
            url = url.update_query_dict({"target_session_attrs": "read-write"})
    except (ArgumentError, ValueError):  # the latter for a port that is no number
        url = None
    if url is None or url.drivername.partition("+")[0] not in ("postgresql", "postgres"):
        raise StorageError(
            "the database's address was not understood; expected one such as "
            "postgresql://user:password@host/database, or none for a file in the data folder"
        )
    return url.set(drivername="postgresql+psycopg")


def wal_is_safe(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> bool:
    """Whether this version of SQLite cannot damage a database with a write-ahead log.

    From 3.7.0 to 3.51.2, two connections that write and checkpoint at the same moment may (the WAL-reset bug,
    sqlite.org/wal.html). It was mended in 3.51.3, and for older lines in 3.50.7 and 3.44.6.
    """
    return version >= (3, 51, 3) or (3, 50, 7) <= version < (3, 51) or (3, 44, 6) <= version < (3, 45)


def journal() -> str:
    """The SQLite here and how it keeps its journal, for people: ``SQLite 3.53.0 with a write-ahead log``."""
    version = f"SQLite {sqlite3.sqlite_version}"
    if wal_is_safe():
        return f"{version} with a write-ahead log"
    return f"{version} with a rollback journal, as its write-ahead log may damage the games; 3.51.3 mended that"


def _set_pragmas(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    """A commit is synced to disk, and foreign keys are enforced.

    With a write-ahead log, readers and a writer do not wait for each other. With a rollback journal, a commit waits for
    the readers and they for it, each at most ``LOCK_SECONDS``; new readers do not overtake a commit that waits.
    """
    connection.isolation_level = None  # ``_begin_sqlite`` begins transactions, not the driver
    if wal_is_safe():
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
    else:
        connection.execute("PRAGMA journal_mode=DELETE")  # an older database is brought out of its log
        # FULL does not sync the folder once the journal is gone, and a power cut could undo the last commit
        connection.execute("PRAGMA synchronous=EXTRA")
        connection.execute(f"PRAGMA cache_spill={_SPILL_PAGES}")  # else a large change shuts readers out early
    connection.execute("PRAGMA fullfsync=ON")  # on macOS, fsync alone does not flush the drive's cache
    connection.execute("PRAGMA foreign_keys=ON")


def _has_option(connection: Connection, name: str) -> bool:
    options: dict[str, Any] = dict(connection.get_execution_options())
    return bool(options.get(name))


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if _has_option(connection, _WRITES) else "BEGIN")


def _leave_standby(context: ExceptionContext) -> None:
    """Has connections opened anew after one turned out to lead to a server that takes no changes."""
    if getattr(context.original_exception, "sqlstate", None) == _READ_ONLY_TRANSACTION:
        context.is_disconnect = True


def _begin_postgresql(connection: Connection) -> None:
    if _has_option(connection, _LONG):
        from webui.storage.db.postgres_connection import set_patience

        set_patience(connection.connection.dbapi_connection, LONG_STATEMENT_SECONDS)
        connection.exec_driver_sql(f"SET LOCAL statement_timeout = '{LONG_STATEMENT_SECONDS}s'")
    if _has_option(connection, _WRITES):
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})")
