"""What would make the first visitor wait, done beforehand: templates made ready, and every kept round scored once."""

from __future__ import annotations

from flask import Flask

from scorer.errors import RulesError
from scorer.rules import load_rules
from scorer.sheets import SheetError
from webui.context.services import services_of
from webui.games.progress import game_progress


def warm(app: Flask) -> None:
    """Does it all, in a few seconds; what cannot be scored says so to whoever looks at it."""
    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)
    for game in services_of(app).store.games():
        try:
            game_progress(game, load_rules(game.rules))
        except (RulesError, SheetError):
            continue
