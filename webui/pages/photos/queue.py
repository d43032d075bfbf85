"""The page of photos that wait in the queue: how many jobs come before, then on to the photos' page."""

from __future__ import annotations

from flask import Blueprint, abort, render_template
from werkzeug.wrappers import Response

from webui.context.responses.photo_submission import outcome_response, sent_by_script, waiting_response
from webui.context.services import services
from webui.translation import _

page = Blueprint("queue", __name__)

_REFRESH_SECONDS = 2
"""After so long the page is loaded again where scripts are off."""


@page.get("/waiting/<ticket_id>")
def show(ticket_id: str) -> str | Response:
    """How many jobs come before this one; leads on to the photos' page once it is done."""
    queue = services().photo_queue
    ticket = queue.find(ticket_id)
    if ticket is None:
        abort(404, _("These photos are no longer waiting. See if they are there, or send them again."))
    if ticket.outcome:
        return outcome_response(ticket)
    if sent_by_script():
        return waiting_response(ticket)
    return render_template("queue/queue.html", before=queue.jobs_before(ticket), every=_REFRESH_SECONDS)
