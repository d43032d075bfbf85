"""The same form sent twice makes one thing, and both answers lead to it."""

from __future__ import annotations

import html
import io
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

import webui
from scorer.rules import use_folder
from tests.webui.helpers.drawn import NORTH_TABLE, photo
from tests.webui.helpers.playing import Person
from tests.webui.house_rules.own import copy_form
from webui.context.guard.idempotency import SentForms
from webui.context.services import Services, services_of

REPEATABLE = {
    # what is the same when it is done twice
    *(
        "appearance.save",
        "one_by_one.save_order",
        "camera.adjust",
        "camera.check_camera",
        "camera.set_zones",
        "deal.restart",
        "phone.start",
        "phone.frame",
        "phone.stop",
        "phone.stop_any",
        "login.allow_viewers",
        "login.open_to_network",
        "watch.set_areas",
        "watch.set_hints",
        "watch.stop",
        "watch.remove",
    ),
    *(
        "game.begin_round",
        "game.change_state",
        "decks_in_play.save",
        "game.choose_first",
        "game.save_names",
        "change_log.switch_rules",
    ),
    *("house_rules.check", "house_rules.remove", "house_rules.save", "side.save_nothing", "undo.set_name"),
    *("backups.accept_damage", "backups.export_all", "login.set_keeper", "problem_report.download"),
}


