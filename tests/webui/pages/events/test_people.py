"""Who takes part in an evening: typed wrong and taken off, not here, come late, too late, groups, prizes or none."""

from __future__ import annotations

import contextlib
import re

import pytest

from tests.webui.helpers.evenings import SIXTEEN, begin, evening, play_stage, seat
from tests.webui.helpers.playing import Person
from tests.webui.pages.events.test_coordinator import announce, best_first, press, set_up, store_of
from webui.events.ranking import RefusedError
from webui.events.steps import actions, draws, hall

FIVE = ("Ann, woman", "Bo, man", "Cy, man", "Di, woman", "Eve, woman")


def test_who_was_typed_wrong_is_taken_off_and_was_never_there(person: Person) -> None:
    set_up(person, 4)
    press(person, "/evening/1/people", people="Xnn & Yo")
    assert "Take off" in person.text and "Going home" not in person.text
    person.send("/evening/1/leave", name="Xnn & Yo")
    assert "4 teams taking part" in person.text and "Last: Taken off the list: Xnn & Yo. Undo" in person.text
    announce(person, 1)
    assert "Going home" in person.text and "Take off" not in person.text
    assert "Xnn" not in person.open("/evening/1/results/")
    play_stage(store_of(person), 1, 1, best_first)
    for path in ("results/", "results/screen", "score-cards", "results/standings.csv", ""):
        assert "Xnn" not in person.open(f"/evening/1/{path}") and person.status == 200, path
    assert person.open("/evening/1/history") and "Taken off the list: Xnn & Yo." in person.text


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


PASTED = "No.,Player 1,Player 2\n1,Ann,Bo\n2,Cy,Di\n3,ann,Eva"


def test_a_pasted_list_is_shown_as_it_is_understood_before_anything_is_stored(person: Person) -> None:
    store = store_of(person)
    person.open("/evenings/new")
    new = {"name": "Friday", "how": "own", "stages": "2", "cut": "all", "prizes": "cake", "people": PASTED}
    person.send("/evenings/new", **new)
    assert "3 teams: is this right?" in person.text and "“No.,Player 1,Player 2”" in person.text
    assert "ann is in several teams: Ann & Bo and ann & Eva. Nobody can play at two tables at once." in person.text
    assert store.events.all() == [] and 'value="Friday"' in person.page and 'value="cake"' in person.page
    seen = {"understood": re.findall(r'name="understood" value="(\w+)"', person.page)[0]}
    person.send("/evenings/new", **new, **seen)
    assert "is this right?" in person.text and store.events.all() == [], "not said to be two people"
    changed = {**new, "people": PASTED.replace("ann", "Annie")}
    person.send("/evenings/new", **changed, **seen)
    assert "is this right?" in person.text and "several teams" not in person.text, "another list than was seen"
    seen = {"understood": re.findall(r'name="understood" value="(\w+)"', person.page)[0]}
    person.send("/evenings/new", **changed, **seen)
    assert list(evening(store, 1).entrants) == ["Ann & Bo", "Cy & Di", "Annie & Eva"] and "3 teams" in person.text


def test_a_whole_list_pasted_again_offers_the_new_team(person: Person) -> None:
    set_up(person, 4)
    person.send("/evening/1/people", people="Aa & Ao\nBo & Ba\n3. Zoe & Max")
    assert person.status == 200 and "1 team: is this right?" in person.text
    assert "2 others take part already and stay: Aa & Ao and Ba & Bo." in person.text
    press(person, "/evening/1/people", people="Aa & Ao\nBo & Ba\n3. Zoe & Max")
    assert len(evening(store_of(person), 1).present) == 5
    assert "Zoe & Max takes part already." in (person.send("/evening/1/people", people="Zoe & Max") and person.text)
    assert person.status == 400 and "Zoe &amp; Max</textarea>" in person.page, "what was typed stays"


def test_a_list_that_somebody_else_has_entered_meanwhile_is_not_entered_twice(person: Person) -> None:
    store = store_of(person)
    set_up(person, 4)
    fields = {"people": "Gus and Hal\nIda and Jo"}
    person.send("/evening/1/people", **fields)
    seen = re.findall(r'name="understood" value="(\w+)"', person.page)[0]
    actions.enter(store, 1, "Ida & Jo")
    person.send("/evening/1/people", **fields, understood=seen)
    assert "1 team: is this right?" in person.text and len(evening(store, 1).present) == 5
    with pytest.raises(RefusedError, match="Someone added teams or people meanwhile"):
        actions.enter(store, 1, fields["people"], seen)


