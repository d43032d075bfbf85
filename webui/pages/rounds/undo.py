"""Taking the last change of a round back, what others changed meanwhile, and who holds this device."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webui.context.lookups import find_game, find_round, find_view
from webui.context.services import services
from webui.context.visitor import call_oneself, who
from webui.games.change_log import LogLine, log_lines
from webui.rounds.round_view import RoundView
from webui.storage.db.stale_edits import StaleEditError
from webui.storage.records import LogEntry

page = Blueprint("history", __name__, url_prefix="/game/<int:game_id>")

_NOT_SENT_AGAIN = ("token", "seen")


@page.post("/who")
def sign(game_id: int) -> Response:
    """Keeps who holds this device."""
    find_game(game_id)
    call_oneself(request.form.get("who", ""))
    return redirect(url_for("log.show", game_id=game_id), 303)


@page.app_context_processor
def _who() -> dict[str, object]:
    return {"who": who}


@page.post("/round/<int:number>/undo")
def undo(game_id: int, number: int) -> Response:
    """Takes back the change that the button named, and goes back to where the person was."""
    _, record = find_round(game_id, number)
    services().store.rounds.undo(record.id, request.form.get("entry", 0, type=int))
    return redirect(_came_from(game_id, number), 303)


@page.app_errorhandler(StaleEditError)
def changed_meanwhile(error: StaleEditError) -> str:
    """What the person wanted was not done: it says what changed, and offers to do it all the same."""
    place = request.view_args or {}
    view = find_view(place["game_id"], place["number"])
    told = in_words(view, error.entries)
    again = [(key, value) for key, value in request.form.items(multi=True) if key not in _NOT_SENT_AGAIN]
    back = _came_from(view.game.id, view.record.number)
    repeatable = request.endpoint != "history.undo"
    return render_template("round/meanwhile.html", view=view, told=told, again=again if repeatable else None, back=back)


def in_words(view: RoundView, entries: tuple[LogEntry, ...]) -> list[LogLine]:
    """Changes of a round in words, the newest first."""
    wanted = {entry.id for entry in entries}
    return [told for told in log_lines(view.game, services().store.log(view.game.id), view.rules) if told.id in wanted]


def _came_from(game_id: int, number: int) -> str:
    """The page of ours that sent the form."""
    came = request.referrer or ""
    return came if came.startswith(request.host_url) else url_for("round.show", game_id=game_id, number=number)
