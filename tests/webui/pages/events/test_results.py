"""The results of an evening for everybody, and as files."""

from __future__ import annotations

import csv
import html
import io
import re
from urllib.parse import quote, urlencode

import pytest
from flask import Flask

from tests.webui.access.test_access_code import PHONE
from tests.webui.access.test_rights import ask
from tests.webui.helpers.evenings import SIXTEEN, begin, evening, play_stage, played, seat
from tests.webui.helpers.playing import Person
from tests.webui.pages.events.test_coordinator import best_first
from tests.webui.pages.events.test_tables import at_table
from webui.context.services import services_of
from webui.events.steps import actions


@pytest.fixture
def app(lan_app: Flask) -> Flask:
    """The page on the network, with an evening of five teams, game 1 played."""
    store = services_of(lan_app).store
    event_id = begin(store, ("=1+1 & Bo", *SIXTEEN[1:5]), cut="all")
    seat(store, event_id, 1)
    play_stage(store, event_id, 1, best_first)
    return lan_app


def test_the_results_are_shown_saved_and_lead_to_one_sum(app: Flask) -> None:
    owner, store = Person(app), services_of(app).store
    owner.open("/evening/1/results/")
    (rests,) = evening(store, 1).stage(1).released_out
    assert f"Sitting out {rests}" in owner.text and "average" in owner.text and "The winners" not in owner.text
    rows = list(csv.DictReader(io.StringIO(owner.open("/evening/1/results/standings.csv").lstrip("\ufeff"))))
    data = owner.client.get("/evening/1/results/evening.json").json
    assert data is not None
    assert [int(row["total"]) for row in rows] == [row["total"] for row in data["standings"]]
    assert [row["name"].lstrip("'") for row in rows] == [row["name"] for row in data["standings"]]
    assert "'=1+1 & Bo" in {row["name"] for row in rows}, "a name is no formula"
    (sat_out,) = (row for row in rows if row["game 1 table"] == "sat out")
    assert sat_out["name"].lstrip("'") == rests
    for table in data["stages"][0]["tables"]:
        for at, (name,) in enumerate(table["sides"]):
            total = sum(points[at] for points in table["rounds"].values())
            assert {"name": name, "total": total}.items() <= next(
                row for row in data["standings"] if row["name"] == name
            ).items()


def saved(owner: Person, what: str) -> list[dict[str, str]]:
    """A file of the evening as lines; its data are the same."""
    lines = list(csv.DictReader(io.StringIO(owner.open(f"/evening/1/results/{what}.csv").lstrip("\ufeff"))))
    data = owner.client.get(f"/evening/1/results/{what}.json").json
    assert data is not None and [list(one) for one in data] == [list(line) for line in lines]
    for line, told in zip(lines, data, strict=True):
        assert {key: of.lstrip("'") for key, of in line.items()} == {
            key: "" if of is None else str(of) for key, of in told.items()
        }
    return lines


def test_draw_cards_standings_and_every_round_are_saved_as_tables_and_as_data(app: Flask) -> None:
    owner, now = Person(app), evening(services_of(app).store, 1)
    (rests,) = now.stage(1).released_out
    draw = saved(owner, "draw")
    assert [line["table"] for line in draw] == ["1", "2", "sits out"] and draw[2]["side 1"].lstrip("'") == rests
    assert {line["number of the draw"] for line in draw} == {"1"} and draw[0]["why"] == "Drawn by lot."
    rounds = saved(owner, "results")
    assert len(rounds) == 2 * 4
    cards = saved(owner, "score-cards")
    assert len(cards) == 5 * 2 and {line["note"] for line in cards if line["game"] == "2"} == {"not announced"}
    sums = {line["name"]: line["game 1"] for line in saved(owner, "standings")}
    for line in cards:
        if line["game"] == "1":
            assert line["points"] == sums[line["name"]]
            theirs = [one for one in rounds if line["name"] in (one["side 1"], one["side 2"])]
            of = [one["points 1" if one["side 1"] == line["name"] else "points 2"] for one in theirs]
            assert [line[f"round {number}"] for number in range(1, 5)] == (of or [""] * 4)
    assert owner.client.get("/evening/1/results/people.csv").status_code == 404


