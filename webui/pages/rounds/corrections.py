"""Mending what the reader saw: one card, one card more, one pile; and taking the last change back."""

from __future__ import annotations

import math
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.deck import DeckProfile
from scorer.faces import Face
from scorer.rules import RuleSet
from webui.access.network import split_address
from webui.context.lookups import asked_point, find_view, seen
from webui.context.services import services
from webui.corrections.changes import read_change
from webui.corrections.side_table import LOOSE, SideTable, TableGroup, left_id
from webui.rounds.pile_form import read_pile, refusal
from webui.rounds.round_view import RoundView, SideView

page = Blueprint("mend", __name__, url_prefix="/game/<int:game_id>/round/<int:number>/side/<int:side>")

_LIKELY = 6


@page.get("/card/<card_id>")
def card(game_id: int, number: int, side: int, card_id: str) -> str:
    view, shown = _shown(game_id, number, side)
    found = shown.table.card(card_id)
    group = shown.table.group_of(card_id)
    if found is None or group is None:
        abort(404, "That card is not there any more; go back to the side's cards.")
    likely = [face for face, _ in found.others if face != found.face and face in view.deck.copies][:_LIKELY]
    if found.seen_as is not None and found.seen_as != found.face and found.seen_as not in likely:
        likely.insert(0, found.seen_as)
    return render_template(
        "corrections/card.html",
        view=view,
        side=shown,
        here=view.url_values(side),
        card=found,
        group=group,
        likely=likely or [face for face in _of_group(group, view.deck, view.rules) if face != found.face],
        targets=_targets(shown, group.id),
    )


@page.get("/add")
def add(game_id: int, number: int, side: int) -> str:
    """Asks which card to add: to a group, or at a point of a photo."""
    view, shown = _shown(game_id, number, side)
    photo = next((held for held in shown.photos if held.id == request.args.get("photo", type=int)), None)
    x, y = asked_point()
    group_id = request.args.get("group", "")
    if photo is not None:
        group_id = left_id(photo.player) if photo.player is not None else _nearest(shown.table, photo.id, x, y)
    group = shown.table.group(group_id)
    return render_template(
        "corrections/add.html",
        view=view,
        side=shown,
        here=view.url_values(side),
        photo=photo,
        x=x,
        y=y,
        group_id=group_id or "new-meld",
        likely=_of_group(group, view.deck, view.rules),
        targets=_targets(shown, None),
    )


@page.get("/group/<group_id>")
def group(game_id: int, number: int, side: int, group_id: str) -> str:
    """What can be done with a whole group: count a pile, split it, join it with another."""
    view, shown = _shown(game_id, number, side)
    found = shown.table.group(group_id)
    if found is None or not found.cards:
        abort(404, "That group is not there any more; go back to the side's cards.")
    wilds = {rank: sum(face.rank == rank for face in found.wilds) for rank in view.rules.wild_ranks}
    if found.place != "pile":
        for card in found.cards:
            if card.face.rank in wilds:
                wilds[card.face.rank] += 1
    ranks = [rank for rank in view.deck.ranks if rank not in view.rules.never_melded]
    return render_template(
        "corrections/group.html",
        view=view,
        side=shown,
        here=view.url_values(side),
        group=found,
        wilds=wilds,
        ranks=ranks,
        targets=_targets(shown, found.id),
    )


@page.post("/change")
def change(game_id: int, number: int, side: int) -> Response:
    """Keeps one correction."""
    view, shown = _shown(game_id, number, side)
    document: dict[str, Any] = {key: value for key, value in request.form.items() if key not in ("token", "seen")}
    if document.get("op") == "regroup":
        document["cards"] = request.form.getlist("cards")
        if not document["cards"]:
            flash("No card was chosen; tick the cards that belong elsewhere and choose again.")
            return _back(view, side, None)
    try:
        made = read_change(document)
    except ValueError:
        abort(400, "That change could not be understood; go back, load the page again and repeat the step.")
    face = getattr(made, "face", None)
    if face is not None and Face.parse(face) not in view.deck.copies:
        abort(400, f"There is no card {face} in this deck; go back and choose another.")
    services().store.rounds.correct(view.record.id, side, made.model_dump(mode="json"), seen())
    cards = getattr(made, "cards", None) or (getattr(made, "card", ""),)
    stood = shown.table.group_of(cards[0]) if isinstance(cards, tuple) else None
    return _back(view, side, stood.id if stood else getattr(made, "into", None) or getattr(made, "group", None))


@page.post("/group/<group_id>/count")
def count(game_id: int, number: int, side: int, group_id: str) -> Response:
    """Keeps how many cards a squared pile has, and how many of each wild."""
    view, _ = _shown(game_id, number, side)
    counted = read_pile(request.form, view, group_id, request.form.get("rank", ""))
    if counted is None:
        flash(refusal(request.form))
    else:
        services().store.rounds.correct(view.record.id, side, counted.model_dump(mode="json"), seen())
    return _back(view, side, group_id)


def _shown(game_id: int, number: int, side: int) -> tuple[RoundView, SideView]:
    view = find_view(game_id, number)
    if side >= len(view.sides):
        abort(404, "There is no such side in this game; go back to the round.")
    return view, view.sides[side]


def _back(view: RoundView, side: int, group_id: str | None) -> Response:
    """The step that shows the group, at that group; where no group is meant, the step that the form came from."""
    left = any(group_id == left_id(player) for player in range(len(view.sides[side].record.players)))
    if group_id is None:
        left = split_address(request.referrer or "").path.endswith("/left")
    place: dict[str, Any] = view.url_values(side)
    anchor = f"group-{group_id}" if group_id else None
    return redirect(url_for("side.left" if left else "side.show", _anchor=anchor, **place), 303)


def _targets(side: SideView, without: str | None) -> list[TableGroup]:
    """The groups that a card can be put in."""
    present = [held for held in side.table.groups if held.id != without]
    if without != LOOSE and all(held.id != LOOSE for held in present):
        present.append(TableGroup(LOOSE, "loose", ()))
    return present


def _of_group(group: TableGroup | None, deck: DeckProfile, rules: RuleSet) -> list[Face]:
    """The faces that would fit a meld: its own rank in every suit, then wilds."""
    if group is None or group.place not in ("meld", "pile") or group.rank is None:
        return []
    return [face for rank in (group.rank, *rules.wild_ranks) for face in deck.faces if face.rank == rank]


def _nearest(table: SideTable, photo: int, x: float, y: float) -> str:
    """The group whose card lies nearest to a point of a photo; empty where no card lies in it."""
    best, nearest = "", math.inf
    for card in table.cards_in(photo):
        corners = card.quad or ((card.point,) if card.point else ())
        for corner in corners:
            away = math.dist(corner, (x, y))
            group = table.group_of(card.id)
            if away < nearest and group is not None:
                best, nearest = group.id, away
    return best
