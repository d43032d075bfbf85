"""A PostgreSQL server that falls silent: pages say so, and what needs no database is answered as ever."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import psycopg
import pytest
from flask import Flask, request

from tests.vision.cameras.test_watcher import wait_for
from tests.webui.helpers.drawn import DrawnReader
from tests.webui.helpers.postgres import Cluster
from tests.webui.helpers.served import beside
from tests.webui.helpers.silence import Relay, relayed
from tests.webui.pages.games.test_change_log import begun
from webui.app import create_app
from webui.context.services import services_of
from webui.reading.reader_service import ReaderService
from webui.server import health
from webui.server.waitress_server import THREADS
from webui.settings import Settings
from webui.storage.db import engines, postgres_connection
from webui.storage.errors import StorageError
from webui.storage.store import Store

FOREVER = 10_000.0


@pytest.fixture
def relay(postgres: Cluster) -> Iterator[Relay]:
    postgres.emptied()
    with relayed(postgres) as made:
        yield made


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Less patience with the server, so that the tests take less long."""
    monkeypatch.setattr(postgres_connection, "ANSWER_SECONDS", 0.5)
    monkeypatch.setattr(postgres_connection, "SILENCE_SECONDS", 1.0)
    monkeypatch.setattr(postgres_connection.PatientConnection, "patience", 0.5)
    monkeypatch.setitem(postgres_connection.CONNECT_OPTIONS, "connect_timeout", 2)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Endless patience, as before anything is known of the silence."""
    for name in ("ANSWER_SECONDS", "SILENCE_SECONDS"):
        monkeypatch.setattr(postgres_connection, name, FOREVER)
    monkeypatch.setattr(postgres_connection.PatientConnection, "patience", FOREVER)


@pytest.fixture
def make_shared(tmp_path: Path) -> Iterator[Callable[[str], Flask]]:
    made: list[Flask] = []

    def make(address: str) -> Flask:
        app = create_app(Settings(tmp_path / "shared", camera="none", database=address), ReaderService(DrawnReader))
        made.append(app)
        return app

    yield make
    for app in made:
        services_of(app).photo_queue.close()
        services_of(app).camera.close()
        services_of(app).store.close()


def ask(port: int, path: str) -> tuple[int, str]:
    with closing(HTTPConnection("127.0.0.1", port, timeout=120)) as visitor:
        visitor.request("GET", path, headers={"Accept": "text/html"})
        answer = visitor.getresponse()
        return answer.status, answer.read().decode()


def test_files_and_health_are_answered_while_all_pages_wait(
    relay: Relay, make_shared: Callable[[str], Flask], patient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_MAX_AGE", 0.0)
    monkeypatch.setattr(health, "_PATIENCE", 600.0)
    app = make_shared(relay.address)
    at_work: list[str] = []
    app.before_request(lambda: at_work.append(request.path) if request.path == "/" else None)
    with beside(app) as port:
        wait_for(lambda: ask(port, "/healthz")[0] == 200)
        relay.silence()
        answers: list[int] = []
        visitors = [threading.Thread(target=lambda: answers.append(ask(port, "/")[0])) for _ in range(THREADS + 6)]
        for visitor in visitors:
            visitor.start()
        wait_for(lambda: len(at_work) == THREADS)
        assert ask(port, "/static/base.css")[0] == 200
        asking = threading.Thread(target=ask, args=(port, "/healthz"), daemon=True)
        asking.start()
        wait_for(lambda: any(thread.name == "health" for thread in threading.enumerate()))
        assert ask(port, "/healthz")[0] == 200, "the last that is known"
        monkeypatch.setattr(health, "_PATIENCE", 0.0)
        status, text = ask(port, "/healthz")
        assert status == 503 and "do not answer" in text
        assert answers == [], "the pages still wait"
        relay.resume()
        for visitor in visitors:
            visitor.join(120)
        assert answers == [200] * len(visitors)
        monkeypatch.setattr(health, "_PATIENCE", 60.0)
        wait_for(lambda: ask(port, "/healthz")[0] == 200)


def test_pages_say_that_the_database_is_silent_and_go_on_when_it_is_not(
    relay: Relay, make_shared: Callable[[str], Flask], hasty: None
) -> None:
    app = make_shared(relay.address)
    with beside(app) as port:
        assert ask(port, "/")[0] == 200
        relay.silence()
        answers: list[tuple[int, str]] = []
        visitors = [threading.Thread(target=lambda: answers.append(ask(port, "/"))) for _ in range(THREADS + 6)]
        for visitor in visitors:
            visitor.start()
        for visitor in visitors:
            visitor.join(120)
        assert [status for status, _ in answers] == [503] * len(visitors)
        assert all("the database does not answer" in text for _, text in answers)
        relay.resume()
        wait_for(lambda: ask(port, "/")[0] == 200)


def test_a_server_that_is_stopped_in_the_middle_of_a_change(tmp_path: Path, postgres: Cluster, hasty: None) -> None:
    """Its machine still acknowledges every packet. Whoever changes something gets no false promise."""
    store = Store(tmp_path, postgres.emptied())
    game, _ = begun(store)
    try:
        with pytest.raises(StorageError, match="Check whether this was saved"), store._session.begin() as session:
            session.connection().exec_driver_sql("SELECT 1")
            freeze(postgres, signal.SIGSTOP)
        with pytest.raises(StorageError, match="nothing was changed: the database does not answer"):
            store.change_game(game, {"first": "Ann"})
    finally:
        freeze(postgres, signal.SIGCONT)
    wait_for(lambda: is_readable(store))
    store.change_game(game, {"first": "Ann"})
    store.close()


def freeze(cluster: Cluster, sign: signal.Signals) -> None:
    for pid in cluster.pids():
        os.kill(pid, sign)


def is_readable(store: Store) -> bool:
    try:
        return len(store.games()) == 1
    except StorageError:
        return False


def test_while_a_server_is_silent_only_one_tries_it(relay: Relay, tmp_path: Path, hasty: None) -> None:
    store = Store(tmp_path, relay.address)
    relay.silence()
    with pytest.raises(StorageError, match="the database does not answer"):
        store.games()
    watch = postgres_connection.ServerWatch()
    watch.note_silence()
    with pytest.raises(psycopg.OperationalError, match="does not answer"), watch.connecting():
        raise AssertionError("it is refused before it tries")
    store.close()


def test_a_statement_that_takes_too_long_is_ended_by_the_server(
    tmp_path: Path, postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = engines._SERVER_OPTIONS.replace(
        f"statement_timeout={engines.STATEMENT_SECONDS}s", "statement_timeout=200ms"
    )
    monkeypatch.setattr(engines, "_SERVER_OPTIONS", short)
    store = Store(tmp_path, postgres.emptied())
    with pytest.raises(StorageError, match="the database takes too long"), store._session() as session:
        session.connection().exec_driver_sql("SELECT pg_sleep(600)")
    assert store.games() == []
    store.close()


def test_a_stream_of_changes_ends_without_an_error(
    relay: Relay, make_shared: Callable[[str], Flask], hasty: None
) -> None:
    app = make_shared(relay.address)
    game, _ = begun(services_of(app).store)
    answer = app.test_client().get(f"/game/{game}/live", buffered=False)
    events = iter(answer.response)
    assert "retry" in str(next(events))
    relay.silence()
    assert list(events) == []
    answer.close()
