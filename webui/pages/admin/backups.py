"""Backups, export and import of all games, and what is offered after damage to the database."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from webui.context.guard.idempotency import idempotent
from webui.context.guard.rights import keeper
from webui.context.responses.streams import stream_response
from webui.context.services import services
from webui.context.texts.brought_in import brought_in
from webui.storage.backup.backups import Backups
from webui.storage.backup.photo_retention import leaving_photos
from webui.translation import _, ngettext
from webui.wording import games_text, local_time

page = Blueprint("backups", __name__, url_prefix="/safe")
_COOKIE_ROOM = 2000
"""Bytes of messages that a visitor's cookie takes: browsers drop one of more than 4096, encoded."""


@page.get("/")
@keeper
def show() -> str:
    settings, store = services().settings, services().store
    return render_template(
        "backups/backups.html",
        elsewhere=settings.database is not None,
        backups=store.backups.all(),
        photos=store.files.size(),
        limit=settings.photo_limit,
        leaving=leaving_photos(store.files),
        clock_doubt=_clock_doubt(),
        error=services().backup_thread.last_error,
    )


@page.post("/backup")
@keeper
@idempotent
def back_up() -> AnyResponse:
    """Writes a backup now."""
    made = _backups().back_up()
    flash(_("A backup of %(games)s was saved.", games=games_text(made.info.games)), "good")
    return redirect(url_for(".show"), 303)


@page.post("/everything.zip")
@keeper
def export_all() -> AnyResponse:
    """All games, photos and the user's own rules as one ZIP file, made while it is sent."""
    response = stream_response(_backups().stream_export(), "application/zip")
    name = f"handfoot-{datetime.now(UTC):%Y%m%d}.zip"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@page.post("/bring-back")
@keeper
@idempotent
def restore_missing() -> AnyResponse:
    """Adds the games of a backup that are missing here; after damage, all of them."""
    name = request.form.get("backup", "")
    found = next((backup for backup in _backups().all() if backup.path.name == name), None)
    if found is None:
        abort(404, _("That backup is gone. Go back and choose another."))
    return _import(found.path)


@page.post("/import")
@keeper
@idempotent
def import_file() -> AnyResponse:
    """Adds the games of a submitted file."""
    file = request.files.get("file")
    if file is None or not file.filename:
        flash(_("No file was chosen. Choose one and try again."))
        return redirect(url_for(".show"), 303)
    with tempfile.TemporaryDirectory(dir=services().settings.data_dir, prefix=".from-") as work:
        path = Path(work) / _("the file")
        file.save(path)
        return _import(path)


@page.post("/go-on")
@keeper
def accept_damage() -> AnyResponse:
    """After damage: goes on without the lost games."""
    _backups().clear_damage()
    return redirect(url_for("home.show"), 303)


def _import(path: Path) -> AnyResponse:
    result = _backups().import_games(path)
    services().learning.catch_up()
    new = games_text(result.new)
    known = ngettext(
        "%(games)s imported; %(num)s was already here.",
        "%(games)s imported; %(num)s were already here.",
        result.known,
        games=new,
    )
    flash(known if result.known else _("%(games)s imported.", games=new), "good")
    _flash_all(brought_in(result))
    return redirect(url_for("home.show"), 303)


def _flash_all(sentences: Sequence[str]) -> None:
    """Flashes as many sentences as a cookie has room for, and says how many more there are."""
    room = _COOKIE_ROOM
    for number, sentence in enumerate(sentences):
        room -= len(json.dumps(sentence))
        if room < 0:
            more = len(sentences) - number
            flash(
                ngettext(
                    "%(num)s more message about this file is not shown.",
                    "%(num)s more messages about this file are not shown.",
                    more,
                )
            )
            return
        flash(f"{sentence[:1].upper()}{sentence[1:]}.")


def _clock_doubt() -> str | None:
    """The sentence for a clock that is not believed, None where it is."""
    found = _backups().clock()
    if found.contradicted_by is None:
        return None
    clock, other = local_time(found.clock.isoformat()), local_time(found.contradicted_by.isoformat())
    if found.believed is not None:  # ages count up to then
        return _(
            "This machine's clock says %(clock)s, but the last change before that was on %(change)s. If the clock is "
            "right, do nothing. For the next month, no photo counts as older than it was on that day.",
            clock=clock,
            change=other,
        )
    return _(
        "This machine's clock says %(clock)s, but it must be later than %(change)s. Set the clock. Until then, no "
        "photos are deleted.",
        clock=clock,
        change=other,
    )


def _backups() -> Backups:
    return services().store.backups


@page.app_template_filter("megabytes")
def megabytes(size: int) -> str:
    """``3 MB``, ``1.2 GB``."""
    return f"{size / 1024**3:.1f} GB" if size >= 1024**3 else f"{max(1, round(size / 1024**2)) if size else 0} MB"
