"""Who takes part in an evening: typed wrong and taken off, come late, too late, and their groups."""

from __future__ import annotations

import re

from tests.webui.helpers.evenings import begin, evening, play_stage, seat
from tests.webui.helpers.playing import Person
from tests.webui.pages.events.test_coordinator import announce, best_first, press, set_up, store_of

FIVE = ("Ann, woman", "Bo, man", "Cy, man", "Di, woman", "Eve, woman")


def test_who_was_typed_wrong_is_taken_off_and_was_never_there(person: Person) -> None:
    set_up(person, 4)
    press(person, "/evening/1/people", people="Xnn & Yo")
    assert "Take off" in person.text and "Goes home" not in person.text
    person.send("/evening/1/leave", name="Xnn & Yo")
    assert "4 teams taking part" in person.text and "Last: Xnn & Yo was taken off the list. Undo" in person.text
    announce(person, 1)
    assert (
        "Goes home" in person.text and "Take off" not in person.text and "Xnn" not in person.open("/evening/1/results/")
    )
    play_stage(store_of(person), 1, 1, best_first)
    for path in ("results/", "results/screen", "score-cards", "results/standings.csv", ""):
        assert "Xnn" not in person.open(f"/evening/1/{path}") and person.status == 200, path
    assert person.open("/evening/1/history") and "Xnn & Yo was taken off the list." in person.text


def test_who_was_taken_off_may_be_typed_again(person: Person) -> None:
    set_up(person, 4)
    person.send("/evening/1/leave", name="Aa & Ao")
    press(person, "/evening/1/people", people="Aa & Ao")
    now = evening(store_of(person), 1)
    assert len(now.present) == 4 and "Aa & Ao" in now.present and not now.gone
    press(person, "/evening/1/undo")
    assert "Aa & Ao" not in evening(store_of(person), 1).entrants


def test_a_draft_with_somebody_who_was_taken_off_is_drawn_again(person: Person) -> None:
    set_up(person, 4)
    press(person, "/evening/1/1/draw")
    person.send("/evening/1/leave", name="Aa & Ao")
    assert "This draw does not fit any more, because of Aa & Ao. Draw again." in person.text
    press(person, "/evening/1/1/draw")
    assert "sits out" in person.text and "Aa & Ao" not in person.page.split('id="draft"')[1].split("</section>")[0]


def test_who_sat_at_a_table_goes_home_and_stays_in_the_standings(person: Person) -> None:
    set_up(person, 4)
    announce(person, 1)
    play_stage(store_of(person), 1, 1, best_first)
    person.send("/evening/1/leave", name="Aa & Ao")
    assert "Last: Aa & Ao went home. Undo" in person.text
    assert person.open("/evening/1/results/") and "Aa & Ao went home" in person.text
    assert person.open("/evening/1/results/card?name=Aa+%26+Ao") and "Aa & Ao went home." in person.text


def test_nobody_is_asked_to_join_once_it_is_too_late(person: Person) -> None:
    store = store_of(person)
    begin(store, FIVE, "tournament-play", stages=2)
    for stage, joins in ((1, True), (2, False)):
        seat(store, 1, stage)
        assert ("Add somebody who came late" in person.open("/evening/1/")) == joins
        play_stage(store, 1, stage, lambda name, round: ord(name[0]) * round)
    person.send("/evening/1/people", people="Fay, woman")
    assert person.notices()[0] == "The last set is announced already, so nobody can join any more."
    begin(store, ("Aa & Ao", "Ba & Bo", "Ca & Co", "Da & Do"))
    seat(store, 2, 1)
    assert "Add a team that came late" in person.open("/evening/2/")
    play_stage(store, 2, 1, best_first)
    seat(store, 2, 2)
    assert "Add a team that came late" not in person.open("/evening/2/")


def test_winners_of_the_highest_table_go_on_to_the_first(person: Person) -> None:
    store = store_of(person)
    begin(store, tuple(f"{name}{at}, man" for name in "AB" for at in range(4)), "tournament-play")
    seat(store, 1, 1)
    play_stage(store, 1, 1, lambda name, round: ord(name[0]) * 10 + int(name[1]))
    person.open("/evening/1/")
    press(person, "/evening/1/2/draw")
    assert "won at table 2, the highest, and moved on to table 1" in person.text
    assert "won at table 1 and moved up" in person.text


def test_a_tap_on_a_name_brings_the_group_of_last_time(person: Person) -> None:
    store = store_of(person)
    begin(store, FIVE[:4], "tournament-play", stages=1)
    seat(store, 1, 1)
    play_stage(store, 1, 1, lambda name, round: ord(name[0]) * round)
    person.open("/evenings/new?how=tournament-play")
    groups = dict(re.findall(r'value="(\w+)" data-group="(\w*)"', person.page))
    assert groups == {"Ann": "woman", "Bo": "man", "Cy": "man", "Di": "woman"}


def test_an_evening_of_its_own_way_asks_for_teams_or_people(person: Person) -> None:
    person.open("/evenings/new?how=own")
    assert "Teams, one a line" in person.text and "People, one a line" in person.text
    press(person, "/evenings/new", how="own", format="moving-partners", groups="", people="Ann\nBo\nCy\nDi", stages="1")
    assert person.status == 200 and "4 people" in person.text and "Next: draw set 1" in person.text


def test_an_evening_without_names_says_to_type_them_first(person: Person) -> None:
    person.open("/evenings/new")
    press(person, "/evenings/new", name="Saturday")
    assert "Next: type in who plays." in person.notices()[0] and "Next: draw the tables." not in person.text
