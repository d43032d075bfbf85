"""A club evening on the page of who runs it, from names to medals."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from tests.webui.access.test_access_code import let_in
from tests.webui.helpers.evenings import SIXTEEN, begin, evening, play_stage, played, score_round, seat
from tests.webui.helpers.playing import Person
from webui.context.guard.rights import Right, right_of
from webui.context.services import services_of
from webui.storage.store import Store


def store_of(person: Person) -> Store:
    return services_of(person.client.application).store


def press(person: Person, action: str, **fields: str) -> str:
    """Presses the button of the form with that action on the open page, with its hidden fields.

    Where a list of teams or people is shown as it is understood, it says that this is right.
    """
    form = re.search(rf'<form[^>]*action="({action})"[^>]*>(.*?)</form>', person.page, re.DOTALL)
    assert form, f"no form {action} on {person.path}"
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[2]))
    person.send(form[1], **{**hidden, **fields})
    if "people" in fields and (shown := re.search(r'name="understood" value="(\w+)"', person.page)):
        person.send(form[1], **{**hidden, **fields, "understood": shown[1]})
    return person.page


def set_up(person: Person, teams: int = 16) -> None:
    """An evening of so many teams; ends on its page."""
    person.open("/evenings/new")
    press(person, "/evenings/new", people="\n".join(SIXTEEN[:teams]), name="Saturday")


def announce(person: Person, stage: int) -> None:
    press(person, f"/evening/1/{stage}/draw", seed="7")
    press(person, f"/evening/1/{stage}/confirm")
    press(person, f"/evening/1/{stage}/release")


def best_first(name: str, round: int) -> int:
    return 1000 - 10 * (ord(name[0]) - ord("A")) + round


def test_sixteen_teams_from_the_first_page_to_medals(person: Person) -> None:
    assert 'href="/evenings/"' in person.open("/")
    person.open("/evenings/")
    assert "There has been no club evening yet." in person.text
    set_up(person)
    assert person.path == "/evening/1/" and "16 teams" in person.text and "Next: draw game 1" in person.text
    press(person, "/evening/1/1/draw", seed="4711")
    assert "Drawn with the number 4711 ." in person.text and person.text.count("Drawn by lot.") == 8
    assert "Nobody else has been told yet." in person.text and store_of(person).event_games(1) == []
    press(person, "/evening/1/1/confirm")
    press(person, "/evening/1/1/release")
    assert person.text.count("They have not confirmed their names yet.") == 8
    play_stage(store_of(person), 1, 1, best_first)
    person.open("/evening/1/")
    assert person.text.count("All rounds are agreed.") == 8 and "Next: draw game 2" in person.text
    announce(person, 2)
    assert "Table 4" in person.text and "Table 5" not in person.text
    play_stage(store_of(person), 1, 2, best_first)
    person.open("/evening/1/")
    assert "gold : Aa & Ao, 8,020" in person.text and "bronze : Ca & Co" in person.text
    press(person, "/evening/1/state", state="finished")
    assert "finished" in person.open("/evenings/")


def test_two_change_places_by_hand_and_the_page_says_so(person: Person) -> None:
    set_up(person, 4)
    press(person, "/evening/1/1/draw", seed="1")
    before = evening(store_of(person), 1).stage(1).tables
    press(person, "/evening/1/1/swap", one=before[0][0][0], two=before[1][1][0])
    assert person.text.count("Changed by hand.") == 2
    assert evening(store_of(person), 1).stage(1).tables[0][0] == before[1][1]
    assert "changed places in game 1 by hand." in person.text
    press(person, "/evening/1/undo")
    assert evening(store_of(person), 1).stage(1).tables == before
    person.open("/evening/1/history")
    assert "Taken back: " in person.text and "taken back" in person.text


def test_a_correction_after_the_cut_is_told(person: Person) -> None:
    set_up(person, 4)
    announce(person, 1)
    play_stage(store_of(person), 1, 1, best_first)
    person.open("/evening/1/")
    announce(person, 2)
    table = evening(store_of(person), 1).table_of("Da & Do", 1)
    assert table is not None
    sides = evening(store_of(person), 1).stage(1).released[table - 1]
    one, two = (9999 if side[0] == "Da & Do" else 1 for side in sides)
    score_round(store_of(person), 1, 1, table, 2, (one, two))
    person.open("/evening/1/")
    assert "By the corrected scores Da & Do would play game 2. It stays as played." in person.text
    assert f"Game 1, table {table}, round 2" in person.text and "Da & Do from 972 to 9,999" in person.text
    assert set(evening(store_of(person), 1).stage(2).names) == set(SIXTEEN[:2])
    assert played(store_of(person), 1).standings()[0].name == "Da & Do"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"people": "Ann & Bo\nAnn & Bo"}, "Line 2: Ann & Bo is listed twice"),
        ({"stages": "0"}, "Choose from 1 to 20 games."),
        ({"stages": "x"}, "Choose from 1 to 20 games."),
        ({"prizes": ",".join("abcdefghijk")}, "room for 10 prizes"),
        ({"prizes": "gold, Gold"}, "“Gold” is there twice."),
        ({"cut": "number", "cut_number": "3"}, "an even number, 2 or more"),
        ({"rules": "trinasta"}, "Choose other house rules"),
        ({"rules": "../secret"}, "are missing here"),
    ],
)
def test_what_cannot_be_played_is_said_and_what_was_typed_stays(
    person: Person, fields: dict[str, str], sentence: str
) -> None:
    person.open("/evenings/new")
    press(person, "/evenings/new", **{"name": "Saturday", **fields})
    assert person.status == 400 and sentence in person.text and 'value="Saturday"' in person.page
    assert store_of(person).events.all() == []


def test_the_same_form_sent_twice_sets_up_one_evening(person: Person) -> None:
    person.open("/evenings/new")
    shown = person.page
    press(person, "/evenings/new")
    person.page = shown
    press(person, "/evenings/new")
    assert len(store_of(person).events.all()) == 1


def test_an_own_evening_with_another_cut(person: Person) -> None:
    person.open("/evenings/new?how=own")
    press(
        person,
        "/evenings/new",
        stages="3",
        cut="number",
        cut_number="4",
        prizes="cake, flowers",
        people="\n".join(SIXTEEN[:6]),
    )
    setup = evening(store_of(person), 1).record.setup
    assert (setup.stages, setup.cut, setup.prizes) == (3, 4, ("cake", "flowers"))
    announce(person, 1)
    play_stage(store_of(person), 1, 1, best_first)
    person.open("/evening/1/")
    announce(person, 2)
    assert set(evening(store_of(person), 1).stage(2).names) == set(SIXTEEN[:4])


def test_a_removed_evening_is_off_the_list_and_comes_back(person: Person) -> None:
    set_up(person, 4)
    press(person, "/evening/1/state", state="removed")
    assert "Removed evenings" in person.open("/evenings/")
    person.open("/evening/1/")
    press(person, "/evening/1/state", state="")
    assert "Removed evenings" not in person.open("/evenings/")


def test_a_state_that_there_is_not_changes_nothing(person: Person) -> None:
    set_up(person, 4)
    for state in ("finished", "removed"):
        press(person, "/evening/1/state", state=state)
        for unknown in ({"state": "over"}, {"state": "None"}, {}):
            person.send("/evening/1/state", **unknown)
            assert person.status == 400
        person.open("/evening/1/")
        assert evening(store_of(person), 1).state == state


def test_games_of_tables_are_not_among_the_games_of_the_house(person: Person) -> None:
    set_up(person, 4)
    announce(person, 1)
    person.open("/")
    assert "Continue" not in person.text and "/game/1/" not in person.page
    assert "Club evening: Saturday" in person.text


def test_who_only_plays_may_look_and_change_nothing(lan_app: Flask) -> None:
    owner = Person(lan_app)
    set_up(owner, 4)
    phone = let_in(lan_app)
    phone.open("/evening/1/")
    assert phone.status == 200 and "Draw game 1" not in phone.text and "Going home" not in phone.text
    for name in ("people", "leave", "1/draw", "1/swap", "1/confirm", "1/release", "2/cut", "order", "break", "state"):
        phone.send(f"/evening/1/{name}")
        assert phone.status == 403, name
    phone.open("/evenings/new")
    assert phone.status == 403
    rules = {rule.endpoint: rule.methods or set() for rule in lan_app.url_map.iter_rules()}
    changing = {name for name, methods in rules.items() if name.startswith("evening") and "POST" in methods}
    assert all(right_of(name, lan_app) is Right.KEEPER for name in changing), (
        "every change to an evening needs that right"
    )


def test_pages_ask_now_and_then_whether_anything_changed(person: Person) -> None:
    set_up(person, 4)
    before = person.client.get("/evening/1/version").json
    announce(person, 1)
    assert before and (person.client.get("/evening/1/version").json or {})["version"] > before["version"]
    assert 'data-live="/evening/1/version"' in person.page


@pytest.mark.parametrize("path", ["/evening/7/", "/evening/7/history"])
def test_an_unknown_evening_is_said(person: Person, path: str) -> None:
    person.open(path)
    assert person.status == 404 and "That club evening does not exist." in person.text


PEOPLE = "\n".join(f"P{n:02}, {'woman' if n % 2 else 'man'}" for n in range(10))


def test_tournament_play_from_names_to_the_highest_man_and_woman(person: Person) -> None:
    person.open("/evenings/new?how=tournament-play")
    press(person, "/evenings/new", people=PEOPLE, stages="2")
    assert "10 people, 2 sets" in person.text
    press(person, "/evening/1/1/draw", seed="5")
    assert person.text.count("sits out") == 2 and "That gives the average of each hand." in person.text
    press(person, "/evening/1/1/confirm")
    press(person, "/evening/1/1/release")
    play_stage(store_of(person), 1, 1, lambda *_: 100)
    person.open("/evening/1/")
    assert "Table 1: set 1 is a tie. Say who won and moves up." in person.text
    assert "First decide what is asked above." in person.text
    press(person, "/evening/1/1/table/1/winner", side="0")
    press(person, "/evening/1/1/table/2/winner", side="1")
    press(person, "/evening/1/2/draw", seed="6")
    assert "won at table 1 and moved up" in person.text and "came in" in person.text
    press(person, "/evening/1/2/confirm")
    press(person, "/evening/1/2/release")
    points = iter(range(1000, 9000, 37))
    play_stage(store_of(person), 1, 2, lambda *_: next(points))
    person.open("/evening/1/")
    while "Put them in order." in person.text:
        names = re.findall(r"<option selected>(P\d\d)</option>", person.page)
        form = re.search(r'name="count" value="(\d+)"', person.page)
        assert form
        person.send(
            "/evening/1/order", count=form[1], **{f"place{at}": name for at, name in enumerate(names[: int(form[1])])}
        )
    assert "highest man : P" in person.text and "highest woman : P" in person.text


def test_an_own_evening_of_partners_who_change(person: Person) -> None:
    person.open("/evenings/new?how=own")
    press(person, "/evenings/new", format="moving-partners", groups="", stages="2", people="Ann\nBo\nCy\nDi\nEva")
    setup = evening(store_of(person), 1).record.setup
    assert (setup.format, setup.groups) == ("moving-partners", ())
    announce(person, 1)
    now = evening(store_of(person), 1)
    assert len(now.stage(1).tables) == 1 and len(now.stage(1).out) == 1 and now.rounds == 4
    points = iter(range(1000, 9000, 37))
    play_stage(store_of(person), 1, 1, lambda *_: next(points))
    person.open("/evening/1/")
    announce(person, 2)
    assert set(evening(store_of(person), 1).stage(2).out) != set(now.stage(1).out)


def test_the_camera_page_offers_no_table_of_an_evening_but_that_whose_page_led_there(person: Person) -> None:
    store = store_of(person)
    seat(store, begin(store, SIXTEEN[:8]), 1)
    game = evening(store, 1).games[1, 2].id
    store.rounds.begin(game, 1)
    person.open("/camera/")
    assert "Whose cards?" in person.page and f"game={game}" not in person.page
    person.open(f"/camera/?game={game}&round=1&side=0")
    assert f"game={game}" in person.page


def test_an_evening_whose_rules_are_gone_is_named_in_the_list(person: Person) -> None:
    set_up(person)
    setup = evening(store_of(person), 1).record.setup
    store_of(person).events.add("Old Friday", "grandmas-rules", setup)
    page = person.open("/evenings/")
    assert "Saturday" in page and "Old Friday" in page
    assert "its house rules are missing, so it cannot be shown. Put them back under House rules." in person.text
    answer = person.client.get("/evening/2/")
    assert answer.status_code == 409 and "are missing here" in answer.text


def test_a_newcomer_finds_the_evening_the_cards_and_who_plays_on(person: Person) -> None:
    assert "/evenings/" in person.open("/"), "in the menu"
    person.open("/evenings/")
    press(person, "/evenings/rehearsal")
    assert person.path == "/evening/1/" and "This is how an evening looks at its end." in person.text
    press(person, "/evening/1/delete")
    set_up(person, 8)
    event = int(person.path.split("/")[2])
    assert "print the cards for the tables" not in person.text
    for one in ("draw", "confirm", "release"):
        press(person, f"/evening/{event}/1/{one}")
    assert "print the cards for the tables" in person.text
    assert "Standings" not in person.text, "nothing is agreed yet, and all would be tied"
    assert 'value="Aa"' not in person.page, "who takes part already is not offered once more"
    play_stage(store_of(person), event, 1, best_first)
    person.open(f"/evening/{event}/")
    assert "On to game 2: Aa & Ao, Ba & Bo, Ca & Co and Da & Do" in person.text and "Standings" in person.text
    assert "print the cards for the tables" not in person.text
    assert 'href="/league/"' in person.open("/evenings/")
