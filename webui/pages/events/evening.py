"""One club evening for who runs it: people, draws, tables, decisions, standings. Others who joined may look."""

from __future__ import annotations

from flask import Blueprint, Response, flash, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Redirect

from webui.context.choices import chosen, chosen_number
from webui.context.evening_change import change_evening
from webui.context.guard.idempotency import idempotent
from webui.context.guard.rights import is_keeper, keeper
from webui.context.lookups import find_evening
from webui.context.responses.no_stream import no_stream
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
    step = undoing.last_step(evening.record)
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


@page.get("/live")
def live(event_id: int) -> Response:
    """No stream: tables and people are many, and each would hold a thread. Pages ask for the version now and then."""
    del event_id
    return no_stream()


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


@page.post("/leave")
@keeper
@idempotent
def leave(event_id: int) -> Redirect:
    """Somebody goes home."""
    return change_evening(event_id, actions.leave, request.form.get("name", ""))


@page.post("/<int:number>/draw")
@keeper
@idempotent
def draw(event_id: int, number: int) -> Redirect:
    """Draws a game or set."""
    seed = "".join(sign for sign in request.form.get("seed", "") if sign.isalnum())[:40]
    return change_evening(event_id, draws.draw, number, seed)


@page.post("/<int:number>/hat")
@keeper
@idempotent
def draw_from_hat(event_id: int, number: int) -> Redirect:
    """Seats everyone by the numbers that they drew from a hat."""
    pairs = zip(request.form.getlist("name"), request.form.getlist("drawn"), strict=False)
    drawn = {name: whole_number(text) or 0 if text.strip() else None for name, text in pairs}  # 0 is in no hat
    return change_evening(event_id, draws.draw_from_hat, number, drawn)


@page.post("/<int:number>/swap")
@keeper
@idempotent
def swap(event_id: int, number: int) -> Redirect:
    """Lets two change places by hand."""
    one, two = request.form.get("one", ""), request.form.get("two", "")
    return change_evening(event_id, draws.swap, number, one, two)


@page.post("/<int:number>/confirm")
@keeper
@idempotent
def confirm(event_id: int, number: int) -> Redirect:
    """Confirms a draw."""
    return change_evening(event_id, draws.confirm, number, _draft())


@page.post("/<int:number>/release")
@keeper
@idempotent
def release(event_id: int, number: int) -> Redirect:
    """Announces the tables of a draw."""
    return change_evening(event_id, draws.release, number, _draft())


@page.post("/<int:number>/cut")
@keeper
@idempotent
def decide_cut(event_id: int, number: int) -> Redirect:
    """Says who plays on, where the scores leave it open."""
    names = tuple(request.form.getlist("name"))
    return change_evening(event_id, actions.decide_cut, number, names)


@page.post("/order")
@keeper
@idempotent
def decide_order(event_id: int) -> Redirect:
    """Puts those who are tied for a prize in order."""
    count = chosen_number("count", range(2, MOST_ENTRANTS + 1))
    names = tuple(request.form.get(f"place{place}", "") for place in range(count))
    return change_evening(event_id, actions.decide_order, names)


@page.post("/<int:number>/table/<int:table>/winner")
@keeper
@idempotent
def decide_winner(event_id: int, number: int, table: int) -> Redirect:
    """Says who won a tied set."""
    side = chosen_number("side", range(2))
    return change_evening(event_id, actions.decide_winner, number, table, side)


@page.post("/break")
@keeper
@idempotent
def take_break(event_id: int) -> Redirect:
    """Begins a break, or ends it."""
    minutes = chosen_number("minutes", range(MOST_MINUTES + 1))
    return change_evening(event_id, actions.take_break, minutes)


@page.post("/state")
@keeper
@idempotent
def set_state(event_id: int) -> Redirect:
    """Ends the evening, takes it off the list, or brings it back."""
    return change_evening(event_id, actions.set_state, chosen("state", ("", "finished", "removed")) or None)


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


@page.post("/table/<int:table>/helped")
@keeper
@idempotent
def helped(event_id: int, table: int) -> Redirect:
    """A table needs no help any more."""
    return change_evening(event_id, actions.call, table, False)


@page.post("/undo")
@keeper
@idempotent
def undo(event_id: int) -> Redirect:
    """Takes back the newest step."""
    evening = find_evening(event_id)
    undone = step_told(undoing.last_step(evening.record), evening)
    entry = request.form.get("entry", 0, type=int)
    return change_evening(event_id, undoing.undo, entry, done=_("Taken back: %(change)s", change=undone))


def _draft() -> int:
    return request.form.get("draft", 0, type=int)
