"""Following a game without a browser: invitation, television, streams, announcements, appearance."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.webui.helpers.networks import on_network
from tests.webui.helpers.played_games import play_round
from tests.webui.helpers.playing import Person
from webui.access.network import is_loopback
from webui.access.network_switch import NetworkSwitch
from webui.camera.mjpeg import VIEWERS_PER_CLIENT
from webui.context.guard import devices
from webui.context.lookups import find_progress
from webui.context.responses import game_events
from webui.context.services import services_of
from webui.games.log.announcements import latest_announcement


def confirmed(person: Person, number: int, game_id: int = 1) -> None:
    play_round(services_of(person.client.application).store, game_id, number, random.Random(number))


@pytest.fixture
def player(person: Person) -> Person:
    person.send("/new", side0="Us", side1="Them")
    return person


def listens_at(person: Person, host: str) -> None:
    app = person.client.application
    kept = services_of(app)
    app.extensions["handfoot"] = replace(kept, network=NetworkSwitch(host, kept.access_code))


def test_a_page_that_was_started_for_this_machine_alone_says_so(player: Person) -> None:
    player.open("/game/1/join")
    assert "was started for this computer only" in player.text and "<svg" not in player.page


def test_the_invitation_uses_an_ip_address_that_phones_reach(player: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    on_network(monkeypatch, "192.168.1.20")
    monkeypatch.setattr(devices, "is_local_request", lambda *_: True)
    listens_at(player, "0.0.0.0")
    page = player.client.get("/game/1/join", headers={"Host": "localhost:8765"}).text
    assert "http://192.168.1.20:8765/game/1/" in page and 'class="qr"' in page and "style=" not in page
    page = player.client.get("/join", headers={"Host": "10.0.0.7:8765"}).text
    assert "http://10.0.0.7:8765/<" in page, "the visitor came by it, so others will"
    on_network(monkeypatch)
    page = player.client.get("/join", headers={"Host": "localhost:8765"}).text
    assert "not on a network" in page and "<svg" not in page


def test_each_address_of_this_machine_is_offered_with_a_code_of_its_own(
    player: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_network(monkeypatch, "10.42.0.1", "192.168.1.5", seldom=("10.8.0.2",))
    monkeypatch.setattr(devices, "is_local_request", lambda *_: True)
    listens_at(player, "0.0.0.0")
    page = player.client.get("/join", headers={"Host": "localhost:8765"}).text
    first, more = page.split("on more than one network")
    others, seldom = more.split("<details>")
    for part, address in ((first, "10.42.0.1"), (others, "192.168.1.5"), (seldom, "10.8.0.2")):
        assert part.count("<svg") == 1 and re.findall(r"<b>http://([\d.]+):8765/</b>", part) == [address]
    assert len(set(re.findall(r'<path [^>]*class="qr-?\w*"[^>]*>|<path[^>]+>', page))) >= 3, "each leads elsewhere"
    page = player.client.get("/join", headers={"Host": "192.168.1.5:8765"}).text
    assert page.index("http://192.168.1.5:") < page.index("http://10.42.0.1:"), "the visitor came by it"
    page = player.client.get("/join", headers={"Host": "192.168.7.7:8765"}).text
    assert page.count("<svg") == 1, "something between leads here, so own addresses may lead nowhere"


@pytest.mark.parametrize(
    ("host", "alone"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("192.168.1.2", False),
        ("den", False),
    ],
)
def test_loopback_hosts(host: str, alone: bool) -> None:
    assert is_loopback(host) is alone


def test_the_television_shows_totals_and_the_next_round(player: Person) -> None:
    player.send("/game/1/first", first="East")
    player.open("/game/1/television")
    assert "First meld 60" in player.text and "Plays first East" in player.text and "2 clean and 3 dirty" in player.text
    confirmed(player, 1)
    player.open("/game/1/television")
    assert "First meld 90" in player.text and "Us, round 1" in player.text and "Plays first South" in player.text
    for number in (2, 3, 4):
        confirmed(player, number)
    player.open("/game/1/television")
    assert "Winner: " in player.text and "First meld" not in player.text


def test_announcements_have_totals_and_name_corrections(player: Person) -> None:
    assert 'id="news"' not in player.open("/game/1/")
    player.begin()
    for out, expected in (
        ("0", "Round 1: North–South 100, East–West 0. Total: North–South 100, East–West 0."),
        ("1", "Correction: round 1: North–South 0, East–West 100. Total: North–South 0, East–West 100."),
    ):
        player.send("/game/2/round/1/facts", went_out=out)
        player.agree("/game/2/round/1")
        news = re.search(r'id="news" data-say="\d+"[^>]*>([^<]+)', player.open("/game/2/"))
        assert news and news[1] == expected
    player.send("/game/2/rules", to="tanglewood")
    assert "The rules are now Tanglewood. Total: North–South 0, East–West 100." in player.text


class Reading(threading.Thread):
    """Reads a stream as a browser does, until it has had an event."""

    def __init__(self, answer: TestResponse) -> None:
        super().__init__(daemon=True)
        self._answer = answer
        self.events: list[str] = []
        self.start()

    def run(self) -> None:
        for part in self._answer.iter_encoded():
            text = part.decode()
            if "event:" in text:
                self.events.append(text)
                break
        self._answer.close()


@pytest.fixture
def streams(player: Person, make_app: Callable[[], Flask]) -> Iterator[Callable[..., TestResponse]]:
    """Opens streams, and closes them in the end."""
    opened: list[TestResponse] = []

    def open_one(since: int = 0, game_id: int = 1) -> TestResponse:
        client = player.client.application.test_client()
        opened.append(client.get(f"/game/{game_id}/live?since={since}", buffered=False))
        return opened[-1]

    yield open_one
    for answer in opened:
        answer.close()


def test_a_stream_sends_changes_as_they_happen(player: Person, streams: Callable[..., TestResponse]) -> None:
    version = player.client.get("/game/1/version").json
    assert version == {"version": services_of(player.client.application).store.newest_change()}
    answer = streams(version["version"])
    assert answer.mimetype == "text/event-stream"
    reading = Reading(answer)
    confirmed(player, 1)
    reading.join(60)
    assert reading.events and reading.events[0].startswith("id: ")
    assert player.client.get("/game/1/version").json != version


def test_a_stream_sends_missed_changes_at_once(player: Person, streams: Callable[..., TestResponse]) -> None:
    confirmed(player, 1)
    reading = Reading(streams())
    reading.join(60)
    now = services_of(player.client.application).store.version(1)
    assert reading.events == [f"id: {now}\nevent: change\ndata: {now}\n\n"]


def test_this_machine_holds_fewer_streams_than_a_browser_has_connections(
    player: Person, streams: Callable[..., TestResponse]
) -> None:
    assert game_events.STREAMS_PER_CLIENT + VIEWERS_PER_CLIENT < 6
    for _ in range(game_events.STREAMS_PER_CLIENT):
        assert next(streams().iter_encoded()) == b"retry: 2000\n\n"
    assert streams().text == "event: full\ndata: 0\n\n"


def test_streams_are_bounded_and_released(
    player: Person, streams: Callable[..., TestResponse], monkeypatch: pytest.MonkeyPatch
) -> None:
    devices = count()
    monkeypatch.setattr(game_events, "client_id", lambda: f"device {next(devices)}")
    held = [streams() for _ in range(game_events.MAX_STREAMS)]
    assert streams().text == "event: full\ndata: 0\n\n"
    held[0].close()
    held[0].close()
    again = streams()
    assert next(again.iter_encoded()) == b"retry: 2000\n\n"
    assert streams().text == "event: full\ndata: 0\n\n", "closing twice gives back one place"


def test_a_stream_ends_when_its_client_is_gone(player: Person) -> None:
    gone = threading.Event()
    store = services_of(player.client.application).store
    events = game_events.events(lambda: store.version(1), store.change_signal, 0, gone.is_set)
    assert next(events) == "retry: 2000\n\n"
    gone.set()
    assert list(events) == []


def test_the_appearance_is_stored_on_the_device_and_applies_to_every_page(person: Person) -> None:
    page = person.open("/")
    assert 'dark.css" media="screen and (prefers-color-scheme: dark)"' in page and 'data-size="usual"' in page
    person.send("/display", theme="dark", size="largest", contrast="more")
    page = person.open("/")
    assert (
        'dark.css" media="screen">' in page and re.search(r'contrast\.css"\s*>', page) and 'data-size="largest"' in page
    )
    person.send("/display", theme="light", size="huge", contrast="auto")
    assert person.status == 400 and 'data-size="largest"' in person.open("/display"), "nothing was changed"
    person.send("/display", theme="light", size="usual", contrast="auto")
    page = person.open("/display")
    assert "dark.css" not in page and 'data-size="usual"' in page and 'content="light"' in page


def test_a_round_agreed_while_a_page_is_built_is_announced_next_time(player: Person) -> None:
    app = player.client.application
    with app.test_request_context():
        before = find_progress(1)
        confirmed(player, 1)
        log = services_of(app).store.log(1)
        assert latest_announcement(log, before) is None
        announcement = latest_announcement(log, find_progress(1))
    assert announcement is not None and announcement.text.startswith("Round 1: ")
