"""The journal of an SQLite database, and many connections with either of the two."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from tests.webui.helpers.played_games import fill
from webui.storage.db import engines
from webui.storage.db.connect import FILE_NAME
from webui.storage.db.engines import journal, wal_is_safe
from webui.storage.errors import StorageError
from webui.storage.store import Store


@pytest.fixture(params=["wal", "delete"])
def mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The journal's mode as it is with a mended and with an affected version of SQLite."""
    monkeypatch.setattr(engines, "wal_is_safe", lambda: request.param == "wal")
    return str(request.param)


@pytest.mark.parametrize(
    ("version", "safe"),
    [
        *(((3, 40, 1), False), ((3, 44, 5), False), ((3, 44, 6), True), ((3, 45, 3), False), ((3, 50, 6), False)),
        *(((3, 50, 7), True), ((3, 51, 0), False), ((3, 51, 2), False), ((3, 51, 3), True), ((3, 53, 0), True)),
        ((4, 0, 0), True),
    ],
)
def test_versions_with_the_fault_of_the_log_are_known(version: tuple[int, ...], safe: bool) -> None:
    assert wal_is_safe(version) == safe


def test_every_connection_has_the_journal_that_this_version_can_be_trusted_with(tmp_path: Path, mode: str) -> None:
    store = Store(tmp_path)
    for _ in range(2):
        with store._session() as first, store._session() as second:
            for session in (first, second):
                asked = session.connection().exec_driver_sql
                assert asked("PRAGMA journal_mode").scalar() == mode
                assert asked("PRAGMA synchronous").scalar() == {"wal": 2, "delete": 3}[mode]  # FULL, EXTRA
    store.close()


def test_a_database_with_a_write_ahead_log_is_brought_out_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its last changes may still be in the log, if the power was cut."""
    monkeypatch.setattr(engines, "wal_is_safe", lambda: True)
    before = tmp_path / "before"
    store = Store(before)
    fill(store, 1)
    (cut := tmp_path / "cut").mkdir()
    for file in before.glob("handfoot.db*"):
        (cut / file.name).write_bytes(file.read_bytes())
    games = store.games()
    store.close()
    assert (cut / f"{FILE_NAME}-wal").stat().st_size > 0
    monkeypatch.setattr(engines, "wal_is_safe", lambda: False)
    store = Store(cut)
    assert store.games() == games and not list(cut.glob("*-wal"))
    fill(store, 1)
    store.close()
    with closing(sqlite3.connect(cut / FILE_NAME)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


WRITER = """
import sys
from pathlib import Path
from webui.storage.db import engines
engines.wal_is_safe = lambda: sys.argv[2] == "wal"
from webui.storage.errors import StorageError
from webui.storage.store import Store
store = Store(Path(sys.argv[1]))
print("begins", flush=True)
for _ in range(8):
    store.rounds.correct(1, 0, {"op": "reset"})
store.close()
"""


def test_many_connections_of_two_processes_read_and_write_at_once(tmp_path: Path, mode: str) -> None:
    """None is refused, and nothing is lost."""
    store = Store(tmp_path)
    fill(store, 1)
    before, wrong = store.newest_change(), list[str]()
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            try:
                game = store.game(1)
                assert game is not None and len(store.log(1)) >= before
            except Exception as error:
                wrong.append(repr(error))

    def write() -> None:
        try:
            for _ in range(8):
                store.rounds.correct(1, 0, {"op": "reset"})
        except Exception as error:
            wrong.append(repr(error))

    readers = [threading.Thread(target=read) for _ in range(4)]
    writers = [threading.Thread(target=write) for _ in range(2)]
    other = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), mode], stdout=subprocess.PIPE)
    assert other.stdout and other.stdout.readline() == b"begins\n"
    for thread in (*readers, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    assert other.wait() == 0
    done.set()
    for thread in readers:
        thread.join()
    assert wrong == [] and store.newest_change() == before + 24
    store.close()


def test_a_large_change_does_not_shut_readers_out_before_its_commit(tmp_path: Path, mode: str) -> None:
    store = Store(tmp_path)
    fill(store, 1)
    with store._session.begin() as session:
        for _ in range(100):
            session.connection().exec_driver_sql(
                "INSERT INTO corrections (round_id, side, change, made_at) "
                "VALUES (1, 0, json_quote(hex(zeroblob(50000))), '')"
            )
        assert len(store.games()) == 1, f"read at once with {mode}"
        session.rollback()
    store.close()


def test_the_choice_is_said(mode: str) -> None:
    said = {"wal": "with a write-ahead log", "delete": "with a rollback journal, as its write-ahead log may damage"}
    assert journal().startswith(f"SQLite {sqlite3.sqlite_version} {said[mode]}")


@pytest.mark.parametrize(
    ("address", "hosts", "ports", "wanted"),
    [
        ("postgresql://u:p@one/db", None, None, None),
        ("postgresql://u:p@one:5433/db", None, None, None),
        ("postgresql://u:p@one,two:5433/db", "one,two", "5432,5433", "read-write"),
        ("postgresql://one,two/db?target_session_attrs=any", "one,two", "5432,5432", "any"),
        ("postgresql://u@/db?host=/run/one,/run/two", "/run/one,/run/two", None, "read-write"),
    ],
)
def test_of_several_hosts_the_one_is_wanted_that_takes_changes(
    address: str, hosts: str | None, ports: str | None, wanted: str | None
) -> None:
    query = engines._server_url(address).query
    assert [query.get(name) for name in ("host", "port", "target_session_attrs")] == [hosts, ports, wanted]


@pytest.mark.parametrize(
    "address", ["postgresql://u:p@one:port/db", "postgresql://[::1/db", "one,two/db", "mysql://a/b"]
)
def test_an_address_that_cannot_be_understood_is_answered_with_a_sentence(address: str) -> None:
    with pytest.raises(StorageError, match="expected one such as postgresql://"):
        engines._server_url(address)
