"""What is got ready in the background for the first visitor."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

from flask import Flask

from tests.webui.helpers.playing import Person
from webui.context.services import services_of
from webui.context.warmup import warm_up


def test_pages_over_all_games_say_that_they_are_being_counted(person: Person) -> None:
    counting = services_of(person.client.application).counting
    for path in ("/statistics", "/players/"):
        counting.games, counting.done = 2000, 500
        person.open(path)
        assert person.status == 200 and "2,000 games are being counted: 25 % done" in person.text
        assert '<meta http-equiv="refresh"' in person.page
        counting.done = 1900
        assert "being counted" not in person.open(path), "the rest is counted in no time"
    person.begin()
    warm_up(person.client.application)
    assert (counting.games, counting.done) == (0, 0)


def test_pages_are_compiled_before_anyone_asks_for_them_unless_the_page_has_ended(
    make_app: Callable[[], Flask],
) -> None:
    app, ended = make_app(), Event()
    before = len(app.jinja_env.cache or ())
    ended.set()
    warm_up(app, ended)
    assert len(app.jinja_env.cache or ()) == before
    warm_up(app, Event())
    assert len(app.jinja_env.cache or ()) > before + 50
