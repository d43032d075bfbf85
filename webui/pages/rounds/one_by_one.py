"""The cards of a group one after the other, each large beside what was read; and the order of the cards left."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webui.access.choice_cookies import choice_of_device, keep_choice
from webui.context.choices import chosen
from webui.context.lookups import find_side
from webui.corrections.asked import likely_faces
from webui.corrections.side_table import TableCard, TableGroup
from webui.rounds.round_view import RoundView
from webui.translation import _

page = Blueprint("one_by_one", __name__, url_prefix="/game/<int:game_id>/round/<int:number>/side/<int:side>")

_ORDER, _BY_RANK, _AS_SEEN = "order", "rank", "photo"


@page.app_context_processor
def add_order() -> dict[str, Any]:
    """Lets templates show the cards of a group in the order that this device chose."""
    return {"cards_in_order": cards_in_order, "is_by_rank": _is_by_rank}


def _is_by_rank() -> bool:
    return choice_of_device(_ORDER) == _BY_RANK


def cards_in_order(group: TableGroup, view: RoundView) -> tuple[TableCard, ...]:
    """The cards of a group as they lie in the photo; those that a player has left by rank, if this device chose so."""
    if group.kind != "left" or not _is_by_rank():
        return group.cards
    places = {rank: place for place, rank in enumerate(view.deck.ranks)}  # a card may be of another deck
    return tuple(sorted(group.cards, key=lambda card: (places.get(card.face.rank, len(places)), card.face.suit)))


@page.get("/check/<card_id>")
def show(game_id: int, number: int, side: int, card_id: str) -> str:
    """One card of a group, with the ones before and after it."""
    view, side_view = find_side(game_id, number, side)
    card, group = side_view.table.card(card_id), side_view.table.group_of(card_id)
    if card is None or group is None:
        abort(404, _("That card is gone. Go back to the cards."))
    cards = cards_in_order(group, view)
    at = cards.index(card)
    return render_template(
        "corrections/one_by_one.html",
        view=view,
        side=side_view,
        here=view.url_values(side),
        card=card,
        group=group,
        at=at,
        before=cards[at - 1] if at else None,
        after=cards[at + 1] if at + 1 < len(cards) else None,
        likely=likely_faces(card.face, card.others, view.deck),
    )


@page.post("/order")
def save_order(game_id: int, number: int, side: int) -> Response:
    """Keeps for this device in which order it sees the cards left."""
    order = chosen(_ORDER, (_AS_SEEN, _BY_RANK))
    anchor = f"group-{request.form.get('group', '')}"
    response = redirect(url_for("side.left", game_id=game_id, number=number, side=side, _anchor=anchor), 303)
    keep_choice(response, _ORDER, order)
    return response
