"""What whoever runs a club evening does in the hall: who is here, and the clock of a round."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Redirect

from webui.context.choices import chosen, chosen_number
from webui.context.lookups import find_evening
from webui.context.once import once
from webui.context.services import services
from webui.events.ranking import RefusedError
from webui.events.steps import hall
from webui.storage.events.facts import MOST_MINUTES
from webui.storage.store import Store

page = Blueprint("hall", __name__, url_prefix="/evening/<int:event_id>/hall")


@page.get("/check-in")
def show(event_id: int) -> str:
    """Everybody on the list, to be checked in as they come."""
    evening = find_evening(event_id)
    missing = [name for name in evening.present if name not in evening.here]
    return render_template("evening/check_in.html", evening=evening, event=evening.record, missing=missing)


@page.post("/check-in")
@once
def check_in(event_id: int) -> Redirect:
    """Somebody is here, or is not after all."""
    name, here = request.form.get("name", ""), chosen("here", ("yes", "no")) == "yes"
    return _do(event_id, ".show", lambda store: hall.check_in(store, event_id, name, here))


@page.post("/no-shows")
@once
def take_off_absent(event_id: int) -> Redirect:
    """Takes everybody off the list who is not here."""
    return _do(event_id, "evening.show", lambda store: hall.take_off_absent(store, event_id))


@page.post("/clock")
@once
def set_clock(event_id: int) -> Redirect:
    """Starts the clock of a round, or stops it."""
    minutes, warning = (chosen_number(field, range(MOST_MINUTES + 1)) for field in ("minutes", "warning"))
    return _do(event_id, "evening.show", lambda store: hall.set_clock(store, event_id, minutes, warning))


def _do(event_id: int, then: str, action: Callable[[Store], None]) -> Redirect:
    find_evening(event_id)
    try:
        action(services().store)
    except RefusedError as error:
        flash(str(error))
    return redirect(url_for(then, event_id=event_id), 303)
