"""Access code, QR code, admitted devices, viewers and rate limits."""

from __future__ import annotations

import os
import re
import stat
import urllib.request
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask

from tests.webui.helpers.networks import on_the_network
from tests.webui.helpers.playing import Person
from tests.webui.helpers.served import program
from tests.webui.pages.devices.test_follow import confirmed
from tests.webui.test_cli import free_port, wait_for
from webui.access.access_code import ALL_GUESSES, GUESSES, AccessCode
from webui.context import invitation
from webui.context.services import services_of
from webui.storage.errors import StorageError

PHONE, TABLET = "192.168.1.7", "192.168.1.8"


@pytest.fixture
def app(lan_app: Flask) -> Flask:
    """With one game."""
    Person(lan_app).send("/new", side0="Us", side1="Them")
    return lan_app


def access_code(app: Flask) -> AccessCode:
    return services_of(app).access_code


def let_in(app: Flask, address: str = PHONE) -> Person:
    """A device that has entered the code."""
    person = Person(app, address)
    person.send("/enter", code=access_code(app).code)
    assert person.status == 200 and "This device has joined and is remembered." in person.notices()[0]
    return person


def is_out(person: Person) -> bool:
    person.open("/game/1/")
    return person.path == "/enter"


def test_a_stranger_gets_the_login_page_only(app: Flask) -> None:
    stranger = Person(app, PHONE)
    outside = ("static", "login.show", "login.enter_by_link", "health.healthz", "tables.enter", "appearance.save")
    inside = [rule for rule in app.url_map.iter_rules() if rule.endpoint not in outside]
    assert len(inside) > 60
    for rule in inside:
        path = re.sub(r"<(?:\w+:)?\w+>", "1", rule.rule)
        for method in (rule.methods or set()) & {"GET", "POST"}:
            if (path, method) == ("/enter", "POST"):
                continue
            answer = stranger.client.open(path, method=method)
            assert answer.status_code == 303 and answer.location.startswith("/enter?to="), (method, path)
            data = stranger.client.open(path, method=method, headers={"Accept": "application/json"})
            assert data.status_code == 403 and "enter the code" in data.text, (method, path)
    assert "Us against Them" not in stranger.open("/") and access_code(app).code not in stranger.page
    assert stranger.client.get("/static/base.css").status_code == 200


def test_the_code_admits_a_device_permanently(app: Flask, make_app: Callable[[], Flask]) -> None:
    phone = Person(app, PHONE)
    phone.open("/game/1/?a=b")
    assert phone.path == "/enter" and 'name="to" value="/game/1/?a=b"' in phone.page
    phone.send("/enter", code="".join(access_code(app).code.split()), to="/game/1/?a=b")
    assert phone.path == "/game/1/" and phone.status == 200
    phone.send("/new", side0="Phone", side1="Them")
    assert phone.status == 200, "it may change things"

    again = make_app()
    on_the_network(again)
    later = Person(again, TABLET)
    cookie = phone.client.get_cookie("handfoot")
    assert cookie is not None and cookie.http_only and cookie.same_site == "Lax"
    later.client.set_cookie("handfoot", cookie.value)
    assert "Phone against Them" in later.open("/"), "after a restart, and at another address"
    assert access_code(again).code == access_code(app).code


def test_the_link_in_the_qr_code_admits_a_device(app: Flask) -> None:
    host = Person(app)
    host.open("/game/1/join")
    assert 'class="qr"' in host.page and access_code(app).code in host.page
    with app.test_request_context("/", base_url="http://localhost:8765"):
        way_in = invitation.invitation("/game/1/")
    assert way_in is not None
    assert way_in.link == f"http://192.168.1.20:8765/enter/{access_code(app).secrets.key}?to=/game/1/"
    phone = Person(app, PHONE)
    phone.open(way_in.link.removeprefix("http://192.168.1.20:8765"))
    assert phone.path == "/game/1/" and "is remembered" in phone.notices()[0]
    stranger = Person(app, TABLET)
    stranger.open("/enter/AAAAAAAAAAAAAAAA")
    assert stranger.status == 403 and is_out(stranger)


def test_the_home_page_shows_the_code_to_admitted_devices(app: Flask) -> None:
    for person in (Person(app), let_in(app)):
        assert access_code(app).code in person.open("/") and "http://192.168.1.20/" in person.page
    access_code(app).set_open_to_viewers(True)
    assert access_code(app).code not in Person(app, TABLET).open("/")


def test_a_page_on_loopback_only_shows_no_code(person: Person) -> None:
    assert access_code(person.client.application).code not in person.open("/") + person.open("/join")


def test_a_client_may_guess_ten_times(app: Flask) -> None:
    guesser = Person(app, PHONE)
    right = access_code(app).code
    for _ in range(GUESSES.amount):
        guesser.send("/enter", code="0" * 6 if right != "000 000" else "1" * 6)
        assert guesser.status == 403 and "That is not the code" in guesser.notices()[0]
    guesser.send("/enter", code=right)
    assert guesser.status == 429 and "Wait ten minutes" in guesser.notices()[0] and is_out(guesser)
    let_in(app, TABLET)
    guesser.open(f"/enter/{access_code(app).secrets.key}")
    assert not is_out(guesser), "the code still works for it"
    Person(app).open("/join")
    assert "10 wrong codes were entered" in Person(app).open("/join")


