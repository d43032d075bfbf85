"""Penalties and extra points on the pages: given and taken back beside a name, seen by everybody."""

from __future__ import annotations

from tests.webui.helpers.evenings import SIXTEEN, begin, play_stage, seat
from tests.webui.helpers.playing import Person
from tests.webui.pages.events.test_coordinator import best_first, press, store_of


def test_a_penalty_is_given_beside_a_name_and_everybody_sees_why(person: Person) -> None:
    store, name = store_of(person), SIXTEEN[0]
    begin(store, SIXTEEN[:4])
    seat(store, 1, 1)
    play_stage(store, 1, 1, best_first)
    person.open("/evening/1/roster/?name=Aa+%26+Ao")
    press(
        person,
        "/evening/1/roster/adjust",
        name=name,
        way="off",
        points="1,000",
        stage="1",
        reason="slow play",
        words="",
    )
    assert f"Last: {name}: −1,000 points in game 1 (slow play)." in person.text
    said = f"{name}: −1,000 in game 1, slow play"
    for path in (
        "/evening/1/",
        "/evening/1/results/",
        "/evening/1/results/card?name=Aa+%26+Ao",
        "/evening/1/score-cards",
    ):
        assert person.open(path) and said in person.text, path
    person.open("/evening/1/")
    assert "On to game 2: Ba & Bo and Ca & Co" in person.text and "3,010" in person.text
    assert "1,-1000,slow play" in person.open("/evening/1/results/penalties.csv")
    person.open("/evening/1/roster/?name=Aa+%26+Ao")
    press(person, "/evening/1/roster/take-back", name=name)
    assert said not in person.text
    person.open("/evening/1/roster/?name=Aa+%26+Ao")
    press(
        person, "/evening/1/roster/adjust", name=name, way="off", points="-5", stage="1", reason="slow play", words=""
    )
    assert "Type the points as a whole number from 1 to 20000." in person.text
    assert person.path == "/evening/1/roster/"