def test_a_card_says_where_its_team_goes_and_what_it_has(app: Flask) -> None:
    store, owner = services_of(app).store, Person(app)
    now = evening(store, 1)
    (rests,) = now.stage(1).released_out

    def card(name: str) -> str:
        return owner.open(f"/evening/1/results/card?{urlencode({'name': name})}") and owner.text

    plays = now.stage(1).released[0][0][0]
    assert f"{plays}: please wait until the tables of game 2 are announced." in card(plays)
    assert "Sits out, and gets the average of each round. Total with average" in card(rests)
    actions.enter(store, 1, "Late & Later")
    assert "you get a place as soon as there is a team to play against." in card("late & later")
    assert owner.open("/evening/1/results/card") and "Late & Later" in owner.text, "the phone remembers the last name"
    actions.leave(store, 1, "Late & Later")
    assert "Nobody of that name takes part." in card("Late & Later"), "they never had a place"
    seat(store, 1, 2)
    for (name,) in (side for sides in evening(store, 1).stage(2).released for side in sides):
        assert f"{name}: go to table {evening(store, 1).table_of(name, 2)} for game 2." in card(name)
    play_stage(store, 1, 2, best_first)
    winner = played(store, 1).prizes()[0].names[0]
    assert "You won: gold" in card(winner) and "nothing more is played. Thank you for playing." in owner.text
    card("Nobody")
    assert owner.path == "/evening/1/results/" and "Nobody of that name takes part." in owner.text
    assert "Show my card" not in owner.text
    owner.open("/evening/1/results/card?name=")
    assert "Show my card" in owner.text, "forgotten"


def test_the_screen_reads_what_everybody_should_hear(app: Flask) -> None:
    store, owner = services_of(app).store, Person(app)

    def news() -> str:
        found = re.search(r'id="news" data-say="\d+"[^>]*>(.*?)</p>', owner.open("/evening/1/results/screen"))
        return html.unescape(found[1]) if found else ""

    assert news().startswith("The tables of game 1 are announced. Table 1: ") and "Sitting out: " in news()
    actions.take_break(store, 1, 60)
    assert news().startswith("There is a break until ")
    actions.take_break(store, 1, 0)
    assert news() == "The break is over."
    seat(store, 1, 2)
    owner.open("/evening/1/")
    assert "The winners" not in owner.text, "of a game that is still played"
    play_stage(store, 1, 2, best_first)
    owner.open("/evening/1/")
    assert "The winners" in owner.text
    assert news().startswith("The winners. gold: ")
    big = begin(store, tuple(f"T{at}" for at in range(30)))
    seat(store, big, 1)
    assert "Please look for your name on the screen." in owner.open(f"/evening/{big}/results/screen")


def test_the_screen_shows_a_code_for_the_cards_where_others_may_look(app: Flask) -> None:
    owner = Person(app)
    assert "Your own score card" not in owner.open("/evening/1/results/screen")
    services_of(app).access_code.set_open_to_viewers(True)
    owner.open("/evening/1/results/screen")
    assert "Your own score card" in owner.text and "http://192.168.1.20/evening/1/results/" in owner.text


def test_others_on_the_network_see_the_results_where_that_is_allowed_and_no_more(app: Flask) -> None:
    stranger = Person(app, PHONE)
    stranger.open("/evening/1/results/")
    assert stranger.path == "/enter"
    services_of(app).access_code.set_open_to_viewers(True)
    stranger.open("/evening/1/results/")
    assert stranger.status == 200 and "Standings" in stranger.text and "Save as" not in stranger.text
    name = quote(evening(services_of(app).store, 1).present[1])
    for path in ("/evening/1/results/screen", f"/evening/1/results/card?name={name}"):
        assert stranger.client.get(path).status_code == 200
    for path in (
        "/evening/1/",
        "/evening/1/results/results.csv",
        "/evening/1/score-cards",
        "/evening/1/table/1/",
        "/evenings/",
    ):
        assert stranger.client.get(path).status_code == 303, path


def test_a_device_of_a_table_sees_no_results(app: Flask) -> None:
    phone = at_table(app, 1)
    for page in ("", "screen", "card?name=Aa"):
        assert ask(phone, "GET", f"/evening/1/results/{page}")[0] == 403
    assert ask(phone, "GET", "/evening/1/results/results.json")[0] == 403
