"""The result of a game to share: a picture, drawn as SVG and made a PNG by the browser, and a sentence."""

from __future__ import annotations

from flask import Blueprint, Response, abort, make_response, render_template, request, url_for

from webui.access.choice_cookies import choice_of_device, keep_choice
from webui.context.guard.rights import viewer
from webui.context.lookups import find_progress
from webui.games.progress import GameProgress
from webui.games.result_card import draw_result, result_text
from webui.translation import _
from webui.wording import local_date

page = Blueprint("share", __name__, url_prefix="/game/<int:game_id>")

_NAMES = "names"
_YES_NO = ("yes", "no")


@page.app_context_processor
def add_shared() -> dict[str, object]:
    """Lets the page of a game share its result with one tap."""
    return {"shared": _shared}


@page.get("/share")
@viewer
def show(game_id: int) -> Response:
    """The picture as it is shared, with or without names; this device keeps which."""
    progress = _with_result(game_id)
    asked = request.args.get(_NAMES)
    named = (asked if asked in _YES_NO else choice_of_device(_NAMES)) != "no"
    response = make_response(render_template("share/share.html", game=progress.game, named=named, progress=progress))
    if asked in _YES_NO:
        keep_choice(response, _NAMES, asked)
    return response


@page.get("/result.svg")
@viewer
def picture(game_id: int) -> Response:
    """The picture."""
    progress = _with_result(game_id)
    card = draw_result(progress, request.args.get(_NAMES) != "no")
    return Response(render_template("share/card.svg", card=card), mimetype="image/svg+xml")


def _with_result(game_id: int) -> GameProgress:
    progress = find_progress(game_id)
    if not progress.points:
        abort(404, _("There is no result yet. Go back to the game and agree on a round first."))
    return progress


def _shared(progress: GameProgress, named: bool | None = None) -> dict[str, str]:
    """The address of a game's picture, its file's name, and the sentence; as this device chose where ``named`` is
    not said."""
    named = choice_of_device(_NAMES) != "no" if named is None else named
    game = progress.game
    return {
        "picture": url_for("share.picture", game_id=game.id, names=None if named else "no"),
        "file": f"hand-and-foot-{local_date(game.created_at)}.png",
        "text": result_text(progress, named),
    }
