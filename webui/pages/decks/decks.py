"""The list of decks: kinds of cards that come with handfoot, and the household's own, with what was taught of each."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.deck import broken_decks, load_deck, shipped_decks
from scorer.errors import DeckError
from webui.context.once import once
from webui.context.services import services
from webui.decks.in_play import is_readable
from webui.decks.learnt import read_learnt
from webui.translation import _

page = Blueprint("decks", __name__, url_prefix="/decks")


@page.get("/")
def show() -> str:
    """The list of decks."""
    decks, learnt = services().decks, read_learnt(services().settings.data_dir)
    own = decks.all()
    return render_template(
        "decks/decks.html",
        own=own,
        removed=decks.all(removed=True),
        broken=broken_decks(),
        kinds=[load_deck(id) for id in shipped_decks()],
        readable={id for id in (*shipped_decks(), *(deck.id for deck in own)) if is_readable(id, decks, learnt)},
        learnt={deck.id for deck in own if learnt is not None and learnt.covers(deck)},
        self_test=learnt.self_test if learnt is not None else "",
    )


@page.post("/<deck_id>/rename")
@once
def rename(deck_id: str) -> Response:
    """Gives an own deck another name."""
    try:
        services().decks.rename(deck_id, request.form.get("name", ""))
    except DeckError:
        flash(_("That deck has no such name, or is gone. Type a name and try again."))
    return redirect(url_for(".show"), 303)


@page.post("/<deck_id>/remove")
@once
def remove(deck_id: str) -> Response:
    """Takes an own deck off the list; it can be brought back."""
    return _change(deck_id, removed=True)


@page.post("/<deck_id>/bring-back")
@once
def bring_back(deck_id: str) -> Response:
    """Undoes the removal of an own deck."""
    return _change(deck_id, removed=False)


def _change(deck_id: str, removed: bool) -> Response:
    decks = services().decks
    try:
        deck = decks.remove(deck_id) if removed else decks.bring_back(deck_id)
    except DeckError:
        flash(_("That deck is gone. Here are those that are left."))
    else:
        name = deck.name
        gone, back = (
            _("%(deck)s is removed. You can bring it back below.", deck=name),
            _("%(deck)s is back.", deck=name),
        )
        flash(gone if removed else back, "good")
    return redirect(url_for(".show"), 303)
