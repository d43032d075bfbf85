"""A side without photos: its cards typed at a stroke, or its points as people counted them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from flask import Blueprint, abort, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from scorer.deck import DeckProfile
from scorer.faces import Face
from scorer.rules import RuleSet
from scorer.sheets import TypedSide
from webui.context.guard.idempotency import idempotent
from webui.context.lookups import find_side, find_view, last_seen_change
from webui.context.services import services
from webui.corrections.answers import TABLE, set_nothing, set_typed
from webui.corrections.side_table import BURIED, LAID, left_id
from webui.pages.rounds.step_page import render_step, step_url
from webui.rounds.round_view import RoundView
from webui.rounds.steps import next_step, step_at, steps_of
from webui.rounds.typed.cards import Typed, TypedCardsError, read_cards, read_melds
from webui.rounds.typed.form import TypedFormError, read_typed, shown_sum, typed_questions, typed_total
from webui.storage.changes import NEW_MELD, NEW_PILE, AddCards
from webui.translation import _
from webui.wording import points_text

Read = TypeVar("Read")
page = Blueprint("typed", __name__, url_prefix="/game/<int:game_id>/round/<int:number>/side/<int:side>/typed")


@page.get("/points")
def points(game_id: int, number: int, side: int) -> str:
    """The form for counts and points of a side, or for its total alone."""
    return _points_form(find_side(game_id, number, side)[0], side)


@page.post("/points")
@idempotent
def save_points(game_id: int, number: int, side: int) -> Response | str:
    """Saves what people counted of a side, and leads on; the next side is then typed too."""
    view, _side = find_side(game_id, number, side)
    try:
        typed = read_typed(request.form, view)
    except TypedFormError as error:
        return _points_form(view, side, error)
    _save(view, side, typed)
    total, shown = typed_total(view, side, typed), shown_sum(request.form)
    if shown is not None and shown != total:
        name = view.sides[side].record.name
        flash(
            _(
                "Under these rules it is %(total)s points for %(name)s this round, not %(shown)s as the page showed.",
                name=name,
                total=points_text(total),
                shown=points_text(shown),
            )
        )
    view = find_view(game_id, number)
    steps = steps_of(view)
    following = next_step(steps, step_at(steps, "left", side))
    if following.side is not None and following.side != side:
        return redirect(url_for(".points", game_id=game_id, number=number, side=following.side), 303)
    return redirect(step_url(view, following), 303)


@page.post("/take-back")
@idempotent
def take_back(game_id: int, number: int, side: int) -> Response:
    """Lets a side's cards count again, and not what people counted."""
    view, _side = find_side(game_id, number, side)
    _save(view, side, None)
    return redirect(url_for("side.show", game_id=game_id, number=number, side=side), 303)


@page.get("/cards")
def cards(game_id: int, number: int, side: int) -> str:
    """The form for cards: those of one group that the query names, or of the whole side."""
    return _cards_form(find_side(game_id, number, side)[0], side, request.args.get("group", ""))


@page.post("/cards")
@idempotent
def save_cards(game_id: int, number: int, side: int) -> Response | str:
    """Adds the typed cards to the side: a meld for each line, laid and buried cards, and what each player has left.

    A side of which only left-over cards were typed has nothing on the table.
    """
    view, _side = find_side(game_id, number, side)
    group = request.form.get("group", "")
    try:
        typed = _one_group(view, group) if group else _whole_side(view, side)
        changes = [_added(where, cards) for where, cards in typed if cards]
    except TypedFormError as error:
        return _cards_form(view, side, group, error)
    except ValueError:
        abort(400, _("That group of cards does not exist. Go back to the cards."))
    if not changes:
        none = _("No cards were typed. Type some, like 8 8 8 2, or go back.")
        return _cards_form(view, side, group, TypedFormError("typed" if group else "melds", none))
    documents = [change.model_dump(mode="json") for change in changes]
    rounds, is_left = services().store.rounds, all(change.group.startswith("left") for change in changes)
    if is_left and not group and not view.sides[side].is_known(TABLE):  # the fields of the table were left empty
        nothing = partial(set_nothing, side=side, area=TABLE)
        rounds.change_facts(view.record.id, nothing, last_seen_change(), {side: documents})
    else:
        rounds.correct_all(view.record.id, side, documents, last_seen_change())
    return redirect(url_for("side.left" if is_left else "side.show", game_id=game_id, number=number, side=side), 303)


def _added(group: str, cards: Sequence[Typed]) -> AddCards:
    suitless = tuple(place for place, card in enumerate(cards) if not card.says_suit)
    return AddCards(group=group, faces=tuple(str(card.face) for card in cards), suitless=suitless)


def _one_group(view: RoundView, group: str) -> list[tuple[str, list[Typed]]]:
    """The cards typed for one group. Several cards that make a new one are seen, so that they are no squared pile."""
    faces = _read(read_cards, view, "typed", _there(view))
    return [(NEW_MELD if group == NEW_PILE and len(faces) > 1 else group, faces)]


def _whole_side(view: RoundView, side: int) -> list[tuple[str, list[Typed]]]:
    """The cards of each field with the group that they go to."""
    players, there = range(len(view.sides[side].record.players)), _there(view)
    melds = [(NEW_MELD, meld) for meld in _read(read_melds, view, "melds", there)]
    beside = [(where, _read(read_cards, view, where, there)) for where in (LAID, BURIED, *map(left_id, players))]
    return [*melds, *beside]


def _there(view: RoundView) -> Counter[Face]:
    """How many there are of each face in the round so far."""
    return Counter(card.face for side in view.sides for group in side.table.groups for card in group.cards)


def _read(
    read: Callable[[str, RuleSet, DeckProfile, Counter[Face]], list[Read]],
    view: RoundView,
    field: str,
    there: Counter[Face],
) -> list[Read]:
    """What a field of cards says, which comes to those that are there.

    Raises:
        TypedFormError: a word of it is no card.
    """
    try:
        return read(request.form.get(field, ""), view.rules, view.deck, there)
    except TypedCardsError as error:
        raise TypedFormError(field, str(error)) from error


def _save(view: RoundView, side: int, typed: TypedSide | None) -> None:
    services().store.rounds.change_facts(
        view.record.id, lambda facts: set_typed(facts, side, typed), last_seen_change()
    )


def _points_form(view: RoundView, side: int, error: TypedFormError | None = None) -> str:
    return _form("typed/points.html", view, side, error, asked=typed_questions(view, side))


def _cards_form(view: RoundView, side: int, group: str, error: TypedFormError | None = None) -> str:
    found = view.sides[side].table.group(group)
    name = view.sides[side].name(found) if found else _("a new meld") if group else ""
    return _form("typed/cards.html", view, side, error, group=group, group_name=name)


def _form(template: str, view: RoundView, side: int, error: TypedFormError | None, **values: Any) -> str:
    return render_step(
        template,
        view,
        "left" if values.get("group", "").startswith("left") else "table",
        side,
        side=view.sides[side],
        here=view.url_values(side),
        wrong={error.field: str(error)} if error else {},
        said=request.form,
        **values,
    )
