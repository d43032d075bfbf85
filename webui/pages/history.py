"""What was changed in a round, by whom and when; taking the last change back; and what others changed meanwhile."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webui.house import find_round, find_view, house
from webui.log_words import tell
from webui.storage.meanwhile import ChangedMeanwhile
from webui.visitor import MAX_NAME, call_oneself, who

page = Blueprint("history", __name__, url_prefix="/game/<int:game_id>/round/<int:number>")

_NOT_SENT_AGAIN = ("token", "seen", "entry")


@page.get("/log")
def log(game_id: int, number: int) -> str:
    """Every change of a round, the last first."""
    view = find_view(game_id, number)
    entries = [entry for entry in house().store.log(game_id) if entry.round == number]
    players = [player for side in view.game.sides for player in side.players]
    told = tell(reversed(entries), view)
    return render_template("round/log.html", view=view, told=told, players=players, who=who(), most=MAX_NAME)


@page.post("/who")
def name(game_id: int, number: int) -> Response:
    """Keeps who holds this device."""
    call_oneself(request.form.get("who", ""))
    return redirect(url_for(".log", game_id=game_id, number=number), 303)


@page.post("/undo")
def undo(game_id: int, number: int) -> Response:
    """Takes back the change that the button named, and goes back to where the person was."""
    _, record = find_round(game_id, number)
    house().store.take_back(record.id, request.form.get("entry", 0, type=int))
    return redirect(_came_from() or url_for("round.show", game_id=game_id, number=number), 303)


@page.app_errorhandler(ChangedMeanwhile)
def changed_meanwhile(error: ChangedMeanwhile) -> str:
    """What the person wanted was not done: it says what changed, and offers to do it all the same."""
    place = request.view_args or {}
    view = find_view(place["game_id"], place["number"])
    again = [(key, value) for key, value in request.form.items(multi=True) if key not in _NOT_SENT_AGAIN]
    repeatable = request.endpoint != "history.undo"
    back = _came_from() or url_for("round.show", game_id=view.game.id, number=view.record.number)
    return render_template(
        "round/meanwhile.html",
        view=view,
        told=tell(error.entries, view),
        again=again if repeatable else None,
        back=back,
    )


def _came_from() -> str | None:
    """The page of ours that sent the form."""
    came = request.referrer or ""
    return came if came.startswith(request.host_url) else None
