"""Dealing a pile under the camera: each card is counted and read, and doubtful ones are asked for."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.faces import Face
from vision.live.deal_counter import SPOT
from webui.camera.deal_count import CountedCard
from webui.context.choices import chosen_player
from webui.context.guard.idempotency import idempotent
from webui.context.lookups import find_side
from webui.context.services import services
from webui.corrections.side_table import left_id
from webui.rounds.round_view import RoundView
from webui.storage.changes import NEW_MELD, Add
from webui.translation import _

page = Blueprint("deal", __name__, url_prefix="/game/<int:game_id>/round/<int:number>/side/<int:side>/deal")


@page.get("/")
def show(game_id: int, number: int, side: int) -> str:
    view = find_side(game_id, number, side)[0]
    player = _player(view, side, request.args.get("player", type=int))
    here = view.url_values(side)
    in_use = services().camera.in_use()
    return render_template(
        "deal/deal.html", view=view, side=side, player=player, spot=SPOT, here=here, **_template_values(view), **in_use
    )


@page.get("/cards")
def cards(game_id: int, number: int, side: int) -> str:
    """Only the list of cards, to refresh an open page."""
    return render_template("deal/cards.html", **_template_values(find_side(game_id, number, side)[0]))


@page.post("/undo")
@idempotent
def undo(game_id: int, number: int, side: int) -> Response:
    services().camera.deals.undo()
    return _back(game_id, number, side)


@page.post("/again")
def restart(game_id: int, number: int, side: int) -> Response:
    services().camera.deals.restart()
    return _back(game_id, number, side)


@page.post("/keep")
@idempotent
def save(game_id: int, number: int, side: int) -> Response:
    """Adds the cards to the side's table as a new meld, or to what a player has left."""
    view = find_side(game_id, number, side)[0]
    player = chosen_player(len(view.sides[side].record.players))
    submitted = request.form.getlist("card")
    if len(submitted) != len(_dealt_cards(view)):
        flash(_("Another card just came in. Check the list, then add the cards."))
        return _back(game_id, number, side)
    if not submitted or "" in submitted:
        flash(_("Say what each card is, or undo it, then add the cards."))
        return _back(game_id, number, side)
    try:
        faces = [Face.parse(text) for text in submitted]
    except ValueError:
        faces = []
    if not faces or any(face not in view.deck.copies for face in faces):
        abort(400, _("This deck has no such card. Go back and choose another."))
    group = _add_cards(view, side, NEW_MELD if player is None else left_id(player), faces)
    services().camera.deals.restart()
    step = "side.show" if player is None else "side.left"
    return redirect(url_for(step, game_id=game_id, number=number, side=side, _anchor=f"group-{group}"), 303)


def _add_cards(view: RoundView, side: int, group: str, faces: list[Face]) -> str:
    """Stores the cards as corrections and returns the group that they belong to."""

    def additions(group: str, faces: list[Face]) -> list[dict[str, Any]]:
        return [Add(group=group, face=str(face)).model_dump(mode="json") for face in faces]

    def others(first: int) -> list[dict[str, Any]]:  # the first card makes the meld that the others belong to
        return additions(f"n{first}" if group == NEW_MELD else group, faces[1:])

    made = services().store.rounds.correct_all(view.record.id, side, additions(group, faces[:1]), then=others)
    return f"n{made[0]}" if group == NEW_MELD else group


def _template_values(view: RoundView) -> dict[str, object]:
    return {"dealt": _dealt_cards(view), "deck": view.deck}


def _dealt_cards(view: RoundView) -> list[CountedCard | None]:
    return services().camera.deals.cards(services().reader_of(view.game, view.rules))


def _player(view: RoundView, side: int, player: int | None) -> int | None:
    if player is not None and not 0 <= player < len(view.sides[side].record.players):
        abort(404, _("This side has no such player. Go back to its cards."))
    return player


def _back(game_id: int, number: int, side: int) -> Response:
    player = request.form.get("player", type=int)
    return redirect(url_for(".show", game_id=game_id, number=number, side=side, player=player), 303)
