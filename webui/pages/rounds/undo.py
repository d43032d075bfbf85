"""Undoing the last change of a round, the page after a conflicting edit, and the name of this device's user."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webui.access.addresses import referring_page
from webui.context.guard.idempotency import KEY_FIELD, idempotent
from webui.context.lookups import find_game, find_round, find_view
from webui.context.services import services
from webui.context.visitor import set_visitor_name, visitor_name
from webui.pages.rounds.step_page import changes_in_words
from webui.storage.db.stale_edits import StaleEditError

page = Blueprint("undo", __name__, url_prefix="/game/<int:game_id>")

_NOT_REPEATED = ("token", "seen", KEY_FIELD)
"""Form fields that are made anew if the form is sent again."""


@page.post("/who")
def set_name(game_id: int) -> Response:
    """Remembers who uses this device."""
    find_game(game_id)
    set_visitor_name(request.form.get("who", ""))
    return redirect(url_for("change_log.show", game_id=game_id), 303)


@page.app_context_processor
def _visitor_name() -> dict[str, object]:
    return {"visitor_name": visitor_name}


@page.post("/round/<int:number>/undo")
@idempotent
def undo_change(game_id: int, number: int) -> Response:
    """Undoes the change that the button names, and leads back to the page it is on."""
    _, record = find_round(game_id, number)
    services().store.rounds.undo(record.id, request.form.get("entry", 0, type=int))
    return redirect(_previous_page(game_id, number), 303)


@page.app_errorhandler(StaleEditError)
def stale_edit(error: StaleEditError) -> str:
    """The answer to a change that was not made, as others changed the same: what they changed, and to do it anyway."""
    values = request.view_args or {}
    view = find_view(values["game_id"], values["number"])
    lines = changes_in_words(view, error.entries)
    fields = [(key, value) for key, value in request.form.items(multi=True) if key not in _NOT_REPEATED]
    says_right = request.endpoint == "corrections.save_looked" or request.form.get("op") == "accept"
    is_repeatable = not says_right and request.endpoint != "undo.undo_change"  # nobody saw what is there now
    back = _previous_page(view.game.id, view.record.number)
    return render_template(
        "undo/stale_edit.html", view=view, lines=lines, again=fields if is_repeatable else None, back=back
    )


def _previous_page(game_id: int, number: int) -> str:
    """The page that the form was sent from, if it is one of ours."""
    return referring_page() or url_for("round.show", game_id=game_id, number=number)
