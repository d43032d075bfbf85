"""What is shown of games beside their own page: changed rounds, results to share, pages over all games."""

from __future__ import annotations

import re
from typing import Any

import pytest
from sqlalchemy import event

from tests.webui.helpers.drawn import NORTH_TABLE, photo
from tests.webui.helpers.played_games import fill, play_game
from tests.webui.helpers.playing import Person
from webui.context.services import services_of
from webui.rounds.agreement import unsettled_rounds

ROUND = "/game/1/round/1"
NORTH = f"{ROUND}/side/0"
SHOWN = ("/", "/game/1/", "/game/1/pad", "/game/1/television")


def says_so(person: Person) -> list[bool]:
    return [
        bool(re.search(r"Round 1 (was )?changed (after|since)", person.open(path) and person.text)) for path in SHOWN
    ]


def test_a_changed_round_says_so_until_it_is_agreed_again(person: Person) -> None:
    person.begin()
    person.photo(NORTH, photo(NORTH_TABLE))
    person.agree(ROUND)
    assert person.path == f"{ROUND}/tally"
    assert says_so(person) == [False] * 4
    person.send(f"{NORTH}/change", op="remove", card="p1c0")
    assert says_so(person) == [True] * 4
    person.agree(ROUND)
    assert says_so(person) == [False] * 4
    person.send(f"{NORTH}/change", op="remove", card="p1c1")
    person.open(f"{NORTH}/")
    person.undo()
    assert says_so(person) == [False] * 4, "a change that was undone is none"


def test_an_answered_doubt_changes_no_round(person: Person) -> None:
    person.begin()
    person.photo(NORTH, photo(NORTH_TABLE))
    person.agree(ROUND)
    store = services_of(person.client.application).store
    person.send(f"{NORTH}/change", op="name", card="p1c0", face="8H")
    assert store.touched_since_agreed([1]) == {(1, 1)} and unsettled_rounds(store, [1]) == {}


def test_a_result_is_shown_with_or_without_names_as_the_device_chose(person: Person) -> None:
    store = services_of(person.client.application).store
    play_game(store, (("Ann", "<b>&"), ("Cy", "Di")), 4)
    page = person.open("/game/1/share")
    assert 'src="/game/1/result.svg"' in page and "Ann &amp; &lt;b&gt;&amp;" in page
    picture = person.client.get("/game/1/result.svg")
    assert picture.mimetype == "image/svg+xml" and ">Ann</text>" in picture.text and "<b>" not in picture.text
    assert "Ann" not in person.client.get("/game/1/result.svg?names=no").text
    person.open("/game/1/share?names=no")
    assert "Ann" not in person.open("/game/1/share")
    assert "names=no" in person.open("/game/1/")


def test_there_is_nothing_to_share_before_a_round_counts(person: Person) -> None:
    person.begin()
    assert "Share" not in person.open("/game/1/")
    for path in ("share", "result.svg"):
        assert person.client.get(f"/game/1/{path}").status_code == 404


PAGES = (
    "/",
    "/new",
    "/statistics",
    "/statistics?by=sides",
    "/games.csv",
    "/games.json",
    "/camera/",
    "/safe/",
    "/rules/",
    "/display",
    "/game/1/",
    "/game/1/log",
    "/game/1/pad",
    "/game/1/again",
    "/players/",
    "/players/person?name=Ann",
    "/players/season.csv",
)


def asked(person: Person, path: str) -> int:
    """How often a page asks the database, where nothing is cached."""
    store = services_of(person.client.application).store
    questions: list[str] = []

    def count(_: Any, __: Any, statement: str, *___: Any) -> None:
        questions.append(statement)

    store._games = (None, [])
    event.listen(store.engine, "before_cursor_execute", count)
    person.open(path)
    event.remove(store.engine, "before_cursor_execute", count)
    assert person.status == 200
    return len(questions)


@pytest.mark.parametrize("path", PAGES)
def test_questions_do_not_grow_with_the_games(person: Person, path: str) -> None:
    store = services_of(person.client.application).store
    fill(store, 2)
    few = asked(person, path)
    fill(store, 6)
    assert asked(person, path) == few