def test_many_addresses_guess_no_better_than_one(app: Flask) -> None:
    for number in range(ALL_GUESSES.amount):
        guesser = Person(app, f"10.0.{number // 200}.{number % 200 + 1}")
        guesser.send("/enter", code="wrong")
        assert guesser.status == 403
    late = Person(app, "10.9.9.9")
    late.send("/enter", code=access_code(app).code)
    assert late.status == 429


def test_addresses_of_one_ipv6_network_are_one_client(app: Flask) -> None:
    for number in range(GUESSES.amount):
        Person(app, f"fd00::1:{number:x}").send("/enter", code="wrong")
    late = Person(app, "fd00::2:1")
    late.send("/enter", code=access_code(app).code)
    assert late.status == 429


def test_a_removed_device_has_no_access_and_the_code_changes(app: Flask) -> None:
    phone, tablet = let_in(app), let_in(app, TABLET)
    phone.send("/game/1/who", who="Ann")
    host = Person(app)
    code, key = access_code(app).code, access_code(app).secrets.key
    assert "Ann joined" in " ".join(host.open("/join") and host.text.split())
    host.send("/devices/1/remove", sure="yes", keep="2")
    assert "Ann" not in host.text.replace("That device", "") and access_code(app).code != code
    assert is_out(phone) and not is_out(tablet)
    phone.send("/enter", code=code)
    assert phone.status == 403
    phone.open(f"/enter/{key}")
    assert phone.status == 403
    phone.send("/enter", code=access_code(app).code)
    assert not is_out(phone)


def test_the_last_visit_of_a_device_is_recorded(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    phone, devices = let_in(app), services_of(app).store.devices
    came = devices.all()[0].seen_at
    phone.open("/")
    assert devices.all()[0].seen_at == came, "not at every page"
    monkeypatch.setattr("webui.storage.devices._VISIT_INTERVAL", timedelta(0))
    phone.open("/")
    assert devices.all()[0].seen_at > came


def test_viewers_may_look_on_if_allowed_and_change_nothing(app: Flask) -> None:
    host, viewer = Person(app), Person(app, PHONE)
    confirmed(host, 1)
    assert is_out(viewer)
    host.send("/devices/viewers", viewers="yes")
    viewer.open("/game/1/")
    assert viewer.path == "/game/1/" and "You are just watching." in viewer.text
    token = re.search(r'name="token" value="([^"]+)"', viewer.open("/display"))
    assert token
    for path in ("/new", "/game/1/state", "/game/1/round/2/begin", "/devices/viewers", "/devices/code"):
        answer = viewer.client.post(path, data={"token": token[1], "state": "remove", "viewers": "no"})
        assert answer.status_code == 303 and answer.location == "/enter?to=/", path
    for path in ("/join", "/game/1/log", "/games.json", "/camera/", "/rules/", "/game/1/round/1/"):
        assert viewer.client.get(path).status_code == 303, path
    assert len(services_of(app).store.games()) == 1 and host.open("/game/1/")
    host.send("/devices/viewers", viewers="no")
    assert is_out(viewer)


@pytest.mark.parametrize(
    "to", ["//evil.example/", "https://evil.example/", "/\\evil.example", "/\t/evil.example", "evil", "/enter"]
)
def test_login_redirects_to_ours_alone(app: Flask, to: str) -> None:
    phone = Person(app, PHONE)
    answer = phone.client.get("/enter", query_string={"to": to})
    assert 'name="to" value="/"' in answer.text
    fields = {"token": phone.token(), "code": access_code(app).code, "to": to}
    assert phone.client.post("/enter", data=fields).location == "/"


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
def test_requests_forwarded_by_a_local_proxy_are_not_local(app: Flask, header: str) -> None:
    assert Person(app).client.get("/", headers={header: "for=127.0.0.1"}).status_code == 303


def test_secrets_are_generated_once_and_readable_by_their_owner_alone(tmp_path: Path) -> None:
    made = AccessCode(tmp_path).secrets
    path = tmp_path / "access.json"
    assert re.fullmatch(r"\d{6}", made.code) and stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    assert AccessCode(tmp_path).secrets == made and stat.S_IMODE(path.stat().st_mode) == 0o600
    for damaged in ("", "[]", '{"code": "1", "key": "short"}', '{"code": 7, "key": 8}', '{"else": 1}'):
        path.write_text(damaged, encoding="utf-8")
        fresh = AccessCode(tmp_path).secrets
        assert fresh != made and AccessCode(tmp_path).secrets == fresh
    with pytest.raises(StorageError, match=r"^access\.json cannot be written"):
        AccessCode(tmp_path / "none" / "none")


@pytest.mark.skipif(os.name != "posix", reason="rights are POSIX's")
def test_lan_prints_the_code_and_files_are_readable_by_their_owner_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    port, data = free_port(), tmp_path / "data"
    with program(monkeypatch, "serve", "--lan", "--port", str(port), "--data", str(data)):
        assert "New game" in wait_for(f"http://127.0.0.1:{port}/")
        stranger = urllib.request.Request(f"http://127.0.0.1:{port}/", headers={"X-Forwarded-For": PHONE})
        with urllib.request.urlopen(stranger, timeout=60) as answer:
            assert answer.url.endswith("/enter?to=/") and "Join" in answer.read().decode()
    assert f"Code for other devices: {AccessCode(data).code}" in capsys.readouterr().out
    kept = [data, *data.rglob("*")]
    assert len(kept) > 3 and not [path for path in kept if path.stat().st_mode & 0o077]
