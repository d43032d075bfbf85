"""Photos that wait to be read: how many come before, and on to their page as soon as they are done."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Blueprint, abort, flash, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webui.context.services import services
from webui.context.visitor import who
from webui.reading.photo_queue import QueueFull, Ticket
from webui.storage.errors import StorageError
from webui.storage.job_files import Job

page = Blueprint("waiting", __name__)

_BY_SCRIPT = "X-Handfoot-Script"
_EVERY = 2  # seconds after which the page asks again where there is no script


def submit_photos(
    size: int, target: str, kind: str, about: dict[str, Any], photos: Iterable[tuple[bytes, str]] = ()
) -> Response:
    """Has photos read, and answers with their page, or with one that says how many come before.

    Args:
        size: the bytes that they hold while they wait.
        target: their page.
        kind: what is to be done with them, as ``webui.reading.photo_queue.does`` names it.
        about: what else it is to know.
        photos: each with its name.
    """
    desk = services().photo_queue
    try:
        ticket = desk.submit(size, Job(kind, about, target, who()), photos)
    except QueueFull:
        abort(503, "So many photos are waiting here that no more fit; wait a minute and send these again.")
    desk.wait(ticket)
    return _answer(ticket) if ticket.outcome else _to_wait(ticket)


def go_on(target: str) -> Response:
    """Leads on to a page; a script goes there itself, so that what is flashed is seen."""
    return jsonify(next=target) if _BY_SCRIPT in request.headers else redirect(target, 303)


@page.get("/waiting/<ticket_id>")
def show(ticket_id: str) -> str | Response:
    """How long it will be, or on to the page of the photos."""
    ticket = services().photo_queue.find(ticket_id)
    if ticket is None:
        abort(404, "These photos are not waiting here any more; look whether they are there, or send them again.")
    if ticket.outcome:
        return _answer(ticket)
    if _BY_SCRIPT in request.headers:
        return _to_wait(ticket)
    return render_template("waiting/waiting.html", before=services().photo_queue.before(ticket), every=_EVERY)


def _answer(ticket: Ticket) -> Response:
    assert ticket.outcome is not None
    came = services().photo_queue.take(ticket)
    if ticket.outcome.refused:
        raise StorageError(ticket.outcome.refused)
    if came:
        for sentence in came.sentences:
            flash(sentence)
        if came.good:
            flash(came.good, "good")
    return go_on(ticket.outcome.target)


def _to_wait(ticket: Ticket) -> Response:
    here = url_for("waiting.show", ticket_id=ticket.id)
    if _BY_SCRIPT in request.headers:
        return jsonify(wait=here, before=services().photo_queue.before(ticket))
    return redirect(here, 303)
