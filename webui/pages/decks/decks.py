"""The list of decks: kinds of cards that come with handfoot, and the household's own, with what was taught of each."""

from __future__ import annotations

import tempfile
from pathlib import Path

from flask import Blueprint, flash, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response

from scorer.deck import broken_decks, load_deck, own_decks, shipped_decks
from scorer.errors import DeckError
from scorer.faces import is_picture_card
from vision.images.sandbox import shared_decoder
from webui.context.guard.idempotency import idempotent
from webui.context.guard.rights import keeper
from webui.context.lookups import find_deck
from webui.context.services import services
from webui.decks.deck_archive import came_under_another_name, export_decks, import_decks
from webui.decks.examples import example_kinds
from webui.decks.in_play import about_deck, is_readable, name_of_deck
from webui.decks.learning import progress_text
from webui.decks.learnt import read_learnt
from webui.storage.files.deck_files import LEARNT
from webui.storage.files.learnt_files import why_set_aside
from webui.translation import _, ngettext
from webui.wording import tidy

page = Blueprint("decks", __name__, url_prefix="/decks")

_REMOVED = "removed-deck"
"""The key in the visitor's session of the deck that was just removed: its id and name."""


@page.get("/")
def show() -> str:
    """The list of decks."""
    decks, learnt = services().decks, read_learnt(services().settings.data_dir)
    own, state = decks.all(), services().learning.state()
    known = [deck for deck in own if learnt is not None and learnt.covers(deck)]
    return render_template(
        "decks/decks.html",
        own=own,
        name_of_deck=name_of_deck,
        about_deck=about_deck,
        removed=decks.all(removed=True),
        broken=broken_decks(),
        kinds=[load_deck(id) for id in shipped_decks()],
        readable={id for id in (*shipped_decks(), *(deck.id for deck in own)) if is_readable(id, decks, learnt)},
        learnt={deck.id for deck in known},
        known_kinds={deck.profile.id for deck in known if not deck.missing},
        set_aside=why_set_aside(decks.folder / LEARNT),
        just_pictures={deck.id for deck in own if deck.faces and all(is_picture_card(face) for face in deck.faces)},
        under_way={deck.id for deck in own if services().lessons.of(deck.id).photos},
        learning=state,
        progress=progress_text(state),
        to_learn=services().learning.is_behind(),
        examples=example_kinds(services().settings.samples),
        just_removed=session.pop(_REMOVED, None),
    )


@page.post("/<deck_id>/rename")
@idempotent
def rename(deck_id: str) -> Response:
    """Gives an own deck another name; says why where it cannot have that one."""
    deck, decks, name = find_deck(deck_id), services().decks, tidy(request.form.get("name", ""))
    if not name:
        flash(_("These cards are still called “%(deck)s”: no other name was typed.", deck=deck.name))
    elif decks.has_name(name, but=deck.id):
        flash(_("You have cards called “%(deck)s” already. Type another name.", deck=name))
    else:
        decks.rename(deck.id, name)
    return redirect(url_for("deck.show", deck_id=deck.id), 303)


@page.post("/<deck_id>/remove")
@idempotent
def remove(deck_id: str) -> Response:
    """Takes an own deck off the list; it can be brought back."""
    return _change(deck_id, removed=True)


@page.post("/<deck_id>/bring-back")
@idempotent
def bring_back(deck_id: str) -> Response:
    """Undoes the removal of an own deck."""
    return _change(deck_id, removed=False)


@page.post("/<deck_id>/remove-for-good")
@keeper
@idempotent
def remove_for_good(deck_id: str) -> Response:
    """Deletes the pictures of a removed deck, and what was learned of it, which makes room for another."""
    decks = services().decks
    try:
        name = decks.get(deck_id).name
        decks.remove_for_good(deck_id)
        if deck_id in own_decks():  # one with faces of its own, which old rounds may name
            services().lessons.end(deck_id)
        services().learning.forget(deck_id)
    except DeckError:
        flash(_("That deck is gone. Here are those that are left."))
    else:
        flash(_("%(deck)s is removed for good.", deck=name), "good")
    return redirect(url_for(".show"), 303)


@page.get("/<deck_id>/deck.zip")
def save_file(deck_id: str) -> Response:
    """An own deck with its pictures and what was learnt, as a ZIP file for another machine."""
    find_deck(deck_id)
    try:
        looks = services().looks.of_deck(deck_id)
        packed = export_decks(services().settings.data_dir, [deck_id], {deck_id: looks} if looks else None)
    except DeckError as error:
        flash(f"{error}.")
        return redirect(url_for("deck.show", deck_id=deck_id), 303)
    name = f"{deck_id}.zip"
    return Response(
        packed, mimetype="application/zip", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


@page.post("/import")
@keeper
@idempotent
def import_file() -> Response:
    """Adds the decks of a submitted file that are not here."""
    file, data_dir = request.files.get("file"), services().settings.data_dir
    if file is None or not file.filename:
        flash(_("No file was chosen. Choose one and try again."))
        return redirect(url_for(".show"), 303)
    with tempfile.TemporaryDirectory(dir=data_dir, prefix=".from-") as work:
        path = Path(work) / "the file"
        file.save(path)
        found = import_decks(path, data_dir, shared_decoder().decode)
    services().reader.renew()
    services().learning.catch_up()
    if found.new:
        flash(ngettext("%(num)s deck was added.", "%(num)s decks were added.", len(found.new)), "good")
    elif not found.left_out:
        flash(_("Nothing was added: the decks in that file are here already."))
    for deck in found.new:
        if deck.name != deck.came_as:
            flash(f"{came_under_another_name(deck.came_as, deck.name)}.")
    for id, reason in found.left_out.items():
        flash(_("%(deck)s was left out: %(reason)s.", deck=id, reason=reason))
    return redirect(url_for(".show"), 303)


def _change(deck_id: str, removed: bool) -> Response:
    decks = services().decks
    try:
        deck = decks.remove(deck_id) if removed else decks.bring_back(deck_id)
    except DeckError:
        flash(_("That deck is gone. Here are those that are left."))
    else:
        if removed:
            session[_REMOVED] = [deck_id, deck.name]
        else:
            flash(_("%(deck)s is back.", deck=deck.name), "good")
            if decks.has_name(deck.name, but=deck.id):
                flash(_("Two decks are called “%(deck)s” now. Give one of them another name.", deck=deck.name))
    return redirect(url_for(".show"), 303)