@pytest.fixture
def own_rules(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "data" / "rulesets"
    use_folder(folder)
    yield folder
    use_folder(None)


def services(person: Person) -> Services:
    return services_of(person.client.application)


def form_of(person: Person, path: str, action: str, **filled: str) -> dict[str, str]:
    """The fields of the form with this address on a page, with what a person fills in."""
    page = person.open(path)
    found = re.search(
        rf'<form(?=[^>]*method="post")[^>]*action="{re.escape(action)}"[^>]*>(.*?)</form>', page, re.DOTALL
    )
    assert found, f"no form for {action} on {path}"
    inputs = re.findall(r'<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"', found[1])
    return {name: html.unescape(value) for name, value in inputs} | filled


def send_twice(person: Person, path: str, action: str, **filled: str) -> list[str]:
    """Sends one form twice; the addresses to which the answers lead."""
    fields = form_of(person, path, action, **filled)
    led = []
    for _ in range(2):
        person.send(action, **fields)
        assert person.status == 200, person.notices()
        led.append(person.path)
    return led


def test_a_new_game_is_begun_once(person: Person) -> None:
    assert send_twice(person, "/new", "/new", side0="Us", side1="Them") == ["/game/1/"] * 2
    assert send_twice(person, "/", "/new") == ["/game/2/"] * 2
    assert len(services(person).store.games()) == 2


def test_another_page_or_other_names_begin_another_game(person: Person) -> None:
    fields = form_of(person, "/new", "/new")
    for names in ({}, {"side0": "Us"}):
        person.send("/new", **{**fields, **names})
    person.send("/new", **form_of(person, "/new", "/new"))
    assert person.path == "/game/3/"


def test_what_was_refused_can_be_sent_again(person: Person) -> None:
    fields = form_of(person, "/new", "/new", side0="Us", side1="us")
    for _ in range(2):
        person.send("/new", **fields)
        assert person.status == 400 and "same name" in person.notices()[0]


def test_two_that_come_at_once_are_answered_alike(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    fields = form_of(person, "/new", "/new")
    begun, waited = threading.Event(), threading.Event()
    store, wait = services(person).store, SentForms.wait
    add_game = store.add_game

    def slow(*values: Any, **named: Any) -> int:
        begun.set()
        assert waited.wait(60)
        return add_game(*values, **named)

    def seen_waiting(forms: SentForms, sent: Any) -> bool:
        waited.set()
        return wait(forms, sent)

    monkeypatch.setattr(store, "add_game", slow)
    monkeypatch.setattr(SentForms, "wait", seen_waiting)
    answers: list[str] = []

    cookie = person.client.get_cookie("handfoot")
    assert cookie is not None

    def send() -> None:
        client = person.client.application.test_client()
        client.set_cookie("handfoot", cookie.value)
        answers.append(client.post("/new", data=fields).location)

    thread = threading.Thread(target=send)
    thread.start()
    assert begun.wait(60)
    send()
    thread.join()
    assert answers == ["/game/1/"] * 2 and len(store.games()) == 1


def test_a_rule_set_is_copied_once(person: Person, own_rules: Path) -> None:
    fields = copy_form(person, "tanglewood").to_dict(flat=False)
    led = []
    for _ in range(2):
        person.send("/rules/tanglewood/copy", **fields)
        assert person.status == 200, person.notices()
        led.append(person.path)
    assert led[0] == led[1] == "/rules/tanglewood-at-our-table"
    assert len(list(own_rules.iterdir())) == 1


def test_a_backup_is_made_once(person: Person) -> None:
    person.begin()
    send_twice(person, "/safe/", "/safe/backup")
    assert len(services(person).store.backups.all()) == 1


def test_a_device_is_let_in_once_though_its_first_answer_was_lost(person: Person) -> None:
    phone = Person(person.client.application, "192.168.1.7")
    fields = form_of(phone, "/enter", "/enter", code=services(person).access_code.code)
    before = phone.client.get_cookie("handfoot")
    assert before is not None
    for _ in range(2):
        phone.client.set_cookie("handfoot", before.value)
        phone.send("/enter", **fields)
        assert phone.path == "/" and "This device has joined" in phone.notices()[0]
    assert len(services(person).store.devices.all()) == 1


def test_a_card_is_added_once_and_nobody_else_is_said_to_have_been_faster(person: Person) -> None:
    side = f"{person.begin()}/side/0"
    person.photo(side, photo(NORTH_TABLE))
    before = person.page.count('data-card="')
    led = send_twice(person, f"{side}/add?group=new-meld", f"{side}/change", face="9D", op="add", group="new-meld")
    assert led[0] == led[1] and "Someone else changed this first" not in person.text
    person.open(f"{side}/")
    assert person.page.count('data-card="') == before + 1


def test_a_photo_is_taken_once_and_sent_once(person: Person) -> None:
    side = f"{person.begin()}/side/0"
    led = send_twice(person, f"{side}/", f"{side}/shoot")
    assert led == [f"{side}/"] * 2
    game = services(person).store.game(1)
    assert game is not None and len(game.rounds[0].photos) == 1
    fields = form_of(person, f"{side}/", f"{side}/photos")
    for _ in range(2):
        person.send(f"{side}/photos", **fields, photos=(io.BytesIO(photo(NORTH_TABLE)), "north.jpg"))
    assert not [notice for notice in person.notices() if "already here" in notice]
    game = services(person).store.game(1)
    assert game is not None and len(game.rounds[0].photos) == 2


def test_an_undo_is_done_once(person: Person) -> None:
    side = f"{person.begin()}/side/0"
    person.photo(side, photo(NORTH_TABLE), counts=False)
    for face in ("9D", "8D"):
        person.send(f"{side}/change", op="name", card="p1c14", face=face)
    fields = form_of(person, f"{side}/", "/game/1/round/1/undo")
    for _ in range(2):
        person.send("/game/1/round/1/undo", **fields)
        assert "Someone else changed this first" not in person.text
    game = services(person).store.game(1)
    assert game is not None and len(game.rounds[0].corrections) == 1


def test_every_form_that_makes_something_is_marked(make_app: Callable[[], Flask]) -> None:
    app = make_app()
    posts = {rule.endpoint for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    marked = {endpoint for endpoint in posts if getattr(app.view_functions[endpoint], "idempotent", False)}
    assert posts - marked == REPEATABLE, (
        "mark what makes something with @idempotent, or say here why it may be repeated"
    )


def test_every_form_carries_a_key() -> None:
    templates = Path(webui.__file__).parent / "templates"
    forms = [
        (path.relative_to(templates), form)
        for path in sorted(templates.rglob("*.html"))
        for form in re.findall(r'<form[^>]*method="post".*?</form>', path.read_text(encoding="utf-8"), re.DOTALL)
    ]
    assert len(forms) > 50
    # what was typed is sent again with the key that it was first sent with, so that it is stored once
    keys = r"\{\{ ?(token\(\)|stamp\(view\))|in typed %\}<input"
    without = [str(path) for path, form in forms if not re.search(keys, form)]
    assert not without, "put token() or stamp(view) into these forms"
