"""Corrections of a reading: a card, an added card, a group, a squared pile."""

from __future__ import annotations

import math
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.deck import DeckProfile
from scorer.faces import Face
from scorer.rules import RuleSet
from webui.access.network import split_url
from webui.context.choices import chosen_player
from webui.context.guard.idempotency import KEY_FIELD, idempotent
from webui.context.lookups import find_side, find_view, last_seen_change, requested_point
from webui.context.services import services
from webui.corrections.asked import likely_faces
from webui.corrections.loose import all_left, by_rank
from webui.corrections.side_table import BURIED, LAID, LOOSE, SideTable, TableGroup, left_id
from webui.rounds.pile_form import PileError, pile_questions, read_pile
from webui.rounds.round_view import RoundView, SideView
from webui.storage.changes import (
    NEW_MELD,
    NEW_PILE,
    Accept,
    Add,
    AddCards,
    Change,
    Count,
    Move,
    Name,
    Regroup,
    Remove,
    Reset,
    SetAside,
    Watched,
    read_change,
)
from webui.translation import _

_OF_OTHER_FORMS = AddCards | Count | SetAside | Watched
"""Changes that other forms look into before they are made."""

page = Blueprint("corrections", __name__, url_prefix="/game/<int:game_id>/round/<int:number>/side/<int:side>")
_NOT_SAID = {"token", "seen", KEY_FIELD, "typed", "ask", "first", "from", "then"}
"""Fields of the forms that are no part of a correction."""


@page.get("/card/<card_id>")
def card(game_id: int, number: int, side: int, card_id: str) -> str:
    """The form that asks what a card is."""
    view, side_view = find_side(game_id, number, side)
    found, group = side_view.table.card(card_id), side_view.table.group_of(card_id)
    if found is None or group is None:
        abort(404, _("That card is gone. Go back to the cards."))
    others = found.others or [(face, 0.0) for face in _fitting_faces(group, view.deck, view.rules)]
    if found.seen_as is not None:
        others = [(found.seen_as, 1.0), *(other for other in others if other[0] != found.seen_as)]
    return render_template(
        "corrections/card.html",
        view=view,
        side=side_view,
        here=view.url_values(side),
        card=found,
        group=group,
        seen_in=request.args.get("from", type=int),
        likely=likely_faces(found.face, others, view.deck),
        targets=_targets(side_view, view.rules, group.id),
    )


@page.get("/add")
def add(game_id: int, number: int, side: int) -> str:
    """The form for a card to add, to a group or at a point of a photo."""
    view, side_view = find_side(game_id, number, side)
    photo = next((photo for photo in side_view.photos if photo.id == request.args.get("photo", type=int)), None)
    x, y = requested_point()
    group_id = request.args.get("group", "")
    if photo is not None:
        group_id = left_id(photo.player) if photo.player is not None else _nearest(side_view.table, photo.id, x, y)
    group = side_view.table.group(group_id)
    beside = [card for one in request.args.getlist("beside") if (card := side_view.table.card(one)) is not None]
    first = request.args.get("first", 0, type=int)
    made = [one.id for one in view.record.corrections if first and one.side == side and one.id >= first]
    added = {id: card for id in made if (card := side_view.table.card(f"a{id}")) is not None}
    page_of_group = "side.left" if group is not None and group.kind == "left" else "side.show"
    return render_template(
        "corrections/add.html",
        first=first,
        added=[*added.values()],
        last=max(added, default=0),
        done=url_for(page_of_group, game_id=game_id, number=number, side=side),
        view=view,
        side=side_view,
        here=view.url_values(side),
        photo=photo,
        beside=beside,
        x=x,
        y=y,
        group_id=group_id if group is not None or group_id == NEW_PILE else NEW_MELD,
        # A meld begun here is offered none, as they would move the cards that are being tapped.
        likely=[] if group_id == f"n{first}" else _fitting_faces(group, view.deck, view.rules),
        targets=_targets(side_view, view.rules, None),
    )


@page.get("/group/<group_id>")
def group(game_id: int, number: int, side: int, group_id: str) -> str:
    """The form for a whole group: count a pile, split it, join it with another."""
    view, side_view = find_side(game_id, number, side)
    found = side_view.table.group(group_id)
    if found is None or not found.cards:
        abort(404, _("That group is gone. Go back to the cards."))
    return render_template(
        "corrections/group.html",
        view=view,
        side=side_view,
        here=view.url_values(side),
        group=found,
        questions=pile_questions(view, found, ask_rank=True),
        targets=_targets(side_view, view.rules, found.id),
    )


