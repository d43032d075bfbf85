"""Which decks a game is played with, from one to six designs of cards."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.errors import DeckError
from scorer.rules import load_rules
from webui.context.lookups import find_game
from webui.context.services import services
from webui.decks.in_play import about_deck, checked_ids, name_of_deck, offered_decks, refused_by
from webui.storage.records import GameRecord
from webui.translation import _

page = Blueprint("decks_in_play", __name__, url_prefix="/game/<int:game_id>/decks")


@page.get("/")
def show(game_id: int) -> str:
    """The decks to choose from."""
    game = find_game(game_id)
    return _form(game, game.decks or (load_rules(game.rules).deck,), None)


@page.post("/")
def save(game_id: int) -> Response | tuple[str, int]:
    """Saves which decks are in play."""
    game = find_game(game_id)
    chosen = tuple(dict.fromkeys(request.form.getlist("deck")))
    try:
        wrong = bool(refused_by(load_rules(game.rules), checked_ids(chosen)))
    except DeckError:
        wrong = True
    if wrong:
        return _form(game, chosen, _("Check one to six kinds of cards that these rules are played with.")), 400
    services().store.change_game(game_id, {"decks": ",".join(chosen)})
    return redirect(url_for("game.show", game_id=game_id), 303)


def _form(game: GameRecord, chosen: tuple[str, ...], sentence: str | None) -> str:
    offered = offered_decks(load_rules(game.rules), services().decks.all())
    gone = tuple(id for id in game.decks if id not in offered)
    return render_template(
        "decks_in_play/decks.html",
        game=game,
        offered=(*offered, *gone),
        chosen=chosen,
        name_of_deck=name_of_deck,
        about_deck=about_deck,
        sentence=sentence,
    )
