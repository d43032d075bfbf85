"""Two stations on one PostgreSQL server with a standby: the server dies, and the standby takes over."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.vision.cameras.test_watcher import wait_for
from tests.webui.helpers.drawn import NORTH_TABLE, DrawnReader, photo
from tests.webui.helpers.playing import Person
from tests.webui.helpers.postgres import Cluster, missing
from vision.values import DEFAULT_HOUSE_RULES, Frame, HouseRules, Reading
from webui.app import create_app
from webui.context.services import services_of
from webui.reading import photo_queue
from webui.reading.reader_service import ReaderService
from webui.settings import Settings
from webui.storage.db import postgres_connection

SIDE = "/game/1/round/1/side/0"


class WaitingReader(DrawnReader):
    """Reads once it may."""

    def __init__(self) -> None:
        super().__init__()
        self.reads, self.may = threading.Event(), threading.Event()

    def read(self, frame: Frame, house_rules: HouseRules = DEFAULT_HOUSE_RULES, taught: object = None) -> Reading:
        self.reads.set()
        self.may.wait(60)
        return super().read(frame, house_rules)


@pytest.fixture
def pair() -> Iterator[tuple[Cluster, Cluster]]:
    """A server and its standby."""
    if why := missing():
        pytest.skip(why)
    folder = Path(tempfile.mkdtemp(prefix="handfoot-pg-"))  # pytest's own folders are closed to the server's user
    folder.chmod(0o755)
    first = Cluster(folder / "first", "fsync = off\n")
    servers = [first]
    try:
        first.start()
        servers.append(first.standby(folder / "second"))
        yield first, servers[1]
    finally:
        for server in servers:
            server.kill()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def reader() -> WaitingReader:
    return WaitingReader()


@pytest.fixture
def stations(
    pair: tuple[Cluster, Cluster], tmp_path: Path, reader: WaitingReader, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[Flask]]:
    """Two machines with one address of both servers."""
    monkeypatch.setattr(photo_queue, "WAIT_SECONDS", 0.0)
    monkeypatch.setattr(photo_queue, "BETWEEN_TRIES", 0.2)
    monkeypatch.setattr(postgres_connection, "_RETRY_SECONDS", 0.2)
    address = f"postgresql://club@/postgres?host={pair[0].folder},{pair[1].folder}"
    made = [
        create_app(
            Settings(tmp_path / name, camera="none", database=address, table=name), ReaderService(lambda: reader)
        )
        for name in ("window", "door")
    ]
    yield made
    reader.may.set()
    for app in made:
        services_of(app).photo_queue.close()
        services_of(app).camera.close()
        services_of(app).store.close()


def photos(app: Flask) -> int:
    game = services_of(app).store.game(1)
    return 0 if game is None else len(game.rounds[0].photos)


def answers(station: Person, path: str) -> bool:
    station.open(path)
    return station.status == 200


def test_a_standby_takes_over_and_nothing_is_lost_or_done_twice(
    pair: tuple[Cluster, Cluster], stations: list[Flask], reader: WaitingReader
) -> None:
    window, door = map(Person, stations)
    window.begin()
    window.photo(SIDE, photo(NORTH_TABLE))
    assert "This page will move on by itself" in window.page
    assert reader.reads.wait(60)
    assert door.open("/game/1/") and door.status == 200, "the other station has the game"
    before = len(services_of(stations[1]).store.log(1))
    pair[0].kill()
    reader.may.set()
    for station in (window, door):
        station.open("/game/1/")
        assert station.status == 503 and "does not answer" in station.text
    waiting = services_of(stations[0]).settings.data_dir / "waiting"
    wait_for(lambda: any(waiting.glob("*.1.zip")))
    pair[1].take_over()
    wait_for(lambda: answers(window, "/game/1/"))
    wait_for(lambda: photos(stations[1]) == 1)
    assert len(services_of(stations[1]).store.log(1)) == before + 1
    assert not services_of(stations[0]).photo_queue.jobs()
    wait_for(lambda: answers(door, f"{SIDE}/"))
    door.photo(SIDE, photo(NORTH_TABLE))
    wait_for(lambda: not services_of(stations[1]).photo_queue.jobs())
    assert photos(stations[0]) == 1, "the same photo again"
