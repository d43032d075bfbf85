"""What whoever runs a club evening does in the hall: who is here, and the clock of a round."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from werkzeug.wrappers import Response as Redirect

from webui.context.choices import chosen, chosen_number
from webui.context.evening_change import change_evening
from webui.context.guard.idempotency import idempotent
from webui.context.guard.rights import keeper
from webui.context.lookups import find_evening
from webui.events.steps import hall
from webui.storage.events.facts import MOST_MINUTES

page = Blueprint("hall", __name__, url_prefix="/evening/<int:event_id>/hall")


@page.get("/check-in")
@keeper
def show(event_id: int) -> str:
    """Everybody on the list, to be checked in as they come."""
    evening = find_evening(event_id)
    missing = [name for name in evening.present if name not in evening.here]
    return render_template("evening/check_in.html", evening=evening, event=evening.record, missing=missing)


@page.post("/check-in")
@keeper
@idempotent
def check_in(event_id: int) -> Redirect:
    """Somebody is here, or is not after all."""
    name, here = request.form.get("name", ""), chosen("here", ("yes", "no")) == "yes"
    return change_evening(event_id, hall.check_in, name, here, then="hall.show")


@page.post("/no-shows")
@keeper
@idempotent
def take_off_absent(event_id: int) -> Redirect:
    """Takes everybody off the list who is not here."""
    return change_evening(event_id, hall.take_off_absent)


@page.post("/clock")
@keeper
@idempotent
def set_clock(event_id: int) -> Redirect:
    """Starts the clock of a round, or stops it."""
    minutes, warning = (chosen_number(field, range(MOST_MINUTES + 1)) for field in ("minutes", "warning"))
    return change_evening(event_id, hall.set_clock, minutes, warning)
