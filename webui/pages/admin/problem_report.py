"""Reporting a problem: what is to be in the file, and the file."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, Response, render_template, request

from webui.context.services import services
from webui.server.problem_report import Wanted, write_report

page = Blueprint("report", __name__, url_prefix="/report")

_LONGEST = 4000


@page.get("/")
def show() -> str:
    return render_template("report/report.html")


@page.post("/")
def write() -> Response:
    kept, form = services(), request.form
    wanted = Wanted(
        names="names" in form,
        photos="photos" in form,
        words=form.get("words", "")[:_LONGEST],
        browser=request.headers.get("User-Agent", "")[:300],
    )
    data = write_report(kept.store, kept.settings.data_dir, wanted, kept.look_over().as_json())
    name = f"handfoot-report-{datetime.now(UTC):%Y%m%d-%H%M%S}.zip"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(data, mimetype="application/zip", headers=headers)
