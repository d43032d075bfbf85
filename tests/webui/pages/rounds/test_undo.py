"""Undo takes back all of a step: everything that one form changed, also the agreement that ended the game."""

from __future__ import annotations

import re

import pytest

from tests.webui.helpers.drawn import EAST_TABLE, NORTH_TABLE, photo
from tests.webui.helpers.played_games import play_game
from tests.webui.helpers.playing import Person
from webui.context.services import services_of
from webui.storage.records import RoundRecord

ROUND = "/game/1/round/1"


@pytest.fixture
def played(person: Person) -> Person:
    """A round with both sides' cards, and nothing left."""
    round_ = person.begin()
    play(person, round_)
    return person


def play(person: Person, round_: str) -> None:
    person.photo(f"{round_}/side/0", photo(NORTH_TABLE))
    person.photo(f"{round_}/side/1", photo(EAST_TABLE))
    for side in (0, 1):
        for player in (0, 1):
            person.send(f"{round_}/side/{side}/nothing", player=player)
    person.send(f"{round_}/facts", went_out="0.0")


def agree(person: Person, round_: str) -> None:
    person.agree(round_)
    assert person.path == f"{round_}/tally"


def stored(person: Person, number: int = 1) -> RoundRecord:
    game = services_of(person.client.application).store.game(1)
    record = game.round(number) if game else None
    assert record is not None
    return record


def totals(person: Person) -> list[str]:
    """The two totals of the game."""
    found = re.search(r"Total (\S+) (\S+) ", person.open("/game/1/") and person.text)
    assert found
    return [found[1], found[2]]


def test_a_form_with_several_counts_is_undone_whole(played: Person) -> None:
    before = stored(played)
    played.send(f"{ROUND}/facts", unseen="yes", exact_deals0="1", improper_melds1="2")
    assert stored(played).facts != before.facts
    played.open(f"{ROUND}/unseen")
    assert "exact pickup; East–West: low first meld: 0; 0 → 1; 2" in played.text
    played.undo()
    assert stored(played).facts == before.facts
    played.undo()
    assert stored(played).facts != before.facts, "the next press takes back the step before"


def test_a_dealt_pile_is_undone_whole(played: Person) -> None:
    view = stored(played)
    store = services_of(played.client.application).store
    cards = [{"op": "add", "group": "new-meld", "face": face} for face in ("7H", "7S", "7D")]
    store.rounds.correct_all(
        view.id, 0, cards[:1], then=lambda first: [{**one, "group": f"n{first}"} for one in cards[1:]]
    )
    played.open(f"{ROUND}/side/0/")
    assert "and 2 more changes" in played.text
    played.undo()
    assert stored(played).corrections == view.corrections


def test_an_agreement_by_mistake_is_undone_with_its_round(played: Person) -> None:
    agree(played, ROUND)
    first = totals(played)
    played.open(f"{ROUND}/check")
    played.undo()
    assert stored(played).agreed_sheet is None and totals(played) != first
    played.open("/game/1/log")
    assert "Undone: round agreed" in played.text and "not agreed" in played.text
    agree(played, ROUND)
    assert totals(played) == first


def test_a_second_agreement_is_undone_to_the_first(played: Person) -> None:
    agree(played, ROUND)
    first = totals(played)
    played.send(f"{ROUND}/facts", went_out="1.0")
    agree(played, ROUND)
    assert totals(played) != first
    played.open(f"{ROUND}/check")
    played.undo()
    assert totals(played) == first


def test_undo_works_after_the_end_of_the_game(person: Person) -> None:
    play_game(services_of(person.client.application).store, (("Ann", "Bo"), ("Cy", "Di")), 3)
    person.send("/game/1/round/4/begin")
    play(person, "/game/1/round/4")
    agree(person, "/game/1/round/4")
    person.open("/game/1/")
    assert "The game is over" in person.text
    person.open("/game/1/round/4/check")
    person.undo()
    assert stored(person, 4).agreed_sheet is None
    person.open("/game/1/")
    assert "The game is over" not in person.text and "Keep scoring round 4" in person.text
    agree(person, "/game/1/round/4")
    person.open("/game/1/")
    assert "The game is over" in person.text


def test_correcting_an_agreed_round_changes_no_points_before_it_is_agreed_again(played: Person) -> None:
    agree(played, ROUND)
    before = totals(played)
    played.send(f"{ROUND}/side/0/change", op="remove", card="p1c0")
    assert totals(played) == before
    played.open(f"{ROUND}/side/0/")
    assert "The change counts once everyone agrees again." in played.text
    played.undo()
    played.open(f"{ROUND}/side/0/")
    assert "Everyone agreed on this round." in played.text and totals(played) == before


def test_the_message_of_an_agreed_round_is_short(played: Person) -> None:
    agree(played, ROUND)
    assert "<span>Round agreed.</span>" in played.page, "the points stand above it"
    played.undo()
    assert "Undone: North–South: agreement taken back" in played.text, "a name keeps its capital letter"
