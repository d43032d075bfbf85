"""A change to a club evening that a form asks for, and the page that is shown after it."""

from __future__ import annotations

from collections.abc import Callable

from flask import flash, redirect, url_for
from werkzeug.wrappers import Response

from webui.context.lookups import find_evening
from webui.context.services import services
from webui.events.ranking import RefusedError


def change_evening(
    event_id: int,
    step: Callable[..., None],
    *said: object,
    done: str = "",
    then: str = "evening.show",
    refused: str = "",
    **values: object,
) -> Response:
    """Does something with an evening, and shows a page of it, with a sentence where it could not be done.

    Args:
        event_id: the evening; answers 404 if there is none.
        step: what is done, one of ``webui.events.steps`` or ``entry.roster``; raises RefusedError where it cannot be.
        said: what the step is given beside the storage and the evening.
        done: a sentence that says it was done; empty for none.
        then: the endpoint of the page.
        refused: the address to show instead where it could not be done.
        values: other values of the page's address.
    """
    find_evening(event_id)
    try:
        step(services().store, event_id, *said)
    except RefusedError as error:
        flash(str(error))
        if refused:
            return redirect(refused, 303)
    else:
        if done:
            flash(done, "good")
    return redirect(url_for(then, event_id=event_id, **values), 303)  # type: ignore[arg-type]
