"""Who plays first where that is drawn for each round, and sets of two hands with each person's card."""

from __future__ import annotations

import re

import pytest

from tests.webui.helpers.playing import Person
from webui.storage.backup.checks.documents import SideOfGame, check_facts

NAMES = {"player0.0": "Ann", "player0.1": "Bo", "player1.0": "Cy", "player1.1": "Di"}
SIDES = (SideOfGame(name="a", players=("Ann", "Bo")), SideOfGame(name="b", players=("Cy", "Di")))


def total(person: Person, number: int, *points: int) -> None:
    """Types a round of two sides and agrees it."""
    round_url = f"/game/1/round/{number}"
    person.send(f"{round_url}/begin")
    for side, sum in enumerate(points):
        person.send(f"{round_url}/side/{side}/typed/points", way="total", total=str(sum))
    person.agree(round_url)


def test_who_plays_first_is_asked_for_each_round_where_it_is_drawn(person: Person) -> None:
    person.send("/new", rules="tanglewood", players="4", **NAMES)
    assert "Who plays first this round?" in person.text and "Plays first" not in person.text
    person.send("/game/1/round/1/starter", starter="1.0")
    assert "Plays first Cy" in person.text
    person.open("/game/1/round/1/out")
    assert "Who played first?" in person.text and "Cy played first" in person.text
    person.send("/game/1/round/1/starter", starter="0.1", round="yes")
    assert person.path.endswith("/round/1/out") and "Bo played first" in person.text
    person.open("/game/1/log")
    assert re.search(r"Who plays first.{0,20}Cy.{0,10}Bo", person.text)
    person.open("/game/1/round/1/out")
    person.undo()
    assert "Cy played first" in person.text
    total(person, 1, 100, 50)
    person.open("/game/1/")
    assert "Who plays first this round?" in person.text, "and anew for the second"
    person.open("/game/1/round/1/out")
    assert "Cy played first" in person.text
    person.open("/game/1/pad")
    assert "Round 1 Cy played first" in person.text


def test_a_round_whose_starter_nobody_said_asks_for_it(person: Person) -> None:
    person.begin(rules="tanglewood", players="4")
    assert "Who played first?" in person.text
    person.begin(rules="golden-games")
    assert "Who played first?" not in person.text and "Who played first?" not in person.open("/game/2/round/1/out")
    person.send("/game/2/round/1/starter", starter="0.0")
    assert person.status == 404, "golden games go clockwise"


@pytest.mark.parametrize("starter", ["", "2.0", "0.2", "x", "0.-1"])
def test_only_players_of_the_game_play_first(person: Person, starter: str) -> None:
    person.send("/new", rules="tanglewood", players="4")
    person.send("/game/1/round/1/starter", starter=starter)
    assert person.status == 400


def test_sets_of_hands_on_page_and_pad(person: Person) -> None:
    person.send("/new", rules="tournament-play", **NAMES)
    assert "Set 1, hand 1" in person.text and "at least 50 points" in person.text
    assert "Score set 1, hand 1" in person.text
    total(person, 1, 800, 300)
    assert "Set 1, hand 1" in person.text and "Set 1, hand 2: the first meld needs at least 120 points" in person.text
    person.send("/game/1/round/2/begin")
    assert "Set 1, hand 2" in person.text and "First meld 120" in person.text
    assert "Set so far 800 : 300" in person.text
    total(person, 2, 400, 900)
    assert "Set 1 total 1,200 1,200" in person.text
    person.open("/game/1/")
    assert "Set 1, hand 2 400 900" in person.text and "Set 1 total 1,200 1,200" in person.text
    assert "Each person’s card Person Set 1, hand 1 Set 1, hand 2 Total Ann 800 400 1,200" in person.text
    person.open("/game/1/pad")
    assert "Set 1, hand 1 first meld 50" in person.text and "Set 1, hand 2 first meld 120" in person.text
    assert "Set 1 total 1,200 1,200" in person.text and "Di 300 900 1,200" in person.text
    assert "Set 1, hand 2" in person.open("/game/1/log")


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        ({"starter": [0, 5]}, "expected one of 2"),
        ({"starter": [3, 0]}, "expected one of 2"),
        ({"starter": ["Ann"]}, "starter|tuple|missing|Field"),
        ({"0": {"typed": {"total": "many"}}}, "total"),
        ({"0": {"typed": {"books": [{"book": "clean", "count": -1}]}}}, "count"),
        ({"0": {"typed": {"total": 5, "cards": 5}}}, "total alone or counts"),
        ({"0": {"typed": {"points": 5}}}, "points"),
    ],
)
def test_facts_of_elsewhere_are_checked(facts: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        check_facts(facts, SIDES)


def test_facts_of_this_program_pass_the_check() -> None:
    typed = {
        "total": None,
        "books": [{"book": "clean", "count": 3}],
        "caps": 0,
        "laid": ["3H"],
        "cards": 64,
        "left": -5,
    }
    check_facts({"starter": [1, 0], "0": {"typed": typed}, "1": {"typed": None}}, SIDES)


def test_a_hand_of_a_set_is_announced_by_its_name(person: Person) -> None:
    person.send("/new", rules="tournament-play", players="4", **NAMES)
    total(person, 1, 640, -115)
    total(person, 2, -115, 300)
    person.open("/game/1/television")
    assert "Set 1, hand 2: Ann & Bo minus 115, Cy & Di 300. Total: Ann & Bo 525, Cy & Di 185." in person.text
    assert "Round 2" not in person.text
