"""What a device that was let in may do, and what being sent out ends."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Callable
from unittest.mock import Mock
from urllib.parse import urljoin, urlsplit

import pytest
from flask import Flask

from tests.webui.access.test_access_code import PHONE, TABLET, access_code, app, is_out, let_in
from tests.webui.helpers import evenings
from tests.webui.helpers.networks import on_the_network
from tests.webui.helpers.played_games import fill
from tests.webui.helpers.playing import Person
from webui.context.guard.devices import admit_device
from webui.context.guard.rights import Right, right_of
from webui.context.responses import streams
from webui.context.services import services_of
from webui.storage.errors import StorageError

__all__ = ["app"]

VIEWERS = {
    *("home.show", "game.show", "round.tally", "statistics.show", "appearance.show"),
    *("players.show", "players.person", "league.show", "share.show", "share.picture"),
    *("follow.television", "follow.live", "follow.version"),
    *("table_now.show", "table_now.live", "table_now.version", "sign.show"),
    *("pictures.view", "pictures.card"),
    *("results.show", "results.screen", "results.card", "results.version"),
}
"""Pages that who looks on may read."""
REFUSED = "on a device that manages everything"
FOR_KEEPERS = (
    ("GET", "/safe/"),
    ("POST", "/safe/backup"),
    ("POST", "/safe/everything.zip"),
    ("POST", "/safe/bring-back"),
    ("POST", "/safe/import"),
    ("POST", "/safe/go-on"),
    ("GET", "/games.csv"),
    ("GET", "/games.json"),
    ("POST", "/devices/1/remove"),
    ("POST", "/devices/code"),
    ("POST", "/devices/viewers"),
    ("GET", "/evenings/new"),
    ("POST", "/evenings/new"),
    ("POST", "/evenings/rehearsal"),
    *(("POST", f"/evening/1/{what}") for what in ("people", "leave", "order", "break", "state", "undo", "delete")),
    *(("POST", f"/evening/1/1/{what}") for what in ("draw", "swap", "confirm", "release", "cut", "table/1/winner")),
    ("POST", "/evening/1/1/hat"),
    ("GET", "/evening/1/roster/"),
    ("GET", "/evening/1/hall/check-in"),
    *(("POST", f"/evening/1/hall/{what}") for what in ("check-in", "no-shows", "clock")),
    *(("POST", f"/evening/1/roster/{what}") for what in ("rename", "substitute", "back", "adjust", "take-back")),
    ("POST", "/evening/1/table/1/helped"),
    ("GET", "/evening/1/cards"),
    ("POST", "/evening/1/table/1/revoke"),
    ("POST", "/players/same"),
    ("POST", "/players/two"),
    *(
        ("POST", f"/decks/{what}")
        for what in (
            "import",
            "ours/remove-for-good",
            "ours/rounds/forget",
            "learning/start",
            "learning/cancel",
        )
    ),
)


def ask(person: Person, method: str, path: str, **fields: str) -> tuple[int, str]:
    """The answer to a request with a token, not followed: its status and text."""
    data = {"token": person.token(), **fields} if method == "POST" else None
    answer = person.client.open(path, method=method, data=data)
    return answer.status_code, answer.data.decode("utf-8", "replace")


def test_the_list_of_what_only_keepers_may_is_complete(app: Flask) -> None:
    adapter = app.url_map.bind("localhost")
    named = {adapter.match(path, method=method)[0] for method, path in FOR_KEEPERS}
    needed = {right: {name for name in app.view_functions if right_of(name, app) is right} for right in Right}
    assert named == needed[Right.KEEPER] and needed[Right.LOCAL] == {"login.set_keeper", "login.open_to_network"}
    public = {"static", "login.show", "login.enter_code", "login.enter_by_link", "health.healthz", "tables.enter"}
    public.add("appearance.save")
    assert needed[Right.PUBLIC] == public
    assert needed[Right.VIEWER] == VIEWERS


def test_a_device_that_was_let_in_plays_and_does_not_look_after_the_games(app: Flask) -> None:
    phone, devices = let_in(app), services_of(app).store.devices
    assert ask(phone, "POST", "/new")[0] == 303, "it plays"
    for method, path in FOR_KEEPERS:
        status, text = ask(phone, method, path)
        assert status == 403 and REFUSED in text, (path, "it may not")
        (device,) = devices.all()
        devices.set_keeper(device.id, True)
        status, text = ask(phone, method, path)
        assert REFUSED not in text and status in (200, 303, 400, 404), (path, "once it was given the right")
        devices.set_keeper(device.id, False)
        if is_out(phone):
            phone = let_in(app)
        else:
            assert ask(phone, method, path)[0] == 403, path


def offers(person: Person, path: str) -> list[tuple[str, str]]:
    """Where the links and forms of a page lead on this site: method and address."""
    tags = re.findall(r'<(?:a|form)\b[^>]*\b(?:href|action)="[^"]*"[^>]*>', person.open(path))
    found = [(tag, re.search(r'\b(?:href|action)="([^"]*)"', tag)) for tag in tags]
    led = [("POST" if 'method="post"' in tag else "GET", html.unescape(to[1])) for tag, to in found if to]
    return [(method, urljoin(path, to)) for method, to in led if not urlsplit(to).netloc]


def test_who_looks_on_is_offered_nothing_that_asks_for_the_code(app: Flask) -> None:
    store, host, viewer = services_of(app).store, Person(app), Person(app, PHONE)
    fill(store, 3)
    host.send("/practice")
    host.begin()
    for game, state in ((2, "reopen"), (3, "end"), (1, "remove")):
        host.send(f"/game/{game}/state", state=state)
    evening = evenings.begin(store)
    evenings.seat(store, evening, 1)
    evenings.play_stage(store, evening, 1, lambda name, round: 100 * round)
    access_code(app).set_open_to_viewers(True)
    adapter, may = app.url_map.bind("localhost"), (Right.PUBLIC, Right.VIEWER)
    seen, todo = set[str](), ["/", *(f"/game/{game}/" for game in range(1, 8)), f"/evening/{evening}/results/"]
    while todo:
        path = todo.pop()
        for method, to in offers(viewer, path):
            endpoint = adapter.match(urlsplit(to).path, method=method)[0]
            assert right_of(endpoint, app) in may, (path, to)
            if (
                to not in seen
                and method == "GET"
                and endpoint in ("round.tally", "appearance.show", "statistics.show", "players.show")
            ):
                todo.append(to)
            seen.add(to)
        assert viewer.status == 200, path
    assert len(seen) > 50


def test_a_report_with_names_or_photos_is_for_keepers(app: Flask) -> None:
    phone = let_in(app)
    assert ask(phone, "POST", "/report/")[0] == 200
    for field in ("names", "photos"):
        status, text = ask(phone, "POST", "/report/", **{field: ""})
        assert status == 403 and REFUSED in text
    assert 'name="photos"' not in phone.open("/report/") and "make it on the computer itself" in phone.text


def test_the_right_is_given_by_the_machine_itself_alone(app: Flask) -> None:
    phone, tablet = let_in(app), let_in(app, TABLET)
    assert ask(phone, "POST", "/devices/1/right", right="yes")[0] == 403
    Person(app).send("/devices/1/right", right="yes")
    assert "can manage everything" in (phone.open("/join") and phone.text)
    status, text = ask(phone, "POST", "/devices/2/right", right="yes")
    assert status == 403 and "on the computer itself" in text, "a right is not passed on"
    assert ask(tablet, "GET", "/safe/")[0] == 403
    for page in ("/", "/statistics", "/join", "/report/"):
        offered = tablet.open(page)
        assert "/safe/" not in offered and "games.csv" not in offered and "/remove" not in offered, page


def test_the_link_of_the_terminal_gives_the_right(app: Flask) -> None:
    keeper = Person(app, PHONE)
    keeper.open(f"/enter/{access_code(app).secrets.keeper_key}")
    assert ask(keeper, "GET", "/safe/")[0] == 200
    phone = let_in(app, TABLET)
    phone.open(f"/enter/{access_code(app).secrets.keeper_key}")
    assert ask(phone, "GET", "/safe/")[0] == 200, "also to a device that is in"
    before = access_code(app).secrets
    Person(app).send("/devices/code")
    assert access_code(app).secrets.keeper_key == before.keeper_key, "what the terminal shows stays right"
    Person(app).send("/devices/1/remove", sure="yes", keep="2")
    assert access_code(app).secrets.keeper_key != before.keeper_key, "until a device that knows it is sent out"


def test_a_right_that_was_taken_does_not_come_back_by_the_link(app: Flask) -> None:
    link = f"/enter/{access_code(app).secrets.keeper_key}"
    phone = Person(app, PHONE)
    phone.open(link)
    code = access_code(app).code
    Person(app).send("/devices/1/right", right="no")
    phone.open(link)
    assert not is_out(phone) and ask(phone, "GET", "/safe/")[0] == 403
    assert access_code(app).code == code, "the others' way in stays"


def test_nobody_comes_in_while_somebody_is_sent_out(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    let_in(app)

    def admit(*arguments: object) -> None:
        Person(app).send("/devices/1/remove")
        admit_device(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("webui.pages.devices.login.admit_device", admit)
    for way in ("key", "code"):
        spare, secrets = Person(app, TABLET), access_code(app).secrets
        if way == "key":
            spare.open(f"/enter/{secrets.key}")
        else:
            spare.send("/enter", code=secrets.code)
        assert "The code just changed" in spare.text and is_out(spare)
    assert services_of(app).store.devices.all() == []


def test_what_a_device_let_in_goes_with_it_unless_kept_by_name(app: Flask) -> None:
    host = Person(app)
    before = let_in(app, "192.168.1.5")
    host.send("/devices/code")
    greedy, spare, friend = let_in(app), let_in(app, TABLET), let_in(app, "192.168.1.9")
    host.send("/devices/code")
    later = let_in(app, "192.168.1.10")
    host.send("/devices/2/remove")
    assert "Which ones stay?" in host.text and not is_out(greedy), "asked first"
    assert sorted(re.findall(r'name="keep" value="(\d)"', host.page)) == ["3", "4", "5"]
    host.send("/devices/2/remove", sure="yes", keep="4")
    assert "3 devices were removed" in host.notices()[0]
    assert [is_out(one) for one in (greedy, spare, friend, later, before)] == [True, True, False, True, False]


def test_a_device_alone_is_sent_out_at_once(app: Flask) -> None:
    phone = let_in(app)
    Person(app).send("/devices/1/remove")
    assert is_out(phone)


@pytest.mark.parametrize("path", ["/game/1/live", "/camera/live.mjpg"])
@pytest.mark.parametrize("device", [True, False])
def test_being_sent_out_ends_what_is_open(
    make_app: Callable[[], Flask], monkeypatch: pytest.MonkeyPatch, path: str, device: bool
) -> None:
    monkeypatch.setattr(streams, "_CHECK_SECONDS", 0.0)
    app = make_app()
    on_the_network(app)
    Person(app).begin()
    if device:
        visitor = let_in(app)
    elif path == "/game/1/live":
        access_code(app).set_open_to_viewers(True)
        visitor = Person(app, PHONE)
    else:
        pytest.skip("viewers see no camera")
    answer = visitor.client.get(path, buffered=False)
    assert answer.headers["X-Accel-Buffering"] == "no"
    parts = answer.iter_encoded()
    assert next(parts) and next(parts)
    services_of(app).store.devices.remove(1)
    access_code(app).set_open_to_viewers(False)
    begun = time.monotonic()
    for _ in parts:
        assert time.monotonic() - begun < 100, "it goes on"
    answer.close()


def test_a_download_of_all_games_ends_with_the_right_and_not_with_a_failing_database(
    make_app: Callable[[], Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "_CHECK_SECONDS", 0.0)
    app = make_app()
    on_the_network(app)
    fill(services_of(app).store, 3)
    phone, devices = let_in(app), services_of(app).store.devices
    devices.set_keeper(1, True)
    whole = phone.client.get("/games.json").data
    monkeypatch.setattr(devices, "has", Mock(side_effect=StorageError("the database does not answer")))
    assert phone.client.get("/games.json").data == whole
    monkeypatch.setattr(devices, "has", lambda *_: False)
    answer = phone.client.get("/games.json", buffered=False)
    assert list(answer.iter_encoded()) == [], "the right was taken while it was sent"
    answer.close()
