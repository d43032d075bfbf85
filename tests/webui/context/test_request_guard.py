"""The request guard, and answers to invalid URLs and forms."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.webui.helpers.drawn import DrawnReader
from tests.webui.helpers.playing import Person
from webui.access.network import own_host_names
from webui.app import create_app
from webui.context.services import services_of
from webui.reading.reader_service import ReaderService
from webui.settings import Settings


@pytest.fixture
def player(person: Person) -> Person:
    person.begin()
    return person


@pytest.mark.parametrize("token", ["", "wrong"])
def test_a_form_without_the_csrf_token_changes_nothing(player: Person, token: str) -> None:
    player.send("/new", token=token)
    assert player.status == 403 and "reload it" in player.notices()[0]
    assert player.open("/").count('class="what"') == 1


def test_a_visitor_without_the_cookie_has_no_token(player: Person) -> None:
    stranger = Person(player.client.application)
    answer = stranger.client.post("/new", data={"token": player.token()})
    assert answer.status_code == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null"])
def test_a_form_from_another_site_changes_nothing(player: Person, origin: str) -> None:
    answer = player.client.post("/new", data={"token": player.token()}, headers={"Origin": origin})
    assert answer.status_code == 403
    own = player.client.post("/new", data={"token": player.token()}, headers={"Origin": "http://localhost"})
    assert own.status_code == 303


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8765", 200),
        ("127.0.0.1:8765", 200),
        ("[::1]:8765", 200),
        ("192.168.1.20:8765", 303),
        ("table", 303),
        ("TABLE.local:8765", 303),
        ("evil.local", 400),
        ("evil.example", 400),
        ("127.0.0.1.evil.example", 400),
        ("[::1", 400),
        ("", 400),
    ],
)
def test_only_ip_addresses_and_own_names_are_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, status: int
) -> None:
    """A page that made its own name point at this machine (DNS rebinding) gets nothing, not even the door."""
    monkeypatch.setattr("webui.access.network.socket.gethostname", lambda: "table")
    app = create_app(Settings(tmp_path, hosts=own_host_names()), ReaderService(DrawnReader))
    answer = app.test_client().get("/", headers={"Host": host})
    assert answer.status_code == status
    assert status != 303 or answer.location == "/enter?to=/", "this machine is trusted by its own address alone"
    services_of(app).store.close()


def test_pages_allow_no_foreign_and_no_inline_script(player: Person) -> None:
    for path in ("/", "/new", "/game/1/", "/game/1/round/1/", "/game/1/round/1/side/0/", "/nothing"):
        answer = player.client.get(path, follow_redirects=True)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
        assert " style=" not in answer.text and "onclick" not in answer.text and "<script>" not in answer.text
        assert "https://" not in answer.text


@pytest.mark.parametrize(
    "path",
    [
        "/game/9/",
        "/game/1/round/7/",
        "/game/1/round/1/side/5/",
        "/game/1/round/1/side/0/card/p1c0",
        "/game/1/round/1/side/0/group/left0",
        "/game/1/round/1/tally",
        "/game/1/round/1/sheet.json",
        "/game/x/",
        "/static/../app.py",
    ],
)
def test_an_unknown_url_gets_a_sentence_and_a_way_back(player: Person, path: str) -> None:
    player.open(path)
    assert player.status == 404 and len(player.notices()) == 1 and "Go back" in player.text


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"op": "name", "card": "p1c0"},
        {"op": "name", "card": "p1c0", "face": "LADY"},
        {"op": "add", "group": "laid", "face": "11H"},
        {"op": "add", "group": "laid", "face": "3H", "photo": "x"},
        {"op": "drop-photo", "photo": "99999999999999999999"},
    ],
)
def test_an_invalid_change_does_no_harm(player: Person, fields: dict[str, str]) -> None:
    player.send("/game/1/round/1/side/0/change", **fields)
    assert player.status in (200, 400)
    player.open("/game/1/round/1/side/0/")
    assert player.status == 200 and "North–South 0" in player.text


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"rank": "2"}, "Type a whole number from 1 to 60"),
        ({"rank": "2", "cards": "-1"}, "Type a whole number from 1 to 60"),
        ({"rank": "8", "cards": "9" * 30}, "Type a whole number from 1 to 60"),
        ({"rank": "x"}, "Say what rank the book is"),
    ],
)
def test_an_invalid_count_is_one_sentence(player: Person, fields: dict[str, str], sentence: str) -> None:
    side = "/game/1/round/1/side/0"
    player.send(f"{side}/change", op="add", group="new-pile", face="9H")
    group = re.findall(r'id="group-(n\d+)"', player.open(f"{side}/"))[-1]
    player.send(f"{side}/group/{group}/count", **fields)
    assert player.status == 200 and sentence in player.notices()[0]


@pytest.mark.parametrize("seen", ["-1", "9" * 30, "x"])
def test_an_invalid_seen_field_does_no_harm(player: Person, seen: str) -> None:
    for path, fields in (
        ("side/0/change", {"op": "add", "group": "left0", "face": "3H"}),
        ("facts", {"went_out": "0"}),
    ):
        player.send(f"/game/1/round/1/{path}", seen=seen, **fields)
        assert player.status == 200
    player.send("/game/1/round/1/undo", entry=seen)
    assert player.status == 200


@pytest.mark.parametrize("fields", [{"went_out": "7"}, {"exact_deals0": "-3"}, {"improper_melds0": "many"}])
def test_invalid_answers_are_refused_and_count_nothing(player: Person, fields: dict[str, str]) -> None:
    player.send("/game/1/round/1/facts", **fields)
    assert player.status == 400 and "cannot be chosen here" in player.text
    player.open("/game/1/round/1/")
    assert player.status == 200 and "North–South 0" in player.text


def test_names_are_escaped(person: Person) -> None:
    person.begin(side0="<script>alert(1)</script>", side1="Tom & Jo")
    page = person.open("/game/1/")
    assert "<script>alert" not in page and "&lt;script&gt;alert(1)" in page and "Tom &amp; Jo" in page
