"""The address by which a visitor came: told by a proxy, under a path, in links, cookies and invitations."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from tests.webui.access.test_access_code import PHONE, let_in
from tests.webui.helpers.drawn import NORTH_TABLE, photo
from tests.webui.helpers.networks import on_network
from tests.webui.helpers.nginx import CHROME
from tests.webui.helpers.playing import Person
from tests.webui.helpers.served import program, refusal
from tests.webui.test_attacks import SIDE, pages_of
from tests.webui.test_cli import ROOT, free_port, wait_for
from webui.access.access_code import AccessCode
from webui.access.addresses import is_own_origin, is_own_path
from webui.cli import main
from webui.context import invitation
from webui.context.services import services_of
from webui.reading import photo_queue
from webui.storage.files.job_files import JobFiles

LINK = re.compile(r'\s(?:[\w-]*href|src|action|formaction|poster|data-[\w-]+)="([^"]*)"')
FROM_A_LINK = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


@pytest.fixture(autouse=True)
def lan(monkeypatch: pytest.MonkeyPatch) -> None:
    on_network(monkeypatch, "192.168.1.20")


def test_every_address_on_every_page_is_under_the_prefix(make_app: Callable[..., Flask]) -> None:
    app = make_app(prefix="/cards", host="0.0.0.0")
    player = Person(app)
    player.begin()
    player.photo(SIDE, photo(NORTH_TABLE))
    player.send("/game/1/round/1/facts", went_out="0")
    player.agree("/game/1/round/1")
    pages = links = 0
    for path in pages_of(app):
        answer = player.client.get(path)
        if answer.location:
            assert answer.location.startswith("/cards/"), path
        if answer.mimetype == "text/html":
            found = [html.unescape(link) for link in LINK.findall(answer.text)]
            assert not [link for link in found if link.startswith("/") and not link.startswith("/cards/")], path
            pages, links = pages + 1, links + len(found)
    assert pages > 20 and links > 300
    for _ in range(2):
        player.send(f"{SIDE}/change", op="add", group="left0", face="3H", seen="1")
    assert "Someone else changed this first" in player.page and f'action="/cards{SIDE}/change"' in player.page
    stranger = Person(app, PHONE)
    assert stranger.client.get("/game/1/?a=b").location == "/cards/enter?to=/cards/game/1/?a%3Db"
    assert let_in(app).path == "/"


def test_no_script_or_style_has_an_address_of_its_own() -> None:
    for path in (ROOT / "webui" / "static").iterdir():
        text = re.sub(r"(?m)^//.*| // .*", "", path.read_text(encoding="utf-8"))
        quoted = r"url\(\W?/" if path.suffix == ".css" else r"""["'`]/[\w$]"""
        assert not re.findall(quoted, text), path.name


def test_json_cookies_and_redirects_are_under_the_prefix(
    make_app: Callable[..., Flask], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(prefix="/cards")
    player = Person(app)
    player.begin()
    script = {"X-Handfoot-Script": "yes"}
    fields = {"token": player.token(), "op": "reset"}
    answer = player.client.post("/display", data={"token": player.token(), "theme": "dark"})
    assert len(answer.headers.getlist("Set-Cookie")) > 2
    assert all("; Path=/cards" in cookie for cookie in answer.headers.getlist("Set-Cookie"))
    assert player.client.post(f"{SIDE}/change", data=fields).location.startswith("/cards/game/1/")
    assert player.client.get("/game/1").location == "/cards/game/1/"
    services_of(app).photo_queue.close()  # what waits stays on the disk
    monkeypatch.setattr(photo_queue, "WAIT_SECONDS", 0.0)
    body = {"token": player.token(), "photos": (tmp_path / "samples" / "0.jpg").open("rb")}
    told = player.client.post(f"{SIDE}/photos", data=body, headers=script).json
    assert told and told["wait"].startswith("/cards/waiting/")
    (job,) = JobFiles(tmp_path / "data").all()
    assert job.job.target.startswith("/game/1/"), "the next start may have another prefix"


def test_two_pages_under_one_name_keep_their_cookies_apart(make_app: Callable[..., Flask]) -> None:
    app = make_app(prefix="/cards", host="0.0.0.0")
    phone = let_in(app)
    cookie = phone.client.get_cookie("handfoot", path="/cards")
    assert cookie is not None and cookie.path == "/cards"


@pytest.mark.parametrize(
    ("path", "ours"),
    [
        ("/cards/", True),
        ("/cards/game/1/?a=b", True),
        ("/cards", False),
        ("/other/", False),
        ("/cards\\@evil.example", False),
        ("//cards/", False),
        ("", False),
    ],
)
def test_paths_of_other_programs_under_the_same_name_are_not_ours(
    make_app: Callable[..., Flask], path: str, ours: bool
) -> None:
    with make_app(prefix="/cards").test_request_context("/"):
        assert is_own_path(path) is ours


@pytest.mark.parametrize(
    ("host", "origin", "ours"),
    [
        ("cards.home", "http://cards.home", True),
        ("cards.home", "http://CARDS.home:80", True),
        ("cards.home:80", "http://cards.home", True),
        ("cards.home:443", "https://cards.home", True),
        ("cards.home", "http://cards.home:5340", False),
        ("cards.home", "https://cards.home:80", False),
        ("cards.home:5340", "http://cards.home", False),
        ("[::1]:8765", "http://[::1]:8765", True),
        ("cards.home", "http://cards.home.evil.example", False),
        ("cards.home", "null", False),
    ],
)
def test_an_origin_is_ours_by_host_and_port(make_app: Callable[..., Flask], host: str, origin: str, ours: bool) -> None:
    with make_app().test_request_context("/", headers={"Host": host}):
        assert is_own_origin(origin) is ours


@pytest.mark.parametrize(
    ("sender", "told"), [("127.0.0.1", "https://cards.home:5340/<"), ("192.168.1.30", "http://192.168.1.20:8765/<")]
)
def test_a_proxy_is_believed_on_this_machine_alone(make_app: Callable[..., Flask], sender: str, told: str) -> None:
    app = make_app(host="0.0.0.0", hosts=("cards.home",), names=("cards.home",))
    phone = let_in(app, sender) if sender != "127.0.0.1" else Person(app)
    if sender == "127.0.0.1":
        phone.client.environ_base["HTTP_X_FORWARDED_FOR"] = PHONE
        phone.send("/enter", code=services_of(app).access_code.code)
    forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "cards.home:5340", "Host": "192.168.1.20:8765"}
    cookie = phone.client.get_cookie("handfoot")
    assert cookie is not None
    page = app.test_client(use_cookies=False).get(
        "/join",
        headers={**forwarded, "Cookie": f"handfoot={cookie.value}", "X-Forwarded-For": PHONE},
        environ_overrides={"REMOTE_ADDR": sender},
    )
    assert told in page.text


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example", "X-Forwarded-Host": "localhost"},
        {"Host": "localhost", "X-Forwarded-Host": "evil.example"},
        {"Host": "evil.example", "X-Forwarded-Host": ""},
    ],
)
def test_a_name_that_is_not_ours_is_refused_in_either_header(
    make_app: Callable[..., Flask], headers: dict[str, str]
) -> None:
    """A page that makes its name point here (DNS rebinding) can set the one header and not the other."""
    answer = make_app().test_client().get("/", headers=headers)
    assert answer.status_code == 400 and "does not answer to the name evil.example" in answer.text


