"""The device of a table: it scores the game that is played there, and can do nothing else of the evening."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from tests.webui.access.test_access_code import let_in
from tests.webui.access.test_rights import ask
from tests.webui.helpers.drawn import NORTH_TABLE, photo
from tests.webui.helpers.evenings import SIXTEEN, begin, evening, play_stage, seat
from tests.webui.helpers.playing import Person
from tests.webui.pages.events.test_coordinator import best_first, press, store_of
from webui.context.services import services_of

PHONES = ("192.168.1.31", "192.168.1.32")


@pytest.fixture
def app(lan_app: Flask) -> Flask:
    """The page on the network, with an evening of eight teams at four tables, game 1 announced."""
    store = services_of(lan_app).store
    seat(store, begin(store, SIXTEEN[:8]), 1)
    return lan_app


def at_table(app: Flask, table: int, address: str = PHONES[0]) -> Person:
    """A phone that was pointed at the card of a table."""
    phone = Person(app, address)
    phone.open(f"/t/{services_of(app).store.events.key(1, table)}")
    assert phone.path == f"/evening/1/table/{table}/" and phone.status == 200
    return phone


def test_a_card_leads_to_its_table_whose_people_confirm_their_names(app: Flask) -> None:
    phone = at_table(app, 3)
    (one,), (two,) = evening(services_of(app).store, 1).stage(1).released[2]
    assert one in phone.text and two in phone.text and "Are these the people at this table?" in phone.text
    assert "Menu" not in phone.text and "Saturday" not in phone.text
    press(phone, "/evening/1/table/3/names")
    assert "Score this table" in phone.text and (1, 3) in evening(services_of(app).store, 1).names_said
    phone.open("/")
    assert phone.path == "/evening/1/table/3/", "the first page is that of the table"


def test_the_device_scores_its_game_with_photos_mending_and_agreement(app: Flask) -> None:
    phone, store = at_table(app, 2), services_of(app).store
    game = store.events.game_at(1, 2)
    phone.open(f"/game/{game}/")
    assert phone.status == 200 and "Table 2" in phone.text and "Change the house rules" not in phone.text
    press(phone, f"/game/{game}/round/1/begin")
    round_ = f"/game/{game}/round/1"
    phone.photo(f"{round_}/side/0", photo(NORTH_TABLE))
    assert phone.status == 200 and "Table camera" not in phone.text
    stored = store.game(game or 0)
    assert stored is not None
    (seen,) = stored.rounds[0].photos
    assert phone.client.get(f"/photo/{seen.id}/view.jpg").status_code == 200
    phone.send(f"{round_}/side/0/change", op="name", card=f"p{seen.id}c0", face="9S", seen="99999")
    assert phone.status == 200
    for side, total in ((0, "700"), (1, "55")):
        phone.send(f"{round_}/side/{side}/typed/points", way="total", total=total)
        assert phone.status == 200
    for side in (0, 1):
        phone.agree(round_, side)
        if side == 0:
            owner = Person(app)
            owner.open("/evening/1/")
            assert "to agree to round 1." in owner.text and evening(store, 1).results[1, 2] == {}
    assert evening(store, 1).results[1, 2] == {1: (700, 55)}, "only what both agreed on counts"
    phone.open("/evening/1/table/2/")
    assert "Playing round 2 of 4." in phone.text
    assert [entry.who for entry in store.log(game or 0) if entry.what == "photo"] == ["table 2"]


def test_both_sides_agree_and_then_hear_where_they_go(app: Flask) -> None:
    phone, store = at_table(app, 1), services_of(app).store
    sides = evening(store, 1).stage(1).released[0]
    play_stage(store, 1, 1, best_first)
    phone.open("/evening/1/table/1/")
    assert "All rounds are agreed. This is what you have:" in phone.text and "Where you go next" in phone.text
    assert phone.text.count("please wait until the tables of game 2 are announced.") == 2
    assert all(f"{sum(best_first(name, round) for round in range(1, 5)):,}" in phone.text for (name,) in sides)
    seat(store, 1, 2)
    phone.open("/evening/1/table/1/")
    for (name,) in sides:
        table = evening(store, 1).table_of(name, 2)
        said = f"go to table {table} for game 2." if table else "you do not play game 2."
        assert f"{name}: {said}" in phone.text
    press(phone, "/evening/1/table/1/names")
    assert "Who just played here" not in phone.text


def test_whoever_looks_on_does_not_make_a_device_of_a_table_a_viewer(app: Flask) -> None:
    services_of(app).access_code.set_open_to_viewers(True)
    phone = at_table(app, 1)
    phone.open(f"/game/{services_of(app).store.events.game_at(1, 1)}/")
    assert "You are just watching" not in phone.text and "Score round 1" in phone.text


def test_a_new_card_ends_the_old_one_and_its_devices(app: Flask) -> None:
    phone, store = at_table(app, 1), services_of(app).store
    other = at_table(app, 2, PHONES[1])
    old = store.events.key(1, 1)
    stolen = phone.client.get_cookie("handfoot")
    owner = Person(app)
    owner.open("/evening/1/cards")
    press(owner, "/evening/1/table/1/revoke")
    assert "Table 1 has a new card." in owner.text and old not in owner.page
    phone.open("/evening/1/table/1/")
    assert phone.path == "/enter"
    phone.open(f"/t/{old}")
    assert phone.status == 403 and "This card does not work any more" in phone.text
    thief = Person(app, "192.168.1.66")
    assert stolen is not None
    thief.client.set_cookie("handfoot", stolen.value)
    thief.open("/evening/1/table/1/")
    assert thief.path == "/enter", "a cookie that was copied ends too"
    assert other.open("/evening/1/table/2/") and other.status == 200, "other tables go on"
    at_table(app, 1)


def test_keys_cannot_be_guessed_and_nothing_is_told_apart(app: Flask) -> None:
    store = services_of(app).store
    key = store.events.key(1, 1)
    assert len(key) == 22
    stranger = Person(app, PHONES[0])
    answers = set()
    for wrong in (key[:-1] + ("A" if key[-1] != "A" else "B"), key.lower() + "x", "x", "%00", "1"):
        answer = stranger.client.get(f"/t/{wrong}")
        answers.add((answer.status_code, re.sub(r'value="[^"]+"', "", answer.text)))
    assert len(answers) == 1 and next(iter(answers))[0] == 403
    assert stranger.client.get("/evening/1/table/1/").status_code == 303, "and it is not let in"


def test_a_phone_goes_with_its_people_to_another_table(app: Flask) -> None:
    phone, store = at_table(app, 1), services_of(app).store
    phone.open(f"/t/{store.events.key(1, 4)}")
    assert phone.path == "/evening/1/table/4/"
    assert len([one for one in store.devices.all() if one.table]) == 1
    assert ask(phone, "GET", "/evening/1/table/1/")[0] == 403
    assert ask(phone, "GET", f"/game/{store.events.game_at(1, 1)}/")[0] == 403


def test_who_joined_already_stays_so(app: Flask) -> None:
    member = let_in(app)
    member.open(f"/t/{services_of(app).store.events.key(1, 1)}")
    assert member.path == "/evening/1/table/1/" and "Menu" in member.text
    member.open("/")
    assert member.path == "/"


def test_games_of_an_earlier_stage_are_closed_to_the_table(app: Flask) -> None:
    store = services_of(app).store
    phone = at_table(app, 4)
    first = store.events.game_at(1, 4)
    play_stage(store, 1, 1, best_first)
    seat(store, 1, 2)
    other = store.events.game_at(1, 1)
    assert ask(phone, "POST", f"/game/{first}/names")[0] == 403
    assert ask(phone, "GET", f"/game/{other}/")[0] == 403
    live = phone.client.get(f"/game/{first}/live")
    assert live.mimetype == "text/event-stream" and live.text.startswith("event: full")
    for page in ("", "version", "round/1/side/0/"):
        phone.open(f"/game/{first}/{page}")  # still open on the phone when the next game begins
        assert phone.path == "/evening/1/table/4/"
    assert "There is no game at this table now." in phone.text and "Who just played here" in phone.text
    assert "Please wait until the tables are announced" not in phone.text, "they were told where they go"


def test_a_table_calls_for_help_and_is_helped(app: Flask) -> None:
    phone, owner = at_table(app, 2), Person(app)
    press(phone, "/evening/1/table/2/call")
    assert "has been called and will come to table 2" in phone.text
    owner.open("/evening/1/")
    assert "calls for help" in owner.text
    press(owner, "/evening/1/table/2/helped")
    assert "calls for help" not in owner.text
    assert "Call for help" in phone.open("/evening/1/table/2/")
    for none in (0, 7):
        owner.send(f"/evening/1/table/{none}/helped")
        assert owner.status == 200, "no table called"


def test_the_cards_have_a_code_for_each_table_and_the_list_of_devices_tells_them_apart(app: Flask) -> None:
    at_table(app, 3)
    owner = Person(app)
    owner.open("/evening/1/cards")
    assert [f"Table {n}" in owner.text for n in range(1, 6)] == [True] * 4 + [False]
    assert owner.page.count("<svg") >= 4 and f"http://192.168.1.20/t/{store_of(owner).events.key(1, 3)}" in owner.page
    owner.open("/join")
    assert "scores table 3 of a club evening and nothing else" in owner.text
    phone = let_in(app)
    phone.open("/evening/1/cards")
    assert phone.status == 403


def test_its_device_is_offered_only_what_it_may_open(app: Flask) -> None:
    phone = at_table(app, 3)
    menu = phone.page[phone.page.index('<nav class="menu"') :]
    links = re.findall(r'href="([^"]+)"', menu)
    assert links == ["/", "/display"] and "Table 3" in menu
    assert all(phone.open(link) and phone.status == 200 for link in links)
    phone.open("/statistics")
    assert phone.status == 403 and "Go back to the table’s page." in phone.text and "List of games" not in phone.text
