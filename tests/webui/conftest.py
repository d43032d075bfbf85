"""Fixtures: the web interface on an empty data folder, with a reader that knows the rendered tables."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.app_parts import share_between_apps
from tests.webui.helpers.browsing import browser, problems, serve, visit
from tests.webui.helpers.checking import fork_checks
from tests.webui.helpers.drawn import ALL, DrawnReader, photo
from tests.webui.helpers.networks import on_network, on_the_network
from tests.webui.helpers.playing import Person
from tests.webui.helpers.postgres import Cluster, running_cluster
from webui.app import create_app
from webui.context.services import services_of
from webui.decks.learning import DeckLearning
from webui.reading import photo_queue
from webui.reading.reader_service import ReaderService
from webui.settings import Settings
from webui.storage.files.job_files import Job
from webui.storage.store import Store

__all__ = ["browser", "problems", "serve", "visit"]

share_between_apps()
fork_checks()


ON_POSTGRES_BY_HAND = {"backup", "test_hall.py", "test_partner_evenings.py", "test_team_evenings.py"}
"""Folders and files whose tests ask nothing of a database that others do not ask of PostgreSQL too, and take long."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What a browser did on a busy machine gets a second try; the summary lists each, since it may be a race."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1))
        if "[server" in item.name and {item.path.name, item.path.parent.name} & ON_POSTGRES_BY_HAND:
            item.add_marker(pytest.mark.by_hand)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that waits for its photos however busy the machine is, where a test asks for no less patience: the first
    of them waits until the decoder's process has begun."""
    monkeypatch.setattr(photo_queue, "WAIT_SECONDS", 60.0)


@pytest.fixture(autouse=True)
def nothing_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that begins to learn a deck by itself begins a process that ends at once, where a test asks for no other:
    a real one works for a minute, also when the test is over."""
    monkeypatch.setattr("webui.app.DeckLearning", lambda decks: DeckLearning(decks, (sys.executable, "-Sc", "")))


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    """A folder of drawn tables that stands in for a camera."""
    folder = tmp_path / "samples"
    folder.mkdir()
    for number, table in enumerate(ALL):
        (folder / f"{number}.jpg").write_bytes(photo(table))
    return folder


@pytest.fixture
def make_app(tmp_path: Path, samples: Path) -> Iterator[Callable[..., Flask]]:
    """Makes the page on one data folder, again as a restart does; with further fields of the settings."""
    made: list[Flask] = []

    def make(**fields: Any) -> Flask:
        settings = Settings(tmp_path / "data", **{"camera": str(samples), **fields})
        app = create_app(settings, ReaderService(DrawnReader))
        made.append(app)
        return app

    yield make
    for app in made:  # with what works beside the test, which else would go on in the tests after it
        services_of(app).watch.close()
        services_of(app).photo_queue.close()
        services_of(app).camera.close()
        services_of(app).store.close()


@pytest.fixture
def lan_app(make_app: Callable[[], Flask], monkeypatch: pytest.MonkeyPatch) -> Flask:
    """The page as it is started with ``--lan``."""
    on_network(monkeypatch, "192.168.1.20")
    app = make_app()
    on_the_network(app)
    return app


@pytest.fixture
def person(make_app: Callable[[], Flask]) -> Person:
    return Person(make_app())


@pytest.fixture
def job_for(app: Flask) -> Callable[[photo_queue.JobHandler], Job]:
    """Makes a job of a kind of its own, which the given handler does."""

    def make(handler: photo_queue.JobHandler) -> Job:
        handlers = services_of(app).photo_queue.handlers
        kind = f"kind {len(handlers)}"
        handlers[kind] = handler
        return Job(kind, {}, "/rules/", None)

    return make


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """One PostgreSQL server for all tests; skipped, saying so, where there can be none."""
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture(params=["file", "server"])
def address(request: pytest.FixtureRequest) -> str | None:
    """Both databases in turn: none for a file in the data folder, and the emptied one of a server."""
    if request.param == "file":
        return None
    cluster = request.getfixturevalue("postgres")
    assert isinstance(cluster, Cluster)
    return cluster.emptied()


@pytest.fixture
def store(tmp_path: Path, address: str | None) -> Iterator[Store]:
    made = Store(tmp_path / "here", address)
    yield made
    made.close()


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Store]:
    """Another machine's games, in a file."""
    made = Store(tmp_path / "elsewhere")
    yield made
    made.close()
