"""Watching is switched on and off, seen by everybody who may see the game, and ends by itself."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from flask import Flask

from tests.vision.cameras.test_watcher import wait_for
from tests.webui.access.test_access_code import app, let_in
from tests.webui.helpers.playing import Person
from webui.context.services import services_of
from webui.storage.records import SideRecord
from webui.watching import films, table_watch
from webui.watching.areas import proposals

__all__ = ["app"]

SIGN = '<aside class="watching"'


def watched(app: Flask) -> Person:
    """This machine, which has switched it on for the first game."""
    person = Person(app)
    person.open("/game/1/")
    assert "Watch this round" in person.text and SIGN not in person.page
    person.send("/game/1/watch/start")
    return person


def test_the_sign_is_on_every_page_of_whoever_may_see_the_game(app: Flask) -> None:
    person, phone = watched(app), let_in(app)
    for visitor in (person, phone):
        for path in ("/", "/game/1/", "/game/1/television", "/camera/", "/rules/", "/nowhere", "/watching"):
            visitor.open(path)
            assert SIGN in visitor.page and "Us against Them, round 1" in visitor.text, path
            assert "Stop watching" in visitor.text
    stranger = Person(app, "192.168.1.99")
    stranger.open("/")
    assert SIGN not in stranger.page and "data-ask" not in stranger.page
    assert stranger.client.get("/watching").status_code == 303
    phone.send("/game/1/watch/stop")
    assert SIGN not in phone.page and SIGN not in person.open("/")
    assert "Watching round 1 was stopped." in phone.open("/game/1/watch/") + phone.text


def test_who_only_looks_on_sees_it_and_cannot_stop_it(app: Flask) -> None:
    person = watched(app)
    person.send("/devices/viewers", viewers="yes")
    viewer = Person(app, "192.168.1.99")
    viewer.open("/game/1/")
    assert SIGN in viewer.page and "Anyone who joined can stop it." in viewer.text
    assert SIGN in viewer.client.get("/watching").text
    assert "Stop watching" not in viewer.text
    viewer.client.post("/game/1/watch/stop", data={"token": person.token()})
    assert services_of(app).watch.now is not None
    assert viewer.client.get("/game/1/watch/").status_code in (303, 403)


def test_the_history_of_the_game_says_who_switched_it(app: Flask) -> None:
    person = watched(app)
    person.send("/game/1/watch/stop")
    text = person.open("/game/1/log") and person.text
    assert len(re.findall("Watching the table", text)) == 2


def test_it_ends_with_the_round_and_with_the_game(app: Flask) -> None:
    person, watch = watched(app), services_of(app).watch
    person.send("/game/1/round/1/begin")
    assert watch.now is None and SIGN not in person.page
    game = services_of(app).store.game(1)
    assert game is not None and (film := watch.film(game, 1)) is not None and film.end == "round"
    person.send("/new", side0="Others", side1="More")
    person.send("/game/2/watch/start")
    assert watch.now is not None and watch.now.game == 2
    person.send("/game/2/state", state="end")
    wait_for(lambda: watch.now is None)
    assert SIGN not in person.open("/")


def test_it_ends_when_the_camera_is_gone_for_long(app: Flask, monkeypatch: pytest.MonkeyPatch, samples: object) -> None:
    monkeypatch.setattr(table_watch, "LOST_AFTER", 0.2)
    services = services_of(app)
    monkeypatch.setattr(services.watch, "_watcher", Gone())
    person = watched(app)
    wait_for(lambda: services.watch.now is None)
    assert "the camera was gone for 5 minutes" in (person.open("/game/1/watch/") and person.text)


def test_a_page_that_opens_while_watching_ends_says_why(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    services = services_of(app)
    watched(app)
    game, run = services.store.game(1), services.watch._run
    assert game is not None and run is not None
    seen: list[object] = []

    def stored_late() -> None:
        film = services.watch.film(game, 1)
        seen.append(film and film.end)

    monkeypatch.setattr(run.recorder, "save", stored_late)
    services.watch.stop()
    assert seen == ["stopped"]


class Gone:
    """A camera that gives nothing."""

    def snapshot(self, after: int, wait: float) -> object:
        class Nothing:
            frame, number, age, error = None, 0, None, "No camera."

        return Nothing()


def test_boxes_hold_for_the_evening_though_pictures_are_removed(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    person, boxes = watched(app), [[[0.1, 0.1], [0.4, 0.1], [0.4, 0.8], [0.1, 0.9]], proposals(2)[0][1]]

    def shown() -> object:
        found = re.search(r'name="boxes" value="([^"]*)"', person.open("/game/1/watch/"))
        return json.loads(found[1].replace("&#34;", '"')) if found else None

    person.send("/game/1/watch/1/areas", boxes=json.dumps(boxes))
    assert shown() == boxes
    person.send("/game/1/watch/hints", hints="on")
    person.send("/game/1/watch/1/remove")
    person.send("/game/1/watch/start")
    assert shown() == boxes and services_of(app).watch.films.has_hints
    other = proposals(2)[1]
    person.send("/game/1/watch/1/areas", boxes=json.dumps(other))
    person.send("/game/1/watch/1/remove")
    person.send("/game/1/watch/start")
    assert shown() == other, "those that were said last"
    person.send("/game/1/watch/1/remove")
    monkeypatch.setattr(films, "EVENING", timedelta(0))
    person.send("/game/1/watch/start")
    assert shown() == proposals(2)[0], "another evening"


def test_one_round_at_a_time(app: Flask) -> None:
    person = watched(app)
    person.send("/new", side0="Others", side1="More")
    person.send("/game/2/watch/start")
    assert "The camera is watching another round already." in person.text


def test_nothing_is_read_while_somebody_waits(app: Flask) -> None:
    services = services_of(app)
    services.watch.is_busy = lambda: True
    person = watched(app)
    run = services.watch._run
    assert run is not None
    wait_for(lambda: services.camera.watcher.snapshot().frame is not None)
    person.open("/")
    assert run.recorder._pixels is None
    services.watch.is_busy = lambda: False
    wait_for(lambda: run.recorder._pixels is not None)


def test_boxes_are_drawn_on_what_is_watched_and_nobody_else_sees_it(app: Flask) -> None:
    person, services = watched(app), services_of(app)
    person.send("/new", side0="Others", side1="More")
    run = services.watch._run
    assert run is not None and "/game/1/watch/now.jpg" in person.open("/game/1/watch/")
    wait_for(lambda: run.recorder.picture is not None)
    picture = person.client.get("/game/1/watch/now.jpg")
    assert picture.mimetype == "image/jpeg" and picture.headers["Cache-Control"] == "no-store"
    assert person.client.get("/game/2/watch/now.jpg").headers["Location"] == "/camera/picture.jpg"
    assert Person(app, "192.168.1.99").client.get("/game/1/watch/now.jpg").status_code in (303, 403)


def test_another_start_of_the_program_goes_on(make_app: Callable[[], Flask], app: Flask) -> None:
    watched(app)
    services_of(app).watch.close()
    again = make_app()
    services_of(again).watch.resume()
    now = services_of(again).watch.now
    assert now is not None and (now.game, now.number) == (1, 1)
    assert SIGN in Person(again).open("/")


def test_what_was_seen_goes_with_one_press_and_with_the_game(app: Flask) -> None:
    person, watch = watched(app), services_of(app).watch
    person.send("/game/1/watch/stop")
    assert watch.films.files.rounds() == [(1, 1)]
    person.send("/game/1/watch/1/remove")
    assert watch.films.files.rounds() == [] and "The pictures of round 1 are removed." in person.text
    person.send("/game/1/watch/start")
    person.send("/game/1/state", state="remove")
    assert watch.films.files.rounds() == [] and watch.now is None


def test_a_phone_that_is_to_be_the_camera_has_to_join_before_it_watches(make_app: Callable[..., Flask]) -> None:
    app = make_app(camera="phone")
    services_of(app).store.add_game("golden-games", 4, [SideRecord("Us", ("A", "B")), SideRecord("Them", ("C", "D"))])
    person = Person(app)
    person.open("/game/1/")
    assert "Let an old phone watch the table" in person.text and "Watch this round" not in person.text
    assert services_of(app).camera.phone.begin("an old phone", None, False)
    person.open("/game/1/")
    assert "Watch this round" in person.text
    person.send("/game/1/watch/start")
    services_of(app).camera.phone.end()
    person.open("/")
    assert (
        SIGN in person.page
        and "On the phone over it, press “Use this device as the table camera” again." in person.text
    )


def test_without_a_camera_the_way_to_an_old_phone_is_shown(app: Flask) -> None:
    services = services_of(app)
    services.camera._is_found = False
    person = Person(app)
    person.open("/game/1/")
    assert "Let an old phone watch the table" in person.text and "Watch this round" not in person.text
    person.open("/game/1/watch/")
    assert "start it again with:" in person.text
    assert "--lan --https Then open the address it shows" in person.text, "phones' cameras need encryption"
    assert "The camera is on" not in person.text, "it cannot be"
    app.extensions["handfoot"] = replace(services, settings=replace(services.settings, https_port=8766))
    person.open("/game/1/watch/")
    assert "https://192.168.1.20:8766/camera/phone/" in person.text and services.access_code.code in person.text
    assert "Use this device as the table camera" in person.text and 'class="qr"' in person.page
    assert "No phone is the table camera yet" not in person.text
    person.open("/game/1/watch/?camera=on")
    assert "No phone is the table camera yet. Do step 2" in person.text
    assert services.camera.phone.begin("an old phone", None, False)
    person.open("/game/1/watch/?camera=on")
    assert "Watch round 1" in person.text and "an old phone or tablet will do" not in person.text
    services.camera.phone.end()