@page.get("/reset")
def reset(game_id: int, number: int, side: int) -> str:
    """Asks whether the cards of one step shall be again what the camera saw."""
    view, side_view = find_side(game_id, number, side)
    step = "left" if request.args.get("step") == "left" else "table"
    return render_template("corrections/reset.html", view=view, side=side_view, here=view.url_values(side), step=step)


@page.post("/change")
@idempotent
def save_change(game_id: int, number: int, side: int) -> Response:
    """Saves one correction."""
    view, side_view = find_side(game_id, number, side)
    document: dict[str, Any] = {key: value for key, value in request.form.items() if key not in _NOT_SAID}
    if document.get("op") == "add":
        document["beside"] = request.form.getlist("beside")
    if document.get("op") == "regroup":
        document["cards"] = request.form.getlist("cards")
        if not document["cards"]:
            flash(_("No cards were chosen. Tap the cards to move and try again."))
            return _back(view, side, None)
    try:
        correction = read_change(document)
        if isinstance(correction, _OF_OTHER_FORMS):
            raise ValueError("expected a change that is sent here")
    except ValueError:
        abort(400, _("That change could not be understood. Go back, reload the page and try again."))
    face = getattr(correction, "face", None)
    if face is not None and Face.parse(face) not in view.deck.copies:
        abort(400, _("This deck has no %(face)s. Go back and choose another.", face=face))
    _require_there(view, side_view, correction)
    confirmed = side_view.table.group(correction.group) if isinstance(correction, Accept) else None
    said_right = [card.id for card in confirmed.cards] if confirmed else ()
    stored = correction.model_dump(mode="json")
    made = services().store.rounds.correct(view.record.id, side, stored, last_seen_change(), said_right)
    if "first" in request.form:  # one of many cards that are added: on to the next
        first = request.form.get("first", type=int) or made
        into = _group_now(view, side, f"a{made}") or ""
        return redirect(url_for(".add", game_id=game_id, number=number, side=side, group=into, first=first), 303)
    if then := request.form.get("then"):  # one of a group that is checked card by card: on to the next
        return redirect(url_for("one_by_one.show", card_id=then, game_id=game_id, number=number, side=side), 303)
    if isinstance(correction, Reset) and correction.step:
        page_of_step = "side.left" if correction.step == "left" else "side.show"
        return redirect(url_for(page_of_step, game_id=game_id, number=number, side=side), 303)
    cards = getattr(correction, "cards", None) or (getattr(correction, "card", ""),)
    if isinstance(correction, Move | Regroup):  # to where the first of them is now
        now = _group_now(view, side, cards[0])
        return _back(view, side, now, cards[0] if now else None)
    current = side_view.table.group_of(cards[0])
    return _back(view, side, current.id if current else getattr(correction, "into", getattr(correction, "group", None)))


def _require_there(view: RoundView, side: SideView, change: Change) -> None:
    """Answers 400 where a change names a card, a group or a photo that this side has not."""
    table, new = side.table, {NEW_MELD, NEW_PILE, LAID, BURIED, LOOSE, *map(left_id, range(len(side.record.players)))}
    cards = getattr(change, "cards", (getattr(change, "card", None),))
    groups = {str(getattr(change, key)) for key in ("group", "into") if hasattr(change, key)}
    if isinstance(change, Add | Move | Regroup):
        groups -= new
    photo = getattr(change, "photo", None)
    if any(card is not None and table.card(card) is None for card in cards):
        abort(400, _("That card is not there any more. Go back and look at the cards again."))
    if any(table.group(group) is None for group in groups):
        abort(400, _("That group is gone. Go back to the cards."))
    if photo is not None and not any(one.id == photo and one.side == side.index for one in view.record.photos):
        abort(400, _("This side has no such photo. Go back to its cards."))


@page.post("/add/undo")
@idempotent
def take_back(game_id: int, number: int, side: int) -> Response:
    """Takes back the card that was added last, and leads on to adding others."""
    (view, _side), rounds = find_side(game_id, number, side), services().store.rounds
    step = rounds.last_undoable_step(view.record.id)
    if len(step) != 1 or (step[0].after or {}).get("id") != request.form.get("correction", 0, type=int):
        abort(409, _("Something else has changed since then. Go back and look at the cards again."))
    rounds.undo(view.record.id, step[0].id)
    group, first = request.form.get("group", ""), request.form.get("first", type=int)
    return redirect(url_for(".add", game_id=game_id, number=number, side=side, group=group, first=first), 303)


