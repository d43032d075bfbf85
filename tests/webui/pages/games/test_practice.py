"""Practice games: marked on every page, taken from the sample tables, counted nowhere, gone with one tap."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from tests.webui.helpers.drawn import DrawnReader
from tests.webui.helpers.playing import Person
from webui.app import create_app
from webui.context.services import services_of
from webui.reading.reader_service import ReaderService
from webui.settings import Settings
from webui.storage.store import Store

ROUND = "/game/1/round/1"
MARK = "Practice game. Nothing here counts."


@pytest.fixture
def person(make_app: Callable[..., Flask], samples: Path) -> Person:
    return Person(make_app(samples=samples))


def play(person: Person) -> None:
    """A practice game with its first round agreed."""
    person.send("/practice")
    for side, players in (("0", (None, 0)), ("1", (None, 0))):
        for player in players:
            fields = {} if player is None else {"player": player}
            person.send(f"{ROUND}/side/{side}/shoot", **fields)
            person.count_piles()
    person.agree(ROUND)
    assert person.path == f"{ROUND}/tally"


def test_every_page_of_it_is_marked_and_no_other(person: Person) -> None:
    play(person)
    pages = (
        *("/game/1/", "/game/1/log", "/game/1/names", "/game/1/rules", "/game/1/pad", "/game/1/television"),
        *("/game/1/first-meld/", "/game/1/join", f"{ROUND}/out", f"{ROUND}/unseen", f"{ROUND}/check", f"{ROUND}/tally"),
        *(f"{ROUND}/anyway", f"{ROUND}/side/0/", f"{ROUND}/side/0/left", f"{ROUND}/side/0/card/p1c0"),
    )
    for path in pages:
        person.open(path)
        assert person.status == 200 and MARK in person.text and "<title>Practice: " in person.page, path
    person.send("/new")
    for path in ("/game/2/", "/game/2/television", "/statistics"):
        assert "Practice game." not in person.open(path), path
    person.open("/")
    assert "Practice North–South against East–West" in person.text and MARK not in person.text


def test_the_practice_cards_are_those_of_each_place(person: Person) -> None:
    play(person)
    game = services_of(person.client.application).store.game(1)
    assert game is not None and game.practice
    assert [photo.source for photo in game.rounds[0].photos] == ["0.jpg", "1.jpg", "2.jpg", "3.jpg"]


def test_who_went_out_has_no_cards_and_the_partner_the_first_hand(person: Person) -> None:
    person.send("/practice")
    person.send(f"{ROUND}/facts", went_out="0.0")
    for side, player in ((0, 1), (1, 0), (1, 1)):
        person.send(f"{ROUND}/side/{side}/shoot", player=player)
    game = services_of(person.client.application).store.game(1)
    assert game is not None
    assert [photo.source for photo in game.rounds[0].photos] == ["1.jpg", "3.jpg", "5.jpg"]


def test_one_round_is_the_whole_of_it(person: Person) -> None:
    play(person)
    assert "That was a whole round" in person.text and "Score round 2" not in person.text
    assert "Practice again" in person.open("/game/1/")
    person.send("/game/1/state", state="reopen")
    assert "Score round 2" in person.text


def test_it_counts_nowhere(person: Person) -> None:
    play(person)
    person.rename("/game/1", **{"player0.0": "Ann", "player0.1": "Bo"})
    assert "Ann" in person.open("/game/1/")
    for path in ("/statistics", "/new", "/games.json", "/players/"):
        assert "Ann" not in person.open(path), path
    assert person.client.get("/games.csv").text.count("\n") == 1, "the head alone"
    assert "Same people again" not in person.open("/")
    assert "Continue: " not in person.page
    store = services_of(person.client.application).store
    made = store.backups.back_up()
    assert (made.info.games, made.info.rounds) == (0, 0) and store.counted_games() == []


def test_its_files_say_so(person: Person) -> None:
    play(person)
    table = person.client.get("/game/1/game.csv")
    assert "practice-game-1.csv" in table.headers["Content-Disposition"]
    lines = table.text.splitlines()
    assert lines[0].endswith(",total,practice") and all(line.endswith(",yes") for line in lines[1:])
    assert json.loads(person.client.get("/game/1/game.json").text)["practice"] is True
    assert "practice-game-1" in person.client.get(f"{ROUND}/sheet.json").headers["Content-Disposition"]
    person.begin()
    assert "practice" not in person.client.get("/game/2/game.csv").text


def test_it_is_removed_with_one_tap(person: Person) -> None:
    play(person)
    person.open("/")
    assert "Remove this practice game" in person.page
    person.send("/game/1/state", state="remove")
    assert person.path == "/" and "Remove this practice game" not in person.page


def test_it_is_practice_after_export_and_import(person: Person, tmp_path: Path) -> None:
    play(person)
    services_of(person.client.application).store.backups.export(tmp_path / "all.zip")
    other = Store(tmp_path / "elsewhere")
    other.backups.import_games(tmp_path / "all.zip")
    (game,) = other.games()
    assert game.practice and other.counted_games() == []
    other.close()


def test_without_a_camera_no_sample_is_taken_for_real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.cameras.attached", lambda: iter(()))
    app = create_app(Settings(tmp_path / "data"), ReaderService(DrawnReader))
    person = Person(app)
    person.begin()
    person.send(f"{ROUND}/side/0/shoot")
    assert (
        person.notices()[0]
        == "No camera found; plug one in and try again, take the photo with a phone, or choose photos."
    )
    person.send("/camera/setup/check")
    assert person.notices()[0].startswith("No camera found")
    game = services_of(app).store.game(1)
    assert game is not None and not game.rounds[0].photos
    services_of(app).photo_queue.close()
    services_of(app).camera.close()
    services_of(app).store.close()


def test_practice_cards_are_offered_once_for_each_place(person: Person) -> None:
    person.send("/practice")
    for player in (0, 1):
        assert "side/0/shoot" in person.open(f"{ROUND}/side/0/left"), player
        person.send(f"{ROUND}/side/0/shoot", player=player)
    assert "side/0/shoot" not in person.open(f"{ROUND}/side/0/left")
    person.open(f"{ROUND}/side/0/")
    assert ">Practice cards<" in person.page, "those of the table are not there yet"
