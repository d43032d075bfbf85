"""One club evening for who runs it: people, draws, tables, decisions, standings. Others who joined may look."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, flash, jsonify, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as Redirect

from webui.context.choices import chosen, chosen_number
from webui.context.evening_change import add_step, change_evening
from webui.context.guard.idempotency import idempotent
from webui.context.guard.rights import is_keeper, keeper
from webui.context.lookups import find_evening
from webui.context.services import services
from webui.context.visitor import known_names
from webui.events.entry.entrants import Understood
from webui.events.evening import Evening
from webui.events.formats import format_of
from webui.events.ranking import RefusedError
from webui.events.shown.corrections import corrections
from webui.events.shown.history import history, step_told
from webui.events.shown.tables import all_rounds, tables_now
from webui.events.steps import actions, draws, undoing
from webui.events.steps.draws import misfits, unseated
from webui.events.stored import known_groups
from webui.storage.events.facts import MOST_ENTRANTS, MOST_MINUTES
from webui.translation import _
from webui.whole_numbers import whole_number
from webui.wording import name_key

page = Blueprint("evening", __name__, url_prefix="/evening/<int:event_id>")


@page.get("/")
def show(event_id: int) -> str:
    """The evening as it stands."""
    store = services().store
    evening = find_evening(event_id)
    stage = evening.current
    playing = evening.playing
    told = format_of(evening)
    decisions = told.decisions()
    step = undoing.offered_step(evening)
    tables = tables_now(store, evening, playing.number) if playing else []
    unsettled = [
        (table, of.number) for table in all_rounds(store, evening) for of in table.rounds if of.state == "changed"
    ]
    return render_template(
        "evening/evening.html",
        evening=evening,
        event=evening.record,
        word=evening.stage_word,
        runs=is_keeper(),
        stage=stage,
        playing=playing,
        tables=tables,
        unsettled=unsettled,
        waiting=any(one.state == "names" for one in tables),
        told=told,
        rows=told.standings(),
        prizes=told.prizes(),
        decisions=decisions,
        undecided=any(one.kind != "review" for one in decisions),
        blocked=any(one.kind in ("cut", "winner") for one in decisions),
        corrected=corrections(store, evening),
        missing=misfits(evening, stage) if stage.status in ("draft", "confirmed") else (),
        unseated=unseated(evening),
        joins=not actions.closed(evening),
        last=step[-1].number if step else None,
        undoes=step_told(step, evening),
        version=evening.version,
        **_known(evening),
    )


def _known(evening: Evening) -> dict[str, object]:
    """Names of people who played before and do not take part, with the groups in which some of them were ranked."""
    taking_part = {name_key(name) for one in evening.entrants.values() for name in (one.name, *one.players)}
    known = [name for name in known_names() if name_key(name) not in taking_part]
    groups = known_groups(services().store, known) if evening.record.setup.groups else {}
    return {"known": known, "groups_of": groups}


@page.get("/version")
def version(event_id: int) -> Response:
    """The number of the evening's last change."""
    return jsonify(version=services().evenings.version(event_id))


@page.get("/history")
def show_history(event_id: int) -> str:
    """Everything that was done, newest first."""
    evening = find_evening(event_id)
    return render_template("evening/history.html", evening=evening, lines=history(evening))


@page.get("/rounds")
def show_rounds(event_id: int) -> str:
    """Every round of every table, with what is missing, to look, enter and correct."""
    evening = find_evening(event_id)
    tables = all_rounds(services().store, evening)
    return render_template(
        "evening/rounds.html", evening=evening, tables=tables, open=[one for one in tables if one.missing]
    )


@page.post("/people")
@keeper
@idempotent
def enter(event_id: int) -> Redirect | str | tuple[str, int]:
    """Adds teams or people, once the visitor has seen what the list is understood as."""
    evening, text = find_evening(event_id), request.form.get("people", "")
    if why := actions.closed(evening):
        flash(why)
        return redirect(url_for(".show", event_id=event_id), 303)
    try:
        understood = actions.understood(evening, text)
    except RefusedError as error:
        return _check(evening, text, sentence=str(error)), 400
    if not understood.is_agreed(request.form):
        return _check(evening, text, understood)
    return change_evening(event_id, actions.enter, text, understood.mark)


def _check(evening: Evening, text: str, understood: Understood | None = None, sentence: str = "") -> str:
    """What a list is understood as, or why it is not understood, with the list to be corrected."""
    return render_template(
        "evening/check.html",
        evening=evening,
        event=evening.record,
        text=text,
        understood=understood,
        sentence=sentence,
        **_known(evening),
    )


Form = MultiDict[str, str]
_step = partial(add_step, page)


def _seed(form: Form, number: int) -> tuple[object, ...]:
    return number, "".join(sign for sign in form.get("seed", "") if sign.isalnum())[:40]


def _drawn(form: Form, number: int) -> tuple[object, ...]:
    pairs = zip(form.getlist("name"), form.getlist("drawn"), strict=False)
    return number, {name: whole_number(text) or 0 if text.strip() else None for name, text in pairs}  # 0 is in no hat


def _places(form: Form) -> tuple[object, ...]:
    count = chosen_number("count", range(2, MOST_ENTRANTS + 1))
    return (tuple(form.get(f"place{place}", "") for place in range(count)),)


def _draft(form: Form, number: int) -> tuple[object, ...]:
    return number, form.get("draft", 0, type=int)


_step("/leave", "leave", actions.leave, lambda form: (form.get("name", ""),))
_step("/<int:number>/draw", "draw", draws.draw, _seed)
_step("/<int:number>/hat", "draw_from_hat", draws.draw_from_hat, _drawn)
_step("/<int:number>/swap", "swap", draws.swap, lambda form, number: (number, form.get("one", ""), form.get("two", "")))
_step("/<int:number>/confirm", "confirm", draws.confirm, _draft)
_step("/<int:number>/release", "release", draws.release, _draft)
_step("/<int:number>/cut", "decide_cut", actions.decide_cut, lambda form, number: (number, tuple(form.getlist("name"))))
_step("/order", "decide_order", actions.decide_order, _places)
_step(
    "/<int:number>/table/<int:table>/winner",
    "decide_winner",
    actions.decide_winner,
    lambda _form, number, table: (number, table, chosen_number("side", range(2))),
)
_step("/break", "take_break", actions.take_break, lambda _form: (chosen_number("minutes", range(MOST_MINUTES + 1)),))
_step("/state", "set_state", actions.set_state, lambda _form: (chosen("state", ("", "finished", "removed")) or None,))
_step("/table/<int:table>/helped", "helped", actions.call, lambda _form, table: (table, False))


@page.post("/delete")
@keeper
@idempotent
def delete_rehearsal(event_id: int) -> Redirect:
    """Deletes a rehearsal for good; any other evening can only be taken off the list."""
    find_evening(event_id)
    if not services().store.events.delete_rehearsal(event_id):
        flash(_("Only a rehearsal can be removed for good."))
        return redirect(url_for(".show", event_id=event_id), 303)
    flash(_("The rehearsal is gone, with all its people and scores."), "good")
    return redirect(url_for("evenings.show"), 303)


@page.post("/undo")
@keeper
@idempotent
def undo(event_id: int) -> Redirect:
    """Takes back the newest step."""
    evening = find_evening(event_id)
    undone = step_told(undoing.last_step(evening.record), evening)
    entry = request.form.get("entry", 0, type=int)
    return change_evening(event_id, undoing.undo, entry, done=_("Taken back: %(change)s", change=undone))
