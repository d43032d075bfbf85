"""Warms the caches in the background, so that the first visitor does not wait."""

from __future__ import annotations

import threading
from contextlib import suppress

from flask import Flask

from scorer.rules import RulesError
from webui.context.services import services_of
from webui.games.progress import listed_game
from webui.games.results.results_file import keep_results, recall_results
from webui.storage.errors import StorageError


def warm_up(app: Flask, ended: threading.Event | None = None) -> None:
    """Scores the agreed rounds that no earlier start has scored, pre-compiles the templates, looks for a camera.

    Takes a second; after an update that scores anew, about a second for a thousand rounds. Goes no further once the
    page has ``ended``.
    """
    services = services_of(app)
    counting, known = services.counting, recall_results(services.settings.data_dir)
    with suppress(StorageError, RulesError):  # the pages say so
        games = services.store.games()
        counting.games = len(games)
        for counting.done, game in enumerate(games):
            if ended is not None and ended.is_set():
                return
            listed_game(game)  # where the points cannot be computed, the game's own page says why
        keep_results(services.settings.data_dir, known)
        for game in services.store.counted_games()[:1]:
            services.looks.renew(game)
    counting.games = counting.done = 0
    for name in app.jinja_env.list_templates():
        if ended is not None and ended.is_set():
            return
        app.jinja_env.get_template(name)
    services.camera.look_for_one()
