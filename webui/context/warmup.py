"""Warms the caches, so that the first visitor does not wait: kept results at once, the rest in the background.

Until all rounds are counted, pages over all games say so instead of waiting.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from flask import Flask, render_template

from scorer.rules import RulesError
from webui.context.services import services, services_of
from webui.games.progress import listed_game
from webui.games.results.results_file import keep_results, recall_results
from webui.storage.errors import StorageError

_SOON = 200
"""So many games are counted in the time that a page may take."""
_EVERY = 2
"""Seconds after which the page is asked for again."""
_REST = 0.02
"""Seconds of rest before each template that is compiled, for pages that somebody waits for."""


def start_warm_up(app: Flask, ended: threading.Event) -> threading.Thread:
    """Warms up beside the pages: returns once all games and their kept results are read, half a second for 2,000 games.

    A page that came first would read them as well, both at once, and score what is kept. The rest scores the agreed
    rounds that no earlier start has scored, after an update about a second for a thousand, and compiles the templates.
    It goes no further once the page has ``ended``.

    Returns:
        The thread that does the rest.
    """
    thread = threading.Thread(target=_go_on, args=(app, _recall(app), ended), name="warm-up", daemon=True)
    thread.start()
    return thread


def _recall(app: Flask) -> int:
    """Reads all games, and the results that are kept, of which it returns the number."""
    held = services_of(app)
    with _many_objects():
        with suppress(StorageError):  # the pages say so
            held.store.games()
        return recall_results(held.settings.data_dir)


def _go_on(app: Flask, known: int, ended: threading.Event) -> None:
    held = services_of(app)
    counting = held.counting
    with suppress(StorageError, RulesError):
        games = held.store.games()
        agreed = sum(record.agreed_text is not None for game in games for record in game.rounds)
        counting.games = len(games) if known < agreed else 0  # where all is known, no page has to wait
        for counting.done, game in enumerate(games):
            if ended.is_set():
                return
            listed_game(game)  # where the points cannot be computed, the game's own page says why
        keep_results(held.settings.data_dir, known)
        for game in held.store.counted_games()[:1]:
            held.looks.renew(game)
    counting.games = counting.done = 0
    for name in app.jinja_env.list_templates():
        if ended.wait(_REST):
            return
        app.jinja_env.get_template(name)
    held.camera.look_for_one()


def counting_page() -> str | None:
    """The page that tells how far the count is; None where the page that was asked for need not wait for it."""
    counting = services().counting
    if counting.games - counting.done <= _SOON:
        return None
    percent = 100 * counting.done // counting.games
    return render_template("statistics/counting.html", percent=percent, games=counting.games, every=_EVERY)


@contextmanager
def _many_objects() -> Iterator[None]:
    """Makes very many objects that stay. The garbage collector would look through all that there are again and again,
    which takes longer than making them, and would go on doing so on each page over all games."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
