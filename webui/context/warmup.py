"""Warms the caches in the background, so that the first visitor does not wait."""

from __future__ import annotations

from flask import Flask

from scorer.errors import RulesError
from scorer.rules import load_rules
from scorer.sheets import SheetError
from webui.context.services import services_of
from webui.games.progress import game_progress
from webui.storage.errors import StorageError


def warm_up(app: Flask) -> None:
    """Pre-compiles the templates and fills the score cache; takes a few seconds."""
    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)
    try:
        games = services_of(app).store.games()
    except StorageError:
        return  # the pages say so
    for game in games:
        try:
            game_progress(game, load_rules(game.rules))
        except (RulesError, SheetError):
            continue  # the game's own page says what is wrong
