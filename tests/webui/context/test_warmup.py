"""What is got ready in the background for the first visitor."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

from flask import Flask

from tests.webui.helpers.played_games import fill
from tests.webui.helpers.playing import Person
from webui.context.services import services_of
from webui.context.warmup import start_warm_up
from webui.games.progress import listed_game
from webui.games.results import round_results


def test_pages_over_all_games_say_that_they_are_being_counted(person: Person) -> None:
    counting = services_of(person.client.application).counting
    for path, status in (("/statistics", 200), ("/players/", 200), ("/games.csv", 503), ("/games.json", 503)):
        counting.games, counting.done = 2000, 500
        person.open(path)
        assert person.status == status and "2,000 games are being counted: 25 % done" in person.text
        assert '<meta http-equiv="refresh"' in person.page
        counting.done = 1900
        assert "being counted" not in person.open(path), "the rest is counted in no time"
    person.begin()
    start_warm_up(person.client.application, Event()).join()
    assert (counting.games, counting.done) == (0, 0)


def test_pages_are_compiled_before_anyone_asks_for_them_unless_the_page_has_ended(
    make_app: Callable[[], Flask],
) -> None:
    app, ended = make_app(), Event()
    before = len(app.jinja_env.cache or ())
    ended.set()
    start_warm_up(app, ended).join()
    assert len(app.jinja_env.cache or ()) == before
    start_warm_up(app, Event()).join()
    assert len(app.jinja_env.cache or ()) > before + 50


def test_a_start_reads_what_was_kept_before_the_first_page_is_served_and_no_page_waits_for_it(
    make_app: Callable[[], Flask],
) -> None:
    round_results.forget()
    app, ended = make_app(), Event()
    own = services_of(app)
    fill(own.store, 2)
    start_warm_up(app, Event()).join()
    round_results.forget()
    own.counting.games = 2000
    ended.set()
    rest = start_warm_up(app, ended)
    assert len(round_results.remembered()) == 6
    rest.join(60)
    assert own.counting.games == 0, "pages over all games do not say that they are being counted"


def test_a_listed_game_is_worked_out_again_only_where_it_has_changed(make_app: Callable[[], Flask]) -> None:
    store = services_of(make_app()).store
    fill(store, 2)
    before = [listed_game(game).progress for game in store.games()]
    assert [listed_game(game).progress is old for game, old in zip(store.games(), before, strict=True)] == [True, True]
    store.rounds.begin(2, 3)
    after = listed_game(store.games()[0]).progress
    assert after is not None and after is not before[0] and after.game.round(3) is not None
