"""One team or person of a club evening, for who runs it: names, substitutes, coming back, penalties."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, abort, render_template, request, url_for
from werkzeug.wrappers import Response as Redirect

from webui.context.choices import chosen, chosen_number
from webui.context.evening_change import change_evening
from webui.context.guard.idempotency import idempotent
from webui.context.guard.rights import keeper
from webui.context.lookups import find_evening
from webui.events.entry import roster
from webui.events.evening import Evening
from webui.events.steps import hall
from webui.translation import _
from webui.whole_numbers import whole_number
from webui.wording import tidy

page = Blueprint("roster", __name__, url_prefix="/evening/<int:event_id>/roster")


@page.get("/")
@keeper
def show(event_id: int) -> str:
    """The names of a team or person, and who plays for whom."""
    evening = find_evening(event_id)
    entrant = evening.entrants.get(request.args.get("name", ""))
    if entrant is None:
        abort(404, _("Nobody of that name takes part. Look at the list again."))
    return render_template(
        "evening/roster.html",
        evening=evening,
        event=evening.record,
        entrant=entrant,
        now=_now(evening, entrant.name),
    )


def _now(evening: Evening, name: str) -> tuple[int, int]:
    """The stage and round that somebody plays now, or plays next."""
    for stage in evening.stages:
        table = evening.table_of(name, stage.number)
        agreed = evening.results.get((stage.number, table or 0), {})
        for number in range(1, evening.rounds + 1):
            if (table is not None and number not in agreed) or not stage.released:
                return stage.number, number
    return len(evening.stages), evening.rounds


@page.post("/rename")
@keeper
@idempotent
def rename(event_id: int) -> Redirect:
    """Calls a team or person otherwise, everywhere at once."""
    name, to = request.form.get("name", ""), tidy(request.form.get("to", ""))
    players = tuple(filter(None, map(tidy, request.form.getlist("player"))))
    group = request.form.get("group")
    return _do(event_id, roster.rename, name, to, players, group, done=_("The names are saved."))


@page.post("/substitute")
@keeper
@idempotent
def substitute(event_id: int) -> Redirect:
    """Lets somebody play in place of a player from a round on."""
    form, counts = request.form, chosen("counts", ("substitute", "player")) == "substitute"
    name, player, by = form.get("name", ""), form.get("player", ""), tidy(form.get("by", ""))
    stage, number = (chosen_number(field, range(1, 101)) for field in ("stage", "round"))
    done = _("%(substitute)s plays for %(name)s.", substitute=by, name=player)
    return _do(event_id, roster.substitute, name, player, by, stage, number, counts, done=done)


@page.post("/back")
@keeper
@idempotent
def come_back(event_id: int) -> Redirect:
    """Somebody who went home takes part again."""
    return _do(event_id, roster.come_back, request.form.get("name", ""))


@page.post("/adjust")
@keeper
@idempotent
def adjust(event_id: int) -> Redirect:
    """A penalty, or extra points, for a reason."""
    form, sign = request.form, -1 if chosen("way", ("off", "extra")) == "off" else 1
    name, reason = form.get("name", ""), tidy(form.get("words", "")) or tidy(form.get("reason", ""))
    points, stage = whole_number(form.get("points", "").replace(",", "").strip()), chosen_number("stage", range(1, 101))
    signed = sign * points if points is not None and points > 0 else None
    return _do(event_id, hall.adjust, name, stage, signed, reason)


@page.post("/take-back")
@keeper
@idempotent
def take_back(event_id: int) -> Redirect:
    """A penalty or extra points count no more."""
    number = request.form.get("number", 0, type=int)
    return _do(event_id, hall.take_back_adjustment, number)


def _do(event_id: int, step: Callable[..., None], *said: object, done: str = "") -> Redirect:
    """Changes the list, and shows the evening; where it could not be done, what was typed is one step back."""
    name = request.form.get("name", "")
    known = name in find_evening(event_id).entrants
    shown = url_for(".show", event_id=event_id, name=name) if known else ""
    return change_evening(event_id, step, *said, done=done, refused=shown)
