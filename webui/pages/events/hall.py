"""What whoever runs a club evening does in the hall: who is here, and the clock of a round."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, render_template

from webui.context.choices import chosen, chosen_number
from webui.context.evening_change import add_step
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
    return render_template("evening/check_in.html", evening=evening, event=evening.record)


_step = partial(add_step, page)
_minutes = partial(chosen_number, among=range(MOST_MINUTES + 1))
_step(
    "/check-in",
    "check_in",
    hall.check_in,
    lambda form: (form.get("name", ""), chosen("here", ("yes", "no")) == "yes"),
    then="hall.show",
)
_step("/no-shows", "take_off_absent", hall.take_off_absent, lambda _form: ())
_step("/clock", "set_clock", hall.set_clock, lambda _form: (_minutes("minutes"), _minutes("warning")))
