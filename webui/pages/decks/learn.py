"""Learning the household's decks: starting it, stopping it, how far it is; ``decks/learning.html`` shows it."""

from __future__ import annotations

from flask import Blueprint, Response, flash, jsonify, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.deck import own_decks
from webui.context.guard.idempotency import idempotent
from webui.context.guard.rights import keeper
from webui.context.services import services
from webui.decks.learning import progress_text
from webui.storage.errors import StorageError

page = Blueprint("learn", __name__, url_prefix="/decks/learning")


@page.get("/state")
def state() -> Response:
    """How far it is, as JSON: the kind of state, the share done 0..1, and a sentence."""
    now = services().learning.state()
    if now.kind == "done":
        services().reader.renew()
    return jsonify(kind=now.kind, share=round(now.share, 3), text=progress_text(now))


@page.post("/start")
@keeper
@idempotent
def start() -> AnyResponse:
    """Starts learning; a sentence says why it could not be."""
    try:
        services().learning.start()
    except StorageError as error:
        flash(f"{str(error)[:1].upper()}{str(error)[1:]}.")
    return _back()


@page.post("/cancel")
@keeper
@idempotent
def cancel() -> AnyResponse:
    """Stops learning."""
    services().learning.cancel()
    return _back()


def _back() -> AnyResponse:
    """To the page of the deck that the form names, or to the list of decks."""
    deck = request.form.get("of_deck", "")
    return redirect(url_for("deck.show", deck_id=deck) if deck in own_decks() else url_for("decks.show"), 303)
