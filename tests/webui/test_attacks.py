"""What somebody in the network, or a page that a visitor opens, might try; each test fails without its guard.

A rebinding host and guesses at the code are tried in ``tests/webui/access``.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.process_memory import memory
from tests.webui.access.test_access_code import PHONE, TABLET, let_in
from tests.webui.helpers.bombs import BOMBS
from tests.webui.helpers.drawn import NORTH_TABLE, photo
from tests.webui.helpers.networks import on_the_network
from tests.webui.helpers.playing import Person
from tests.webui.helpers.served import beside
from tests.webui.house_rules.own import copy_form
from webui.camera import mjpeg
from webui.context.responses import game_events
from webui.context.services import services_of

SIDE = "/game/1/round/1/side/0"


@pytest.fixture
def player(person: Person) -> Person:
    person.begin()
    return person


@pytest.mark.parametrize("name", BOMBS)
def test_a_decompression_bomb_is_one_sentence_and_the_next_photo_is_read(player: Person, name: str) -> None:
    made, words = BOMBS[name]
    data = made()
    assert len(data) < 2_000_000
    before = memory("self")
    player.photo(SIDE, data, "bomb.jpg")
    # what takes too long to decode is given up with other words
    assert player.status == 200 and words in player.text
    assert memory("self") - before < 60
    player.photo(SIDE, photo(NORTH_TABLE))
    assert "Clean book of 8s 770" in player.text


@pytest.mark.parametrize(
    "name", ["../../../../tmp/evil.jpg", "..\\..\\evil.jpg", "/etc/passwd", "a\0b.jpg", "." * 300, "CON", "-view.jpg"]
)
def test_a_path_in_a_file_name_leads_nowhere(player: Person, tmp_path: Path, name: str) -> None:
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    player.photo(SIDE, photo(NORTH_TABLE), name)
    assert player.status == 200
    new = {path for path in tmp_path.rglob("*") if path.is_file()} - before
    assert len(new) == 2
    assert all(
        re.fullmatch(r"photos/[0-9a-f]{32}(\.jpg|-view\.jpg)", str(path.relative_to(tmp_path / "data"))) for path in new
    )


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/rules/..%2f..%2fsecret-key", "/rules/%2e%2e"]
)
def test_a_path_in_an_address_leads_nowhere(person: Person, path: str) -> None:
    answer = person.client.get(path)
    assert answer.status_code == 404 and "SECRET" not in answer.text.upper().replace("SECRET-KEY", "")


SCRIPT = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>"


PLACES = {"card_id": "p1c0", "group_id": "p1g0", "rules_id": "golden-games-doubles-at-our-table"}
NO_PAGES = ("static", "follow.live", "table_now.live", "camera.live", "login.enter_by_link")


def pages_of(app: Flask) -> Iterator[str]:
    """The addresses of all pages, with the first game, its first round and its first side in them."""
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.endpoint not in NO_PAGES and not rule.rule.endswith((".jpg", ".pdf")):
            path = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: PLACES.get(found[1], "1"), rule.rule)
            yield path.replace("/side/1", "/side/0")


def test_a_script_in_a_name_or_a_rule_is_text_on_every_page(player: Person) -> None:
    player.send(
        "/game/1/names", **{f"side{n}": f"{n}{SCRIPT}" for n in (0, 1)}, player0_0=SCRIPT[:40], player0_1=SCRIPT
    )
    player.send("/game/1/who", who=SCRIPT)
    new = {"name": SCRIPT, "people": f"{SCRIPT[:40]}\nAnn & Bo", "stages": "1"}
    player.send("/evenings/new", **new)
    assert (
        "is this right?" in player.text
        and "&lt;script&gt;alert(1)" in player.page
        and "<script>alert" not in player.page
    )
    player.send("/evenings/new", **new, **dict(re.findall(r'name="(understood)" value="(\w+)"', player.page)))
    for step in ("draw", "confirm", "release"):
        player.send(f"/evening/1/1/{step}", draft="3")
    assert services_of(player.client.application).store.event_games(1)
    form = copy_form(player)
    player.send("/rules/golden-games/copy", **{**form.to_dict(flat=False), "name": SCRIPT, "source": SCRIPT})
    assert "is saved" in player.text
    player.photo(SIDE, photo(NORTH_TABLE), f"{SCRIPT}.jpg")
    player.photo(SIDE, b"no photo", f"{SCRIPT}.jpg")
    shown = 0
    for path in pages_of(player.client.application):
        page = player.client.get(path, follow_redirects=True).get_data().decode("utf-8", "replace")
        shown += "&lt;script&gt;alert(1)" in page
        if "<!doctype html>" in page:
            assert "<script>alert" not in page and "<img src=x" not in page and "'><" not in page, path
    assert shown > 8


@pytest.mark.parametrize("name", ["'); DROP TABLE games; --", '" OR 1=1 --', "%s %(x)s :x ?", "\\x00'||(SELECT 1)||'"])
def test_sql_in_a_name_is_text(player: Person, name: str) -> None:
    player.send("/new", side0=name, side1=f"{name}2")
    games = services_of(player.client.application).store.games()
    assert len(games) == 2 and games[0].sides[0].name == name.strip()
    assert player.open("/").count('class="what"') == 2
    player.send("/game/1/who", who=name)
    assert player.open("/statistics") and player.status == 200


def test_a_name_is_no_formula_in_a_table(player: Person) -> None:
    player.rename("/game/1", side0="=HYPERLINK(1)", side1="@SUM(1)", player0_0="+1", player0_1="-1")
    player.send("/game/1/round/1/facts", went_out="0")
    player.agree("/game/1/round/1")
    for path in ("/game/1/game.csv", "/games.csv"):
        cells = re.split(r"[,\r\n]", player.client.get(path).text)
        assert any("HYPERLINK" in cell for cell in cells)
        assert not [cell for cell in cells if cell[:1] in ("=", "@", "+")], cells


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("An\0n\x1b[31m", "Ann[31m"),
        ("Ann\u202egnp.exe", "Anngnp.exe"),
        ("\u200b\u2066", "North–South"),
        ("A" * 100_000, "A" * 40),
        ("👩\u200d🌾", "👩\u200d🌾"),
    ],
)
def test_invisible_characters_in_names_are_removed(player: Person, name: str, kept: str) -> None:
    """No sign turns the rest of a line round or ends a text early, and no name pushes others off the page."""
    player.send("/new", side0=name)
    player.send("/game/2/who", who=name)
    player.rename("/game/2", side1="Them")
    store = services_of(player.client.application).store
    assert store.games()[0].sides[0].name == kept
    who = store.log(2)[-1].who
    assert who == ("a device" if kept == "North–South" else kept)


@pytest.mark.parametrize("digits", ["9" * 20, "9" * 5000, "²", "-1", "٣"])
def test_no_number_in_an_address_or_a_form_is_an_error(player: Person, digits: str) -> None:
    """Python refuses to convert more than 4,300 digits."""
    player.photo(SIDE, photo(NORTH_TABLE))
    for lit in (digits, f"{digits}-p1g0", f"0-p1g0-{digits}"):
        player.open(f"/game/1/round/1/check?lit={lit}")
        assert player.status == 200, player.notices()
    for went_out in (digits, f"0.{digits}", f"{digits}.0"):
        player.send("/game/1/round/1/facts", went_out=went_out)
        assert player.status == 400 and "cannot be chosen here" in player.notices()[0]
    for query in ("?page=", "pad?seat=", "first-meld?round=", "first-meld?side="):
        player.open(f"/{query}{digits}" if query[0] == "?" else f"/game/1/{query}{digits}")
        assert player.status in (200, 404), query


@pytest.mark.parametrize("path", ["/new", "/enter", "/game/1/round/1/facts"])
def test_a_form_of_millions_of_fields_is_refused_unparsed(player: Person, path: str) -> None:
    """Four megabytes would take three hundred once they are taken apart."""
    stranger = Person(player.client.application, PHONE)
    body, kind = b"a=1&" * 2**20, "application/x-www-form-urlencoded"
    before = memory("self")
    for one in (player, stranger):
        answer = one.client.post(path, data=body, content_type=kind)
        refused = one is player or path == "/enter"
        assert answer.status_code == (413 if refused else 303)
        assert not refused or "too much at once" in answer.text
    assert memory("self") - before < 60
    few = "&".join(f"f{number}=1" for number in range(20_000)) + f"&token={player.token()}"
    assert player.client.post("/new", data=few, content_type=kind).status_code == 303


def test_a_change_of_endless_names_is_refused(player: Person) -> None:
    store = services_of(player.client.application).store
    for fields in (
        {"op": "add", "group": "g" * 61, "face": "8H"},
        {"op": "remove", "card": "c" * 100_000},
        {"op": "join", "group": "g" * 61, "into": "g1"},
        {"op": "regroup", "cards": ["p1c1"] * 501, "group": "new-meld"},
    ):
        player.send(f"{SIDE}/change", **fields)
        assert player.status == 400 and "could not be understood" in player.text
    game = store.game(1)
    assert game is not None and not game.rounds[0].corrections


@pytest.mark.parametrize("header", ["Origin", "Referer"])
@pytest.mark.parametrize("address", ["null", "", "http://[::1", "http://[", "http://localhost:99999999", "//", "\\"])
def test_no_address_in_a_header_is_an_error(player: Person, header: str, address: str) -> None:
    stranger = Person(player.client.application, PHONE)
    fields = {"side0": "A", "side1": "B", "token": player.token()}
    answer = player.client.post("/new", data=fields, headers={header: address})
    assert answer.status_code == (403 if header == "Origin" else 303)
    assert (
        player.client.post(f"{SIDE}/change", data={**fields, "op": "reset"}, headers={header: address}).status_code
        < 500
    )
    assert stranger.client.post("/new", data=fields, headers={header: address}).status_code == 303


def test_no_page_can_be_framed(player: Person) -> None:
    stranger = Person(player.client.application, PHONE)
    for answer in (player.client.get("/"), player.client.get("/nothing"), stranger.client.get("/enter")):
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


def test_what_is_ours_is_kept_by_no_cache_on_the_way(player: Person) -> None:
    player.photo(SIDE, photo(NORTH_TABLE))
    for path in ("/photo/1/view.jpg", "/photo/1/card/0.jpg", "/photo/1/around.jpg?x=5&y=5"):
        cached = player.client.get(path).cache_control
        assert cached.private and not cached.public and cached.max_age, path
    for path in ("/", "/games.csv", "/games.json", "/game/1/version", "/camera/state.json", "/camera/picture.jpg"):
        assert player.client.get(path).cache_control.no_store, path
    assert not player.client.get("/static/base.css").cache_control.no_store


def test_the_page_may_use_the_camera_and_nothing_else_of_the_device(player: Person) -> None:
    policy = player.client.get("/").headers["Permissions-Policy"]
    assert policy == "camera=(self), microphone=(), geolocation=()"


@pytest.mark.parametrize("path", ["/game/1/live", "/camera/picture.jpg", "/games.json", "/camera/reading", "/"])
def test_another_site_cannot_load_our_pictures_and_streams(player: Person, path: str) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
    answer = player.client.get(path, headers=headers)
    assert answer.status_code == 403
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert player.client.get("/", headers=link).status_code == 200, "a link may lead here"


@pytest.mark.parametrize(
    ("path", "begins", "most"),
    [
        ("/game/1/live", b"retry", game_events.STREAMS_PER_CLIENT),
        ("/camera/live.mjpg", b"--picture", mjpeg.VIEWERS_PER_CLIENT),
    ],
)
def test_streams_of_one_device_leave_some_for_others(
    make_app: Callable[[], Flask], path: str, begins: bytes, most: int
) -> None:
    app = make_app()
    on_the_network(app)
    Person(app).begin()
    greedy, other = let_in(app, PHONE), let_in(app, TABLET)
    held = [greedy.client.get(path, buffered=False) for _ in range(20)]
    try:
        first = [next(answer.iter_encoded()) for answer in held]
        assert sum(part.startswith(begins) for part in first) == most
        last = other.client.get(path, buffered=False)
        assert next(last.iter_encoded()).startswith(begins)
        last.close()
    finally:
        for answer in held:
            answer.close()
    again = greedy.client.get(path, buffered=False)
    assert next(again.iter_encoded()).startswith(begins)
    again.close()
    services_of(app).camera.close()


def test_a_foreign_page_in_the_same_browser_gets_no_data(
    browser: Any, make_app: Callable[[], Flask], tmp_path: Path
) -> None:
    """An evil page of this very machine, so that the browser itself lets it ask; ours is another site all the same."""
    with beside(make_app()) as port:
        base = f"http://127.0.0.1:{port}"
        (tmp_path / "evil.html").write_text(
            f"""<!doctype html><title>evil</title><iframe src="{base}/"></iframe>
            <form id=f method=post target=t action="{base}/new"><input name=token value=x></form>
            <iframe name=t></iframe>"""
        )
        files = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(tmp_path)))
        threading.Thread(target=files.serve_forever, daemon=True).start()
        context = browser.new_context()
        tab = context.new_page()
        statuses: dict[str, int] = {}
        tab.on("response", lambda answer: statuses.update({answer.url.removeprefix(base): answer.status}))
        tab.goto(f"http://localhost:{files.server_port}/evil.html")
        with tab.expect_response(f"{base}/new"):
            tab.evaluate("document.getElementById('f').submit()")
        assert statuses["/new"] == 403, "a form sent from another site"
        for frame in tab.frames[1:]:
            frame.wait_for_load_state()
        assert not any("Games" in frame.content() for frame in tab.frames[1:]), "our page in a frame"
        look = "(to) => new Promise((done) => { const seen = new Image(); seen.onload = () => done('seen');"
        look += " seen.onerror = () => done('refused'); seen.src = to; })"
        assert tab.evaluate(look, f"{base}/camera/picture.jpg") == "refused"
        read = f"fetch('{base}/games.json').then((one) => one.text(), () => 'refused')"
        assert tab.evaluate(read) == "refused"
        context.close()
        files.shutdown()
