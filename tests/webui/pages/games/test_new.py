"""A new game for the people whose names were typed: their number, their sides, and rules that are for so many."""

from __future__ import annotations

import re

import pytest

from tests.webui.helpers.playing import Person
from tests.webui.pages.games.test_games import NAMES, store_of
from webui.context.services import services_of
from webui.games.names import sides_in


def sides_of(person: Person, game: int = 1) -> list[tuple[str, ...]]:
    """The players of each side, as they are kept."""
    kept = services_of(person.client.application).store.game(game)
    assert kept is not None
    return [side.players for side in kept.sides]


@pytest.mark.parametrize(
    "typed",
    ["Ann\nBo\nCy\nDi", "Ann\r\n\r\n Bo \r\nCy\r\nDi\r\n", "Ann, Bo, Cy, Di", "Ann & Bo\nCy & Di", "Ann;Bo\nCy,Di"],
)
def test_names_are_taken_side_by_side(person: Person, typed: str) -> None:
    person.send("/new", names=typed)
    assert sides_of(person) == [("Ann", "Bo"), ("Cy", "Di")] and "Ann & Bo against Cy & Di" in person.text


def test_no_names_are_needed(person: Person) -> None:
    for typed in ("", " \n \n"):
        person.send("/new", names=typed)
        assert "North–South against East–West" in person.text


def test_as_many_play_as_there_are_names(person: Person) -> None:
    person.send("/new", rules="cutting-22", players="4", seating="1", names="Ann\nBo\nCy\nDi\nEve\nFay")
    assert sides_of(person) == [("Ann", "Bo", "Cy"), ("Di", "Eve", "Fay")], "the number of before does not count"
    person.send("/new", rules="cutting-22", players="6", seating="1", names="Ann\nBo\nCy\nDi\nEve\nFay")
    assert sides_of(person, 2) == [("Ann", "Bo"), ("Cy", "Di"), ("Eve", "Fay")]
    person.send("/new", rules="cutting-22", players="2", names="Ann\nBo")
    assert sides_of(person, 3) == [("Ann",), ("Bo",)]


def test_rules_that_are_not_for_so_many_are_not_taken_silently(person: Person) -> None:
    person.send("/new", rules="golden-games", players="4", seating="0", names="Ann\nBo\nCy")
    assert person.path == "/new" and not services_of(person.client.application).store.games()
    assert person.notices() == [
        "Golden Games doubles is for 4 players, and you are 3. Choose other rules, or change the names."
    ]
    assert "Ann\nBo\nCy</textarea>" in person.page and 'value="golden-games"' not in person.page
    person.send("/new", rules="hand-n-foot", players="3", names="Ann\nBo\nCy")
    assert sides_of(person) == [("Ann",), ("Bo",), ("Cy",)]


@pytest.mark.parametrize(("number", "said"), [(1, "takes two to play"), (13, "12 players at most"), (400, "at most")])
def test_nobody_plays_alone_or_with_too_many(person: Person, number: int, said: str) -> None:
    person.send("/new", names="\n".join(f"P{at}" for at in range(number)))
    assert person.path == "/new" and not services_of(person.client.application).store.games()
    assert said in person.notices()[0] and "P0" in person.page
    assert 'value="golden-games" selected' in person.page and 'value="canasta-for-two"' in person.page, "all rules"


def test_other_rules_keep_the_names_that_were_typed(person: Person) -> None:
    person.send("/new", rules="golden-games", players="4", seating="0", names="Ann\nBo\nCy\nDi", choose="yes")
    assert person.path == "/new" and not person.notices() and "Ann\nBo\nCy\nDi</textarea>" in person.page
    assert 'value="tanglewood"' in person.page and 'value="canasta-for-two"' not in person.page, "all are for four"
    person.send("/new", rules="golden-games", players="4", seating="0", names="", choose="yes")
    assert 'value="canasta-for-two"' in person.page


def test_one_name_twice_is_said_and_nothing_is_lost(person: Person) -> None:
    answer = person.client.post("/new", data={"token": person.token(), "names": "Ann\nBo\nann\nDi"})
    assert (
        answer.status_code == 400
        and "is in there twice" in answer.text
        and "Ann\nBo\nann\nDi</textarea>" in answer.text
    )


