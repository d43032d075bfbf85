"""Learning the household's decks: how far it is, starting it, stopping it."""

from __future__ import annotations

from flask import Blueprint, Response, flash, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from webui.context.once import once
from webui.context.services import services
from webui.decks.in_play import lacks_cards
from webui.decks.learning import LearningState
from webui.decks.learnt import is_up_to_date, read_learnt
from webui.storage.errors import StorageError
from webui.storage.files.deck_files import LEARNT, remove_tree
from webui.storage.files.learnt_files import BEFORE, OFFERED, changing_learnt, put_in_place
from webui.translation import _, ngettext

page = Blueprint("learn", __name__, url_prefix="/decks/learning")

_REFRESH_SECONDS = 5
"""After so long the page is loaded again where scripts are off."""
_MINUTE = 60


@page.get("")
def show() -> str:
    """How far it is, and what can be done."""
    state = services().learning.state()
    decks = [deck for deck in services().decks.all() if deck.pictures]
    learnt = read_learnt(services().settings.data_dir)
    return render_template(
        "learn/learn.html",
        state=state,
        progress=_progress_text(state),
        decks=decks,
        in_part=[deck for deck in decks if lacks_cards(deck)],
        up_to_date=bool(decks) and is_up_to_date(learnt, decks),
        self_test=learnt.self_test if learnt is not None else "",
        every=_REFRESH_SECONDS,
    )


@page.get("/state")
def state() -> Response:
    """How far it is, as JSON: the kind of state, the share done 0..1, and a sentence."""
    now = services().learning.state()
    if now.kind == "done":
        services().reader.renew()
    return jsonify(kind=now.kind, share=round(now.share, 3), text=_progress_text(now))


@page.post("/start")
@once
def start() -> AnyResponse:
    """Starts learning; a sentence says why it could not be."""
    try:
        services().learning.start()
    except StorageError as error:
        flash(f"{str(error)[:1].upper()}{str(error)[1:]}.")
    return redirect(url_for(".show"), 303)


@page.post("/cancel")
@once
def cancel() -> AnyResponse:
    """Stops learning."""
    services().learning.cancel()
    return redirect(url_for(".show"), 303)


@page.post("/use")
@once
def use() -> AnyResponse:
    """Uses what a file brought in in place of what was learned here, or what was replaced so again."""
    place = BEFORE if request.form.get("what") == "before" else OFFERED
    folder = services().decks.folder / LEARNT
    try:
        put_in_place(folder, folder / place)
    except StorageError as error:
        flash(f"{str(error)[:1].upper()}{str(error)[1:]}.")
    else:
        services().reader.renew()
        if place == BEFORE:
            flash(_("What was learned before is in use again."), "good")
        else:
            flash(_("What the other computer learned is in use now."), "good")
    return redirect(url_for("decks.show"), 303)


@page.post("/keep")
@once
def keep() -> AnyResponse:
    """Leaves what was learned here in use, and removes what a file brought in."""
    with changing_learnt(services().decks.folder / LEARNT):
        remove_tree(services().decks.folder / LEARNT / OFFERED)
    flash(_("What was learned here stays in use."), "good")
    return redirect(url_for("decks.show"), 303)


def _progress_text(state: LearningState) -> str:
    """``40 % done, about 30 seconds left``; while nothing tells the time left, how long it usually takes."""
    percent = int(100 * state.share)
    if state.seconds_left is None and state.kind == "running":
        return _("%(percent)s %% done, about a minute in all", percent=percent)
    if state.seconds_left is None:
        return _("%(percent)s %% done", percent=percent)
    if state.seconds_left < 2 * _MINUTE:
        left = ngettext("about %(num)s second left", "about %(num)s seconds left", state.seconds_left)
        return _("%(percent)s %% done, %(left)s", percent=percent, left=left)
    minutes = round(state.seconds_left / _MINUTE)
    left = ngettext("about %(num)s minute left", "about %(num)s minutes left", minutes)
    return _("%(percent)s %% done, %(left)s", percent=percent, left=left)
