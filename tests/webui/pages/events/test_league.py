"""The league on the page: shown, printed, saved; and people who are in the list twice."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest
from flask import Flask

from tests.webui.access.test_access_code import PHONE, let_in
from tests.webui.helpers.evenings import begin, play_stage, seat
from tests.webui.helpers.networks import on_the_network
from tests.webui.helpers.playing import Person
from tests.webui.pages.events.test_coordinator import press
from tests.webui.pages.games.test_players import rows
from webui.context.services import services_of
from webui.events.steps import actions

TEAMS = ("Ann & Bo", "Cy & Di", "Ed & Flo", "Gus & Hal")


@pytest.fixture
def app(make_app: Callable[[], Flask]) -> Flask:
    """Two evenings; in the second one Ann is written Anne."""
    app = make_app()
    on_the_network(app)
    store = services_of(app).store
    for names in (TEAMS, ("Anne & Bo", *TEAMS[1:])):
        event_id = begin(store, names)
        for stage in (1, 2):
            seat(store, event_id, stage)
            play_stage(store, event_id, stage, lambda name, _: 1000 - 100 * "ACEG".index(name[0]))
        actions.set_state(store, event_id, "finished")
    return app


def test_the_league_is_shown_sorted_and_saved(app: Flask) -> None:
    person = Person(app)
    assert 'href="/league/"' in person.open("/players/")
    person.open("/league/")
    assert "2 club evenings." in person.text and "Menu" in person.text
    shown = rows(person)
    assert shown["1. Bo"] == ["16,000", "2", "8,000", "1,000", "4 of 4", "gold ×2"]
    assert list(shown)[1:3] == ["2. Cy", "2. Di"] and shown["4. Ann"][-1] == "gold"
    person.open("/league/?by=prizes")
    assert list(rows(person)) == ["1. Bo", "1. Cy", "1. Di", *list(rows(person))[3:]]
    lines = list(csv.DictReader(io.StringIO(person.open("/league/league.csv").lstrip("\ufeff"))))
    data = person.client.get("/league/league.json").json
    assert data is not None and [line["player"] for line in lines] == [one["name"] for one in data[0]["people"]]
    assert lines[0]["points"] == "16000" and lines[0]["partners"] == "Ann (2); Anne (2)"
    assert [one["place"] for one in data[0]["people"][0]["evenings"]] == [1, 1]
    assert "No club evenings that started" in person.open("/league/?until=2001-01-01")
    assert person.client.get("/league/?since=soon").status_code == 400


def test_a_person_written_twice_is_counted_together_and_that_is_taken_back(app: Flask) -> None:
    person = Person(app)
    person.open("/players/person?name=Ann")
    assert "Club evenings, Golden Games doubles" in person.text and "place 1, gold" in person.text
    press(person, "/players/same", written="Anne")
    assert "Anne counts as Ann from now on." in person.text and person.path == "/players/person"
    assert rows(person)["Bo"][0] == "4", "tables with Bo"
    person.open("/players/person?name=Anne")
    assert "<h1><bdi>Ann</bdi></h1>" in person.page
    person.open("/league/")
    assert rows(person)["1. Ann"] == rows(person)["1. Bo"] and not [name for name in rows(person) if "Anne" in name]
    person.open("/players/")
    assert "1. Ann" in rows(person) and "16,000" in rows(person)["1. Ann"]
    person.open("/players/person?name=Ann")
    press(person, "/players/two")
    assert "Anne counts separately again." in person.text
    person.open("/league/")
    assert {"4. Ann", "4. Anne"} <= set(rows(person))
    person.open("/players/person?name=Ann")
    press(person, "/players/same", written="Ann")
    assert "Choose two different names." in person.text


def test_only_who_looks_after_everything_says_who_is_the_same(app: Flask) -> None:
    phone = let_in(app, PHONE)
    phone.open("/players/person?name=Ann")
    assert phone.status == 200 and "Count them together" not in phone.text
    assert phone.client.post("/players/same", data={"written": "Anne", "name": "Ann"}).status_code == 403
    assert services_of(app).store.people.other_names() == []
    stranger = Person(app, "192.168.1.77")
    services_of(app).access_code.set_open_to_viewers(True)
    assert "2 club evenings." in stranger.open("/league/") and "Save as" not in stranger.text
    assert stranger.client.get("/league/league.csv").status_code == 303