def test_people_who_played_are_one_tap_away_on_the_first_page(person: Person) -> None:
    assert "data-people" not in person.open("/")
    person.send("/new", names="Ann\nBo\nCy\nDi")
    page = person.open("/")
    assert all(f'value="{name}">{name}</button>' in page for name in ("Ann", "Bo", "Cy", "Di"))


def test_names_in_a_text() -> None:
    assert sides_in("Ann and Bo + Cy/Anders  AND Brandy") == [["Ann", "Bo", "Cy", "Anders", "Brandy"]]
    assert sides_in("Ann\nBo & Cy,;\n\n  Di   Dee \n\u200b") == [["Ann", "Bo", "Cy", "Di Dee"]]


@pytest.mark.parametrize(
    ("typed", "sides"),
    [
        ("Ann\nBo\nCy", [("Ann",), ("Bo",), ("Cy",)]),
        ("Ann\nBo\nCy\nDi\nEve", [("Ann",), ("Bo",), ("Cy",), ("Di",), ("Eve",)]),
        ("Ann & Bo vs. Cy", [("Ann", "Bo"), ("Cy",)]),
        ("Ann VS Bo and Cy", [("Bo", "Cy"), ("Ann",)]),
        ("Ann & Bo\nCy", [("Ann", "Bo"), ("Cy",)]),
        ("Ann against Bo against Cy against Di", [("Ann",), ("Bo",), ("Cy",), ("Di",)]),
        ("Ann\nBo\nvs\nCy\nDi", [("Ann", "Bo"), ("Cy", "Di")]),
        ("Ann & Bo\nCy & Di\nEve & Fay", [("Ann", "Bo"), ("Cy", "Di"), ("Eve", "Fay")]),
        ("Ann & Bo\nCy\nDi", [("Ann", "Bo"), ("Cy", "Di")]),
    ],
)
def test_sides_are_as_typed_and_uneven_only_where_that_says_so(
    person: Person, typed: str, sides: list[tuple[str, ...]]
) -> None:
    person.send("/new", rules="cutting-22", players="4", seating="0", names=typed)
    assert sides_of(person) == sides


def test_sides_that_the_rules_do_not_have_are_asked_about_once(person: Person) -> None:
    person.send("/new", rules="golden-games", players="4", seating="0", names="Di vs Ann, Bo, Cy")
    assert person.notices() == [
        "You typed sides of 3 and 1, and Golden Games doubles is for 2 sides of 2. Choose other rules, or change the "
        "names."
    ]
    assert "Ann\nBo\nCy\nvs\nDi</textarea>" in person.page
    person.send("/new", rules="hand-n-foot", players="3", names="Ann & Bo vs Cy")
    assert 'name="seating">' not in person.page and 'value="hand-n-foot"' not in person.page
    person.send("/new", rules="cutting-22", players="3", names="Ann\nBo\nvs\nCy")
    assert sides_of(person) == [("Ann", "Bo"), ("Cy",)]


def names_form(person: Person) -> dict[str, str]:
    """What a browser sends of the form of names."""
    page = person.open("/game/1/names")
    return dict(re.findall(r'name="((?:was\.)?(?:side|player)[\d.]+)"[^>]*value="([^"]*)"', page))


def test_two_devices_that_name_different_players_both_count(person: Person) -> None:
    person.begin(**NAMES)
    one, other = names_form(person), names_form(person)
    person.send("/game/1/names", **(one | {"player0.0": "Anna"}))
    person.send("/game/1/names", **(other | {"player1.1": "Diana"}))
    game = store_of(person).game(1)
    assert game is not None and [side.players for side in game.sides] == [("Anna", "Bo"), ("Cy", "Diana")]


def test_a_name_that_two_devices_change_is_asked_about(person: Person) -> None:
    person.begin(**NAMES)
    one, other = names_form(person), names_form(person)
    person.send("/game/1/names", **(one | {"player0.0": "Anna"}))
    person.send("/game/1/names", **(other | {"player0.0": "Annie"}))
    assert person.status == 409 and "Someone changed “Ann” to “Anna” on another device" in person.text
    assert 'value="Annie"' in person.page, "what was typed is still there"
    game = store_of(person).game(1)
    assert game is not None and game.sides[0].players == ("Anna", "Bo")
