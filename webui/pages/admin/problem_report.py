"""The problem report: what is to be in it, and the file to download."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, Response, render_template, request

from webui.context.guard.rights import require_keeper
from webui.context.services import services
from webui.server.problem_report import ReportOptions, write_report

page = Blueprint("problem_report", __name__, url_prefix="/report")

_MAX_WORDS_LENGTH = 4000


@page.get("/")
def show() -> str:
    """The form."""
    return render_template("problem_report/problem_report.html")


@page.post("/")
def download() -> Response:
    """The report with what the form asks for, as a ZIP file."""
    if {"names", "photos"} & set(request.form):
        require_keeper()
    form, store, data_dir = request.form, services().store, services().settings.data_dir
    options = ReportOptions(
        names="names" in form,
        photos="photos" in form,
        words=form.get("words", "")[:_MAX_WORDS_LENGTH],
        browser=request.headers.get("User-Agent", "")[:300],
    )
    data = write_report(store, data_dir, options, services().health().as_json())
    name = f"handfoot-report-{datetime.now(UTC):%Y%m%d-%H%M%S}.zip"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(data, mimetype="application/zip", headers=headers)
