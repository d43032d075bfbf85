"""One round: who went out, what no camera sees, the check before both sides agree, and the tally afterwards."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, flash, json, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Redirect

from scorer.rules import load_rules
from webui.context.choices import chosen, chosen_number
from webui.context.guard.idempotency import idempotent
from webui.context.guard.rights import viewer
from webui.context.lookups import find_game, find_view, last_seen_change
from webui.context.services import services
from webui.corrections import answers
from webui.corrections.asked import GATHERED
from webui.games.progress import game_progress
from webui.pages.rounds.step_page import attention_url, render_step, step_url
from webui.reading.photo_jobs import photos_waiting
from webui.rounds.agreement import AttentionError, NotYetError, agree_to_sheet
from webui.rounds.attention import attention_mark
from webui.rounds.overlay.outlines import outlines
from webui.rounds.overlay.tags import names
from webui.rounds.round_view import RoundView, told_tally
from webui.rounds.steps import needs_attention, next_step, step_at, steps_of
from webui.translation import _
from webui.whole_numbers import whole_number

page = Blueprint("round", __name__, url_prefix="/game/<int:game_id>/round/<int:number>")

_COUNTS = ("exact_deals", "improper_melds")
_BONUS = "bonus-"
"""How the fields of the named bonuses begin; the side and the name follow: ``bonus-0-no foot``."""


@page.get("/")
def show(game_id: int, number: int) -> Redirect:
    """Leads to the step that comes next."""
    view = find_view(game_id, number)
    return redirect(step_url(view, next_step(steps_of(view))))


@page.get("/out")
def out(game_id: int, number: int) -> str:
    """The step that asks who went out."""
    return render_step("round/out.html", find_view(game_id, number), "out")


@page.get("/unseen")
def unseen(game_id: int, number: int) -> str:
    """The step that asks for what no camera sees."""
    return render_step("round/unseen.html", find_view(game_id, number), "unseen")


@page.get("/check")
def check(game_id: int, number: int) -> str:
    """The step with every line of both sides beside the photos; ``lit`` in the query names a line to highlight."""
    view = find_view(game_id, number)
    drawn = {photo.id: outlines(side.table, photo) for side in view.sides for photo in side.photos}
    lit = request.args.get("lit", "")
    return render_step("round/check.html", view, "check", drawn=drawn, names=names, lit=_lit(view, lit), lit_line=lit)


@page.get("/anyway")
def anyway(game_id: int, number: int) -> str | Redirect:
    """Asks whether a side, or everybody, agrees although something needs attention."""
    view = find_view(game_id, number)
    steps = steps_of(view)
    if any(step.waits_for for step in steps):  # which the check says, and where to answer it
        return redirect(url_for(".check", game_id=game_id, number=number))
    things = needs_attention(view, steps)
    side = _index(request.args.get("side", ""), len(view.sides))
    return render_template(
        "round/anyway.html",
        view=view,
        side=None if side is None else view.sides[side],
        alone=side is not None and all(view.has_agreed(one.index) for one in view.sides if one.index != side),
        attention=things,
        told=any(view.has_agreed(one.index) for one in view.sides),
        attention_url=attention_url,
        mark=attention_mark(things),
    )


def _lit(view: RoundView, line: str) -> frozenset[str]:
    """The ids of the cards of a line: ``SIDE-GROUP`` for a whole group, ``SIDE-GROUP-N`` for its N-th line, and
    ``SIDE-GATHERED`` for the cards that one look asks about."""
    side_text, _, rest = line.partition("-")
    group_id, _, part = rest.partition("-")
    side = _index(side_text, len(view.sides))
    if side is None:
        return frozenset()
    side_view = view.sides[side]
    if group_id == GATHERED:
        return frozenset(card.id for left in (False, True) for card in side_view.table.gathered(left))
    group = side_view.table.group(group_id)
    if group is None:
        return frozenset()
    lines = side_view.lines(group_id)
    place = whole_number(part) or 0
    cards = side_view.cards_of(group, lines[place - 1]) if 0 < place <= len(lines) else group.cards
    return frozenset(card.id for card in cards)


@page.post("/facts")
@idempotent
def save_answers(game_id: int, number: int) -> Redirect:
    """Saves the answers in the form, whichever it has, and agrees the round if it says so."""
    view = find_view(game_id, number)
    form, store, sides = request.form, services().store, len(view.sides)
    step = "check"
    if "went_out" in form:
        side, player = _submitted_went_out(view)
        store.rounds.change_facts(
            view.record.id, lambda facts: answers.set_went_out(facts, sides, side, player), last_seen_change()
        )
        step = "out"
    counted = any(f"{key}{side}" in form for key in _COUNTS for side in range(sides))
    if "unseen" in form or counted or any(key.startswith(_BONUS) for key in form):
        _save_unseen(view)
        step = "unseen"
    view = find_view(game_id, number)
    if "agree" not in form and "confirm" not in form:
        steps = steps_of(view)
        return redirect(step_url(view, next_step(steps, step_at(steps, "out" if step == "out" else "unseen"))), 303)
    return _agree(view)


def _submitted_went_out(view: RoundView) -> tuple[int | None, int | None]:
    """The side and player that the form names: ``1.0``, or ``1`` for a side alone; an empty field means nobody."""
    seats = {f"{side.index}.{seat}" for side in view.sides for seat in range(len(side.record.players))}
    side, _dot, player = chosen("went_out", {"", *(str(side.index) for side in view.sides), *seats}).partition(".")
    return whole_number(side), whole_number(player)


def _index(text: str, count: int) -> int | None:
    """The index that a text names among so many; None where it names none of them."""
    index = whole_number(text)
    return index if index is not None and index < count else None


def _save_unseen(view: RoundView) -> None:
    """Saves the counts of what no camera sees."""
    counts = {side.index: _counts(view, side.index) for side in view.sides}
    change_facts = services().store.rounds.change_facts
    change_facts(view.record.id, lambda facts: answers.set_unseen(facts, counts), last_seen_change())


def _counts(view: RoundView, side: int) -> dict[str, Any]:
    """How often the form says that a side got each bonus and penalty. Facts without named ones stay as they were."""
    counts: dict[str, Any] = {key: _count(f"{key}{side}") for key in _COUNTS}
    named = {bonus.name: _count(f"{_BONUS}{side}-{bonus.name}") for bonus in view.rules.asked if not bonus.key}
    if named or view.sides[side].facts.bonuses:
        counts["bonuses"] = {name: times for name, times in named.items() if times}
    return counts


def _agree(view: RoundView) -> Redirect:
    """Records which sides agree to the sheet as they saw it; once all do, the round is agreed."""
    game_id, number = view.game.id, view.record.number
    chosen = request.form.get("agree", type=int)
    if "confirm" in request.form and view.game.event:
        flash(_("At a club evening each side agrees for itself. Press the button of each side."))
        return redirect(url_for(".check", game_id=game_id, number=number), 303)
    sides = [side.index for side in view.sides if "confirm" in request.form or side.index == chosen]
    try:
        agreed = agree_to_sheet(
            services().store,
            view,
            sides,
            request.form.get("mark", ""),
            request.form.get("over", ""),
            lambda: photos_waiting(services().photo_queue.jobs(), game_id, number),
        )
    except AttentionError:
        only = None if "confirm" in request.form else chosen
        return redirect(url_for(".anyway", game_id=game_id, number=number, side=only), 303)
    except NotYetError as error:
        flash(str(error))
        return redirect(url_for(".check", game_id=game_id, number=number), 303)
    if not agreed:
        return redirect(url_for(".check", game_id=game_id, number=number), 303)
    services().looks.renew(view.game)  # the next photo is read with what this round teaches
    return redirect(url_for(".tally", game_id=game_id, number=number), 303)


@page.get("/tally")
@viewer
def tally(game_id: int, number: int) -> str:
    """The tally of the agreed round, line by line, and the running totals."""
    view = find_view(game_id, number)
    game, record = view.game, view.record
    rules = load_rules(game.rules)
    scored = told_tally(record, rules, [side.record for side in view.sides])
    if scored is None:
        abort(404, _("You have not agreed on this round yet. Go back to the round and agree."))
    progress = game_progress(game, rules)
    points = progress.points
    totals = [sum(points[n][side] for n in points if n <= number) for side in range(len(game.sides))]
    following = number + 1 if number < rules.rounds.for_players(game.players) and not progress.over else None
    return render_template(
        "round/tally.html",
        view=view,
        scored=scored,
        until_now=totals,
        following=following,
        progress=progress,
        done=points,
        set_ended=progress.set_ending(number),
        is_typed=[side.is_typed for side in progress.results[number]],
    )


@page.get("/sheet.json")
def sheet(game_id: int, number: int) -> Response:
    """The agreed round sheet as ``handfoot score`` takes it."""
    game = find_game(game_id)
    record = game.round(number)
    if record is None or record.agreed_sheet is None:
        abort(404, _("You have not agreed on this round yet. Go back to the round and agree."))
    name = f"{'practice-' if game.practice else ''}game-{game_id}-round-{number}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(json.dumps(record.agreed_sheet) + "\n", mimetype="application/json", headers=headers)


def _count(name: str) -> int:
    return chosen_number(name, range(100), unsaid=0)
