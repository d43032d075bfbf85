"""What the coordinator's Undo says that it takes back, and what it took back."""

from __future__ import annotations

from tests.webui.helpers.evenings import SIXTEEN, evening
from tests.webui.helpers.playing import Person
from tests.webui.pages.events.test_coordinator import announce, press, set_up, store_of


def test_each_team_that_one_form_added_is_named(person: Person) -> None:
    set_up(person, 2)
    assert "Last: 2 teams were added: Aa & Ao and Ba & Bo. Undo" in person.text
    press(person, "/evening/1/people", people="\n".join(SIXTEEN[2:5]))
    assert "Last: 3 teams were added: Ca & Co, Da & Do and Ea & Eo. Undo" in person.text
    press(person, "/evening/1/people", people=SIXTEEN[5])
    assert "Last: Fa & Fo takes part. Undo" in person.text
    press(person, "/evening/1/undo")
    assert person.notices()[0] == "Taken back: Fa & Fo takes part."
    press(person, "/evening/1/undo")
    assert person.notices()[0] == "Taken back: 3 teams were added: Ca & Co, Da & Do and Ea & Eo."
    assert list(evening(store_of(person), 1).entrants) == list(SIXTEEN[:2])
    announce(person, 1)
    assert "Last: The tables of game 1 were announced. Undo" in person.text


def test_of_a_hall_full_of_people_twenty_are_named(person: Person) -> None:
    person.open("/evenings/new?how=tournament-play")
    people = [f"P{at:02}, {'woman' if at % 2 else 'man'}" for at in range(24)]
    press(person, "/evenings/new", people="\n".join(people), name="Saturday", how="tournament-play")
    assert "Last: 24 people were added: P00, P01," in person.text and "P19 and 4 more. Undo" in person.text


def test_what_somebody_else_did_meanwhile_is_not_taken_back(person: Person) -> None:
    set_up(person, 2)
    shown = person.page
    press(person, "/evening/1/people", people=SIXTEEN[2])
    person.page = shown
    press(person, "/evening/1/undo")
    assert person.notices()[0] == "Something else was done since then. Look at it again."
    assert len(evening(store_of(person), 1).entrants) == 3


def test_an_evening_without_anybody_has_nothing_to_take_back(person: Person) -> None:
    person.open("/evenings/new")
    press(person, "/evenings/new", name="Saturday")
    assert person.status == 200 and "First type in who plays, below." in person.text and "Undo" not in person.text
    press(person, "/evening/1/people", people=SIXTEEN[0])
    press(person, "/evening/1/undo")
    assert person.status == 200 and person.notices()[0] == "Taken back: Aa & Ao takes part."
    assert "Last:" not in person.text and not evening(store_of(person), 1).entrants
