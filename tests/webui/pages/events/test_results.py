"""The results of an evening for everybody, and as files."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest
from flask import Flask

from tests.webui.access.test_access_code import PHONE, on_the_network
from tests.webui.helpers.evenings import SIXTEEN, begin, evening, play_stage, seat
from tests.webui.helpers.playing import Person
from tests.webui.pages.events.test_coordinator import best_first
from tests.webui.pages.events.test_tables import at_table, status
from webui.context import invitation
from webui.context.services import services_of


@pytest.fixture
def app(make_app: Callable[[], Flask], monkeypatch: pytest.MonkeyPatch) -> Flask:
    """The page on the network, with an evening of five teams, game 1 played."""
    monkeypatch.setattr(invitation, "network_address", lambda: "192.168.1.20")
    app = make_app()
    on_the_network(app)
    store = services_of(app).store
    event_id = begin(store, ("=1+1 & Bo", *SIXTEEN[1:5]), cut="all")
    seat(store, event_id, 1)
    play_stage(store, event_id, 1, best_first)
    return app


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


def test_others_on_the_network_see_the_results_where_that_is_allowed_and_no_more(app: Flask) -> None:
    stranger = Person(app, PHONE)
    stranger.open("/evening/1/results/")
    assert stranger.path == "/enter"
    services_of(app).access_code.set_open_to_viewers(True)
    stranger.open("/evening/1/results/")
    assert stranger.status == 200 and "Standings" in stranger.text and "Save as" not in stranger.text
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
    assert status(phone, "GET", "/evening/1/results/") == 403
    assert status(phone, "GET", "/evening/1/results/results.json") == 403
