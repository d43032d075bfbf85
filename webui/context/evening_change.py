"""A change to a club evening that a form asks for, and the page that is shown after it."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from webui.context.guard.idempotency import idempotent
from webui.context.guard.rights import keeper
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


def add_step(
    page: Blueprint,
    rule: str,
    endpoint: str,
    step: Callable[..., None],
    said: Callable[..., tuple[object, ...]],
    then: str = "evening.show",
) -> None:
    """Lets a form do one of the steps of whoever runs an evening.

    Args:
        page: the pages that it is one of.
        rule: its address.
        endpoint: its name.
        step: what is done, as for ``change_evening``.
        said: reads what the step is told of the form, given what the address says.
        then: the endpoint of the page that is shown after it.
    """

    def press(event_id: int, **address: int) -> Response:
        return change_evening(event_id, step, *said(request.form, **address), then=then)

    page.add_url_rule(rule, endpoint, keeper(idempotent(press)), methods=["POST"])
