"""Submitting photos to the photo queue, and the answers to a page whose photos wait there or were read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import abort, flash, jsonify, redirect, request, url_for
from werkzeug.wrappers import Response

from webui.context.services import services
from webui.context.visitor import visitor_name
from webui.reading.photo_queue import Outcome, QueueFull, Ticket
from webui.storage.errors import StorageError
from webui.storage.files.job_files import Job
from webui.translation import _

_SCRIPT_HEADER = "X-Handfoot-Script"


def submit_photos(
    size: int, target: str, kind: str, about: dict[str, Any], photos: Iterable[tuple[bytes, str]] = ()
) -> Response:
    """Submits photos to be read and waits a little for them.

    Args:
        size: the bytes that they take while they wait.
        target: URL of the page to go on with when they are read.
        kind: the kind of job, a key of the handlers in ``webui.app``.
        about: what else its handler needs to know.
        photos: each photo with its name.

    Returns:
        The answer when they are read, or the way to the page that shows their place in the queue.
    """
    queue = services().photo_queue
    try:
        ticket = queue.submit(size, Job(kind, about, target.removeprefix(request.script_root), visitor_name()), photos)
    except QueueFull:
        abort(503, _("Too many photos are waiting. Wait a minute and send these again."))
    queue.wait(ticket)
    return outcome_response(ticket) if ticket.outcome else waiting_response(ticket)


def go_to(target: str) -> Response:
    """Leads to a page. A script gets the URL as JSON and loads it itself, so that flashed messages are not lost."""
    return jsonify(next=target) if sent_by_script() else redirect(target, 303)


def sent_by_script() -> bool:
    """Whether this request was made by the page's script and not by a form or a link."""
    return _SCRIPT_HEADER in request.headers


def outcome_response(ticket: Ticket) -> Response:
    """Flashes what came of a finished job, once, and leads on to its page.

    Raises:
        StorageError: nothing could be stored.
    """
    assert ticket.outcome is not None
    outcome = services().photo_queue.collect(ticket)
    if ticket.outcome.refused:
        raise StorageError(ticket.outcome.refused)
    if outcome:
        for sentence in outcome.errors:
            flash(sentence)
        if outcome.success:
            flash(outcome.success, "good")
    return go_to(_target(ticket.outcome))


def waiting_response(ticket: Ticket) -> Response:
    """Leads to the page that shows how many jobs come before this one."""
    url = url_for("queue.show", ticket_id=ticket.id)
    if sent_by_script():
        return jsonify(wait=url, before=services().photo_queue.jobs_before(ticket))
    return redirect(url, 303)


def _target(outcome: Outcome) -> str:
    if (meld := outcome.first_meld) is not None:
        return url_for("first_meld.answer", game_id=meld.game_id, meld_id=meld.id)
    return request.script_root + outcome.target