def test_a_form_through_https_needs_no_referer(make_app: Callable[..., Flask]) -> None:
    app = make_app(host="0.0.0.0", hosts=("cards.home",), names=("cards.home",))
    phone = Person(app)
    told = {"X-Forwarded-Proto": "https", "X-Forwarded-For": PHONE, "Host": "cards.home"}
    phone.client.environ_base.update({f"HTTP_{name.upper().replace('-', '_')}": value for name, value in told.items()})
    assert Person(app).token()  # somebody at the machine itself
    page = phone.client.get("/enter", base_url="https://cards.home").text
    found = re.search(r'name="token" value="([^"]+)"', page)
    assert found
    form = {"token": found[1], "code": services_of(app).access_code.code}
    answer = phone.client.post(
        "/enter", data=form, headers={"Origin": "https://cards.home"}, base_url="https://cards.home"
    )
    assert answer.status_code == 303 and answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.parametrize(
    ("headers", "is_local"),
    [
        ({}, True),
        ({"User-Agent": "curl/8.5", "Connection": "close"}, True),
        ({"User-Agent": CHROME, "Sec-Fetch-Site": "none", "Connection": "keep-alive"}, True),
        ({"User-Agent": CHROME, "Sec-Fetch-Site": "same-origin", "Referer": "http://localhost:8765/"}, True),
        ({"User-Agent": CHROME, **FROM_A_LINK, "Referer": "https://forum.example/"}, True),
        ({"User-Agent": "Mozilla/5.0 (Macintosh) Version/15.6 Safari/605.1.15"}, True),
        ({"User-Agent": CHROME}, False),
        ({"User-Agent": CHROME, "Sec-Fetch-Site": "none", "Connection": "close"}, False),
        ({"User-Agent": CHROME, "Sec-Fetch-Site": "same-origin", "Referer": "https://cards.home/"}, False),
        ({"Origin": "http://cards.home"}, False),
        ({"X-Forwarded-Proto": "https"}, False),
    ],
)
def test_what_no_browser_sends_to_its_own_machine_was_forwarded(
    make_app: Callable[..., Flask], headers: dict[str, str], is_local: bool
) -> None:
    answer = make_app().test_client().get("/join", headers={"Host": "localhost:8765", **headers})
    assert (answer.status_code == 200) is is_local


