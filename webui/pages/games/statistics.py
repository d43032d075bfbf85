"""What all games come to: records, and a table of people or sides. Points compare under the same rules alone."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from webui.context.services import services
from webui.games.statistics import player_statistics, records
from webui.pages.games.home import listed_game

page = Blueprint("statistics", __name__)


@page.get("/statistics")
def show() -> str:
    listed = [listed_game(game) for game in reversed(services().store.games()) if game.state != "removed"]
    games = [one.progress for one in listed if one.progress is not None and one.progress.points]
    known = {progress.rules.id: progress.rules for progress in games}
    chosen = request.args.get("rules", "")
    if chosen not in known:
        chosen = next(iter(known)) if len(known) == 1 else ""
    by_sides = request.args.get("by") == "sides"
    counted = [progress for progress in games if not chosen or progress.rules.id == chosen]
    people = player_statistics(counted, by_sides)
    return render_template(
        "statistics/statistics.html",
        games=len(counted),
        known=sorted(known.values(), key=lambda rules: rules.name),
        chosen=chosen,
        by_sides=by_sides,
        people=people,
        records=records(counted, people),
        most_won=max((one.won for one in people), default=0),
        any_wild=any(one.books["wild"] for one in people),
    )