@page.post("/loose")
@idempotent
def sort_loose(game_id: int, number: int, side: int) -> Response:
    """Groups all loose cards by rank, or makes them a player's left-over cards: one step, undone as one."""
    view, side_view = find_side(game_id, number, side)
    player = chosen_player(len(side_view.record.players))
    table = side_view.table
    changes = by_rank(table, view.rules) if player is None else all_left(table, player)
    if changes:
        documents = [change.model_dump(mode="json") for change in changes]
        services().store.rounds.correct_all(view.record.id, side, documents, last_seen_change())
    else:
        flash(_("These cards are all different ranks. Say where each one belongs."))
    return _back(view, side, LOOSE)


@page.post("/looked")
@idempotent
def save_looked(game_id: int, number: int, side: int) -> Response:
    """Saves that cards were looked at and are right, or with ``remove`` that they are none: one step, undone as one."""
    view, side_view = find_side(game_id, number, side)
    cards = [side_view.table.card(card) for card in dict.fromkeys(request.form.getlist("cards"))]
    there, are_none = [card for card in cards if card is not None], "remove" in request.form
    made = [Remove(card=one.id) if are_none else Name(card=one.id, face=str(one.face)) for one in there]
    if not made or len(made) < len(cards):
        abort(400, _("That card is not there any more. Go back and look at the cards again."))
    documents = [change.model_dump(mode="json") for change in made]
    services().store.rounds.correct_all(view.record.id, side, documents, last_seen_change())
    if "check" in request.form:
        return redirect(url_for("round.check", game_id=game_id, number=number, _anchor=f"side{side}"), 303)
    return _back(view, side, request.form.get("group"))


@page.post("/group/<group_id>/count")
@idempotent
def save_count(game_id: int, number: int, side: int, group_id: str) -> Response:
    """Saves how many cards a squared pile has, and how many of each wild."""
    view, side_view = find_side(game_id, number, side)
    found = side_view.table.group(group_id)
    if found is None or found.kind not in ("meld", "pile"):
        abort(404, _("That group is gone. Go back to the cards."))
    try:
        document = read_pile(request.form, view, found).model_dump(mode="json")
        services().store.rounds.correct(view.record.id, side, document, last_seen_change())
    except PileError as error:
        flash(str(error))
    return _back(view, side, group_id)


def _group_now(view: RoundView, side: int, card_id: str) -> str | None:
    """The id of the group that a card is in by now; None where the card is gone."""
    group = find_view(view.game.id, view.record.number).sides[side].table.group_of(card_id)
    return group.id if group else None


def _back(view: RoundView, side: int, group_id: str | None, card_id: str | None = None) -> Response:
    """Leads to the step that shows a group, or without one to the step that the form came from; to a card of it."""
    left = any(group_id == left_id(player) for player in range(len(view.sides[side].record.players)))
    if group_id is None or ("ask" in request.form and request.referrer):  # the next question is on the same page
        left = split_url(request.referrer or "").path.endswith("/left")
    anchor = f"card-{card_id}" if card_id else f"group-{group_id}" if group_id else None
    if "ask" in request.form:
        anchor = "doubts"  # of their list: on to the next one
    elif "from" in request.form and card_id is None:  # pointed at in a photo: that stays in view
        anchor = f"photo-{request.form.get('from', 0, type=int)}"
    values: dict[str, Any] = {**view.url_values(side), "_anchor": anchor}
    return redirect(url_for("side.left" if left else "side.show", **values), 303)


def _targets(side: SideView, rules: RuleSet, excluded: str | None) -> list[TableGroup]:
    """The groups that a card can be moved to; laid threes only where the rules lay them, or where some lie there."""
    groups = (group for group in side.table.groups if group.kind != "laid" or rules.laid or group.cards)
    present = [group for group in groups if group.id != excluded]
    if excluded != LOOSE and all(group.id != LOOSE for group in present):
        present.append(TableGroup(LOOSE, "loose", ()))
    return present


def _fitting_faces(group: TableGroup | None, deck: DeckProfile, rules: RuleSet) -> list[Face]:
    """The faces that fit a meld: its rank in every suit, then wilds."""
    if group is None or group.kind not in ("meld", "pile") or group.rank is None:
        return []
    return [face for rank in (group.rank, *rules.wilds) for face in deck.faces if face.rank == rank]


def _nearest(table: SideTable, photo: int, x: float, y: float) -> str:
    """The id of the group whose card lies nearest to a point of a photo; empty if the photo shows no card."""
    corners = (
        (math.dist(corner, (x, y)), group.id)
        for group in table.groups
        for card in group.cards
        if card.photo == photo
        for corner in card.quad or (card.point or (math.inf, math.inf),)
    )
    return min(corners, default=(0.0, ""))[1]