def test_an_evening_is_made_with_its_people_or_not_at_all(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_args: object) -> None:
        raise OSError("the power went")

    monkeypatch.setattr("webui.storage.events.event_store._record", killed)
    person.open("/evenings/new")
    with contextlib.suppress(OSError):
        press(person, "/evenings/new", people="Ann & Bo")
    assert store_of(person).events.all() == []


def test_one_list_renames_and_substitutes_for_every_page(person: Person) -> None:
    set_up(person, 4)
    announce(person, 1)
    table = evening(store_of(person), 1).table_of("Aa & Ao", 1)
    assert "Change the names" in person.open(f"/evening/1/table/{table}/")
    assert person.open("/game/1/names") and person.path == "/evening/1/"
    person.open("/evening/1/roster/?name=Aa+%26+Ao")
    person.send("/evening/1/roster/rename", name="Aa & Ao", player=["Anna", "Ao"], to="")
    assert "The names are saved." in person.text and "Aa & Ao is called Anna & Ao." in person.text
    person.open("/evening/1/roster/?name=Anna+%26+Ao")
    zoe = {"player": "Ao", "by": "Zoe", "stage": "1", "round": "2", "counts": "substitute"}
    person.send("/evening/1/roster/substitute", name="Anna & Ao", **zoe)
    assert "Zoe plays for Ao from game 1, round 2 on." in person.text
    for path in ("", "results/", f"table/{table}/", "score-cards", "1/draw"):
        assert "Anna" in person.open(f"/evening/1/{path}") and "Aa &amp; Ao" not in person.page, path
    assert "Zoe" in person.open(f"/evening/1/table/{table}/")
    person.send("/evening/1/roster/rename", name="Anna & Ao", player=["Anna"], to="")
    assert "A team has two players. Type both names." in person.text
    assert person.client.get("/evening/1/roster/?name=Nobody").status_code == 404


def test_who_came_back_plays_on(person: Person) -> None:
    set_up(person, 4)
    announce(person, 1)
    person.send("/evening/1/leave", name="Aa & Ao")
    assert "Came back" in person.text
    person.send("/evening/1/roster/back", name="Aa & Ao")
    assert "Aa & Ao" in evening(store_of(person), 1).present and "Entered: Aa & Ao." in person.text


def test_each_team_that_one_form_added_is_named(person: Person) -> None:
    set_up(person, 2)
    assert "Last: 2 teams were added: Aa & Ao and Ba & Bo. Undo" in person.text
    press(person, "/evening/1/people", people="\n".join(SIXTEEN[2:5]))
    assert "Last: 3 teams were added: Ca & Co, Da & Do and Ea & Eo. Undo" in person.text
    press(person, "/evening/1/people", people=SIXTEEN[5])
    assert "Last: Entered: Fa & Fo. Undo" in person.text
    press(person, "/evening/1/undo")
    assert person.notices()[0] == "Taken back: Entered: Fa & Fo."
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


def test_an_evening_without_anybody_has_nothing_to_take_back(person: Person) -> None:
    person.open("/evenings/new")
    press(person, "/evenings/new", name="Saturday")
    assert person.status == 200 and "First type in who plays, below." in person.text and "Undo" not in person.text
    press(person, "/evening/1/people", people=SIXTEEN[0])
    press(person, "/evening/1/undo")
    assert person.status == 200 and person.notices()[0] == "Taken back: Entered: Aa & Ao."
    assert "Last:" not in person.text and not evening(store_of(person), 1).entrants


def test_who_is_not_here_is_said_before_the_first_draw(person: Person) -> None:
    set_up(person, 4)
    assert "Nobody has been checked in yet, so everyone on the list gets a place." in person.text
    hall.check_in(store_of(person), 1, SIXTEEN[0], True)
    for page in ("before the draw", "at the draft"):
        person.open("/evening/1/")
        assert f"Not here: {', '.join(SIXTEEN[1:3])} and {SIXTEEN[3]}." in person.text, page
        draws.draw(store_of(person), 1, 1)
    seat(store_of(person), 1, 1)
    assert "Not here:" not in person.open("/evening/1/")


def test_an_evening_may_have_no_prizes(person: Person) -> None:
    person.open("/evenings/new")
    press(person, "/evenings/new", people="\n".join(SIXTEEN[:4]), prizes=" ", stages="1")
    seat(store_of(person), 1, 1)
    play_stage(store_of(person), 1, 1, best_first)
    person.open("/evening/1/")
    assert "Every table is done" in person.text and "prizes" not in person.text and "winners" not in person.text
    press(person, "/evening/1/state", state="finished")
    assert "The evening is over" in person.text
    for path in ("/evening/1/results/", "/evening/1/results/screen", "/league/"):
        person.open(path)
        assert person.status == 200 and "winners" not in person.text
