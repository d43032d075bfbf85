"""A note about corrected scores is only that: whoever runs the evening can still end it."""

from __future__ import annotations

from tests.webui.helpers.evenings import SIXTEEN, begin, evening, play_stage, score_round, seat
from tests.webui.helpers.playing import Person
from tests.webui.pages.events.test_coordinator import best_first, press, store_of


def test_a_note_about_a_correction_does_not_keep_an_evening_from_its_end(person: Person) -> None:
    store = store_of(person)
    begin(store, SIXTEEN[:4])
    for stage in (1, 2):
        seat(store, 1, stage)
        play_stage(store, 1, stage, best_first)
    table = evening(store, 1).table_of(SIXTEEN[3], 1) or 0
    sides = evening(store, 1).stage(1).released[table - 1]
    one, two = (3000 if name == SIXTEEN[3] else best_first(name, 1) for (name,) in sides)
    score_round(store, 1, 1, table, 1, (one, two))
    person.open("/evening/1/")
    assert f"By the corrected scores {SIXTEEN[3]} would play game 2. It stays as played." in person.text
    assert "The winners so far" not in person.text
    press(person, "/evening/1/state", state="finished")
    assert "The evening is over" in person.text and evening(store, 1).state == "finished"


def test_an_evening_that_breaks_off_can_be_ended(person: Person) -> None:
    store = store_of(person)
    begin(store, SIXTEEN[:4])
    seat(store, 1, 1)
    play_stage(store, 1, 1, best_first)
    person.open("/evening/1/")
    assert "The winners" not in person.text
    press(person, "/evening/1/state", state="finished")
    assert f"gold : {SIXTEEN[0]}, " in person.text and "whoever played the last one" in person.text
    assert "Draw game 2" not in person.text
