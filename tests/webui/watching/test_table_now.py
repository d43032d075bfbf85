"""The table while they play: points, first meld, books, what going out still needs; for all who may see the game."""

from __future__ import annotations

import re
import threading
from pathlib import Path

from flask import Flask

from tests.vision.memory.sequences import card, column
from tests.webui.access.test_access_code import PHONE
from tests.webui.helpers.playing import Person
from tests.webui.watching.tables import LEFT, Table
from tests.webui.watching.test_fill_round import app
from webui.context.responses import game_events
from webui.context.services import services_of
from webui.watching.areas import Areas, proposals
from webui.watching.film import Film

__all__ = ["app"]

NOW = "/game/1/table-now/"


def table_of(app: Flask, areas: Areas | None = LEFT) -> Table:
    game = services_of(app).store.game(1)
    assert game is not None
    table = Table(Path(services_of(app).store.folder), Film(1, game.created_at, 1, "Ann", game.created_at, areas=areas))
    table.wait()
    return table


def text_of(app: Flask) -> str:
    person = Person(app)
    person.open(NOW)
    return person.text


def test_it_tells_points_books_and_what_is_missing(app: Flask) -> None:
    table = table_of(app)
    table.lay(*column("KH KS KD", 60, 60))
    text = text_of(app)
    assert "Us 30 First meld: 60 No books yet Going out still needs 2 clean and 3 dirty books" in text
    table.lay(*column("QH QS QD QC 2S", 140, 60))
    assert "Us 90 First meld of 60 reached" in text_of(app)
    table.lay(*column("7H 7S 7D 7C 7H 7S 7C", 460, 60))
    text = text_of(app)
    assert "Clean book of 7s" in text and "Going out still needs 1 clean and 3 dirty books" in text


def test_illegal_melds_are_told_only_where_the_house_wants_it(app: Flask) -> None:
    table, person = table_of(app), Person(app)
    table.lay(*column("7H 7S 2S 2D 2C", 60, 60))
    assert "too many" not in text_of(app).lower() and "The first meld has" not in text_of(app)
    person.send("/game/1/watch/hints", hints="on")
    assert "The first meld has 0 of 60 points." in text_of(app)
    person.send("/game/1/watch/hints")
    assert "The first meld has" not in text_of(app)


def test_until_the_boxes_are_said_nothing_is_anybodys(app: Flask) -> None:
    table_of(app, areas=None).lay(*column("KH KS KD", 60, 60))
    assert "Say where each side lays its cards" in text_of(app) and "30" not in text_of(app)


def test_without_watching_it_says_so(app: Flask) -> None:
    assert "This table is not watched now." in text_of(app)


def test_strangers_see_it_only_where_others_may_look_on(app: Flask) -> None:
    table_of(app).lay(card("3D", 60, 60))
    stranger = Person(app, PHONE)
    assert stranger.client.get(NOW).status_code == 303
    Person(app).send("/devices/viewers", viewers="yes")
    assert "Us" in stranger.open(NOW) and stranger.client.get("/game/1/watch/1/film").status_code == 303
    assert stranger.client.get("/game/1/watch/1/picture/0.jpg", headers={"Accept": "*/*"}).status_code == 403


def test_a_change_on_the_table_is_an_event(app: Flask) -> None:
    services = services_of(app)
    gone = threading.Event()
    version = services.watch.revision
    parts = game_events.events(lambda: services.watch.revision, services.store.change_signal, version, gone.is_set)
    assert next(parts).startswith("retry")
    services.watch._news()
    assert next(parts).startswith(f"id: {version + 1}\nevent: change")


def test_of_three_teams_each_has_its_points_and_its_table_at_the_end(app: Flask) -> None:
    person = Person(app)
    names = {"side0": "Reds", "side1": "Blues", "side2": "Greens"}
    person.send("/new", rules="cutting-22", players="6", seating="1", **names)
    game = services_of(app).store.game(2)
    assert game is not None
    film = Film(2, game.created_at, 1, "Ann", game.created_at, areas=Areas(proposals(3)[0]))
    table = Table(Path(services_of(app).store.folder), film)
    table.wait()
    table.lay(*column("7H 7S 7D", 60, 30), *column("KH KS KD", 460, 30), *column("QH QS QD QC", 300, 230))
    film.on, film.end = False, "round"
    table.recorder.save()
    person.open("/game/2/table-now/")
    assert re.findall(r"(?:Reds|Blues|Greens) \d+", person.text) == ["Reds 15", "Blues 30", "Greens 40"]
    person.send("/game/2/round/1/begin")
    for side, rank in enumerate(("7s", "kings", "queens")):
        person.open(f"/game/2/round/1/side/{side}/")
        assert "These cards were seen being laid" in person.text and f"Meld of {rank}" in person.text
