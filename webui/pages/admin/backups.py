"""Keeping games safe: backups and what is offered after damage, everything as one file to take along and bring in."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path

from flask import Blueprint, abort, flash, redirect, render_template, request, send_file, url_for
from werkzeug.wrappers import Response as AnyResponse

from webui.context.services import services
from webui.storage.backup.backups import Backups
from webui.wording import counted, left_out

page = Blueprint("safe", __name__, url_prefix="/safe")


@page.get("/")
def show() -> str:
    kept = services()
    return render_template(
        "safe/safe.html",
        folder=kept.settings.data_dir,
        elsewhere=kept.settings.database is not None,
        backups=kept.store.backups.all(),
        photos=kept.store.files.size(),
        limit=kept.settings.photo_limit,
        trouble=kept.backup_thread.last_error,
    )


@page.post("/backup")
def back_up() -> AnyResponse:
    made = _backups().back_up()
    flash(f"A backup of {counted(made.info.games, 'game')} was written.", "good")
    return redirect(url_for(".show"), 303)


@page.get("/everything.zip")
def everything() -> AnyResponse:
    """All games, photos and own rules as one file."""
    with tempfile.TemporaryDirectory(dir=services().settings.data_dir, prefix=".copy-") as work:
        path = Path(work) / "everything.zip"
        _backups().export(path)
        file = path.open("rb")  # it can be read to its end, though it has no name any more
    name = f"handfoot-{datetime.now(UTC):%Y%m%d}.zip"
    return send_file(file, mimetype="application/zip", as_attachment=True, download_name=name, max_age=0)


@page.post("/bring-back")
def bring_back() -> AnyResponse:
    """Adds the games of a backup that are not here any more; after damage, all that it holds."""
    wanted = request.form.get("backup", "")
    found = next((backup for backup in _backups().all() if backup.path.name == wanted), None)
    if found is None:
        abort(404, "That backup is not there any more; go back and choose another.")
    return _bring_in(found.path)


@page.post("/import")
def bring_in() -> AnyResponse:
    """Adds the games of a file that was sent."""
    sent = request.files.get("file")
    if sent is None or not sent.filename:
        flash("No file was chosen; choose one and send it again.")
        return redirect(url_for(".show"), 303)
    with tempfile.TemporaryDirectory(dir=services().settings.data_dir, prefix=".from-") as work:
        path = Path(work) / "the file"
        sent.save(path)
        return _bring_in(path)


@page.post("/go-on")
def go_on() -> AnyResponse:
    """After damage: the list as it now is, without what was lost."""
    _backups().clear_damage()
    return redirect(url_for("home.show"), 303)


def _bring_in(path: Path) -> AnyResponse:
    came = _backups().import_games(path)
    known = f"; {came.known} {'was' if came.known == 1 else 'were'} here already" if came.known else ""
    flash(f"{counted(came.new, 'game')} brought in{known}.", "good")
    for rules in came.other_rules:
        flash(f"The house rules {rules} are others here than there; those here are kept and hold for these games too.")
    if came.left_out:
        flash(f"{left_out(came.left_out).capitalize()}.")
    return redirect(url_for("home.show"), 303)


def _backups() -> Backups:
    return services().store.backups


@page.app_template_filter("megabytes")
def megabytes(size: int) -> str:
    """``3 MB``, ``1.2 GB``."""
    return f"{size / 1024**3:.1f} GB" if size >= 1024**3 else f"{max(1, round(size / 1024**2)) if size else 0} MB"