@pytest.mark.parametrize(
    ("settings", "sender", "headers", "shown"),
    [
        ({"host": "0.0.0.0"}, "127.0.0.1", {"Host": "localhost:8765"}, "http://192.168.1.20:8765/"),
        ({"host": "0.0.0.0"}, PHONE, {"Host": "10.0.0.7:8765"}, "http://10.0.0.7:8765/"),
        ({"host": "0.0.0.0", "names": ("table.lan",)}, PHONE, {"Host": "table.lan:8765"}, "http://table.lan:8765/"),
        ({"host": "0.0.0.0", "names": ("table.lan",)}, PHONE, {"Host": "[fd00::7]:8765"}, "http://[fd00::7]:8765/"),
        (
            {"names": ("cards.home",), "prefix": "/cards"},
            "127.0.0.1",
            {"Host": "cards.home", "X-Forwarded-For": PHONE},
            "http://cards.home/cards/",
        ),
        ({}, "127.0.0.1", {"Host": "192.168.1.20", "X-Forwarded-For": PHONE}, "http://192.168.1.20/"),
        ({"names": ("cards.home",), "prefix": "/cards"}, "127.0.0.1", {"Host": "localhost:8765"}, "cards.home/cards/"),
        ({"prefix": "/cards"}, "127.0.0.1", {"Host": "localhost:8765"}, None),
    ],
    ids=["here", "LAN address", "LAN name", "IPv6", "proxy's name", "proxy's address", "named", "unnamed"],
)
def test_other_phones_are_shown_an_address_that_leads_there(
    make_app: Callable[..., Flask], settings: dict[str, object], sender: str, headers: dict[str, str], shown: str | None
) -> None:
    names = settings.get("names", ())
    app = make_app(**settings, hosts=names)
    with app.test_request_context("/join", headers=headers, environ_base={"REMOTE_ADDR": sender}):
        way_in = invitation.invitation()
    assert way_in is not None and way_in.address == shown
    key = services_of(app).access_code.secrets.key
    assert way_in.link == (f"{shown}enter/{key}" if shown and "://" in shown else None)


def test_this_machine_s_own_name_for_itself_is_not_shown_to_others(make_app: Callable[..., Flask]) -> None:
    """``/etc/hosts`` may know it here alone."""
    app = make_app(host="0.0.0.0")
    here = {"environ_base": {"REMOTE_ADDR": "127.0.1.1"}}
    for host in ("den:8765", "0.0.0.0:8765"):
        with app.test_request_context("/", headers={"Host": host}, **here):
            way_in = invitation.invitation()
            assert way_in is not None and way_in.address == "http://192.168.1.20:8765/"


@pytest.mark.parametrize("prefix", ["/cards?", "/a b", "/../x", "http://x/y"])
def test_a_prefix_is_a_path(prefix: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["serve", "--prefix", prefix])
    assert left.value.code == 2 and "expected a path" in capsys.readouterr().err


def test_serve_prints_the_way_in_through_the_proxy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    port, data = free_port(), tmp_path / "data"
    words = ("--port", str(port), "--data", str(data))
    assert "choose another --prefix" in refusal(monkeypatch, capsys, *words, "--prefix", "game/x")
    with program(monkeypatch, "serve", *words, "--name", "cards.home", "--prefix", "cards"):
        for path in ("/cards/", "/", "/cards"):
            page = wait_for(f"http://127.0.0.1:{port}{path}")
            assert "open <b>cards.home/cards/</b>" in page and 'action="/cards/new"' in page
    out = capsys.readouterr().out
    assert f"http://localhost:{port}/cards/" in out
    assert f"On a phone, through the proxy: cards.home/cards/  Code for other devices: {AccessCode(data).code}" in out
    assert f"open there: cards.home/cards/enter/{AccessCode(data).secrets.keeper_key}" in out
