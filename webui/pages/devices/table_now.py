"""The table of a watched round while they play, in large type: for a television, or the phone of whoever may see it."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template

from webui.context.guard.rights import viewer
from webui.context.lookups import find_game, find_progress
from webui.context.responses.game_events import game_events
from webui.context.services import services
from webui.watching.table_now import table_now

page = Blueprint("table_now", __name__, url_prefix="/game/<int:game_id>/table-now")


@page.get("/")
@viewer
def show(game_id: int) -> str:
    """Each side's points and books on the table, and what going out still needs."""
    version = _version(game_id)
    progress, watch = find_progress(game_id), services().watch
    now = watch.now if watch.now and watch.now.game == game_id else None
    number = progress.next_round
    film = now or (watch.film(progress.game, number) if number else None)
    return render_template(
        "follow/table_now.html",
        game=progress.game,
        rules=progress.rules,
        film=film,
        sides=table_now(film, progress) if film else [],
        also=progress.rules.going_out.also_for(max(len(side.players) for side in progress.game.sides)),
        has_hints=watch.films.has_hints,
        version=version,
    )


@page.get("/live")
@viewer
def live(game_id: int) -> Response:
    """Server-sent events, as of a game: one after each change that was seen on the table, too."""
    find_game(game_id)
    watch, store = services().watch, services().store
    return game_events(lambda: store.version(game_id) + watch.revision)


@page.get("/version")
@viewer
def version(game_id: int) -> Response:
    """The number of the last change, for clients that cannot open a stream."""
    find_game(game_id)
    return jsonify(version=_version(game_id))


def _version(game_id: int) -> int:
    return services().store.version(game_id) + services().watch.revision
