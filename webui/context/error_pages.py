"""Error pages: every error is answered with one sentence and a way back, never with a traceback."""

from __future__ import annotations

from flask import Flask, current_app, render_template, request, url_for
from werkzeug.exceptions import HTTPException

from scorer.rules import RulesError
from scorer.sheets import SheetError
from webui.access.addresses import referring_page
from webui.context.services import services
from webui.house_rules.unusable import rules_reason
from webui.settings import MAX_UPLOAD_BYTES
from webui.storage.errors import DISK_REASONS, ArchiveError, DatabaseAway, StorageError, write_error
from webui.translation import _


def install_error_pages(app: Flask) -> None:
    """Registers the error handlers of an app."""
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(StorageError, _storage_error)
    app.register_error_handler(ArchiveError, _archive_error)
    app.register_error_handler(OSError, _disk_error)
    app.register_error_handler(RulesError, _rules_error)
    app.register_error_handler(SheetError, _known_error)
    app.register_error_handler(Exception, _unknown_error)


def _http_error(error: HTTPException) -> tuple[str, int]:
    sentences = {
        404: _("There is no page here. Go back to the list of games."),
        405: _("You can’t do that here. Go back to the list of games."),
        413: _(
            "That is more than %(most)s MB at once, and nothing was changed. Send fewer or smaller photos.",
            most=MAX_UPLOAD_BYTES // 1024**2,
        )
        if (request.content_length or 0) > MAX_UPLOAD_BYTES
        else _("That is too much at once, and nothing was changed. Go back and send less."),
    }
    code = error.code or 500
    own_text = error.description if error.description != type(error).description else None
    return _error_page(own_text or sentences.get(code, _("That did not work. Go back and try again."))), code


def _storage_error(error: Exception) -> tuple[str, int]:
    current_app.logger.error("%s", error)
    return _error_page(str(error), away=error if isinstance(error, DatabaseAway) else None), 503


def _archive_error(error: Exception) -> tuple[str, int]:
    current_app.logger.info("%s", error)
    return _error_page(str(error)), 400


def _disk_error(error: OSError) -> tuple[str, int]:
    if error.errno not in DISK_REASONS:
        return _unknown_error(error)
    if request.method in ("GET", "HEAD"):
        current_app.logger.error("%s cannot be read: %s", request.path, error.strerror)
        why = _("A file that this page needs cannot be read. Let this user read the whole data folder and try again.")
        return _error_page(why), 503
    return _storage_error(StorageError(write_error(error)))


def _rules_error(error: RulesError) -> tuple[str, int]:
    names = request.view_args or {}
    game_id = names.get("game_id")
    if "event_id" in names:
        advice = _("Import a file that has them, to show this club evening.")
    elif game_id is not None:
        advice = _("Choose different rules for this game, or import a file that has them.")
    else:
        advice = _("Go back and choose other house rules.")
    game = None if game_id is None else services().store.game(game_id)
    return _error_page(f"{rules_reason(error, [game] if game else ())} {advice}", game_id), 409


def _known_error(error: Exception) -> tuple[str, int]:
    return _error_page(str(error)), 500


def _unknown_error(error: Exception) -> tuple[str, int]:
    current_app.logger.error("%s %s failed", request.method, request.path, exc_info=error)
    text = _("Something went wrong. Everything you saved before is still there. Go back and try again.")
    return _error_page(text), 500


def _error_page(sentence: str, without_rules: int | None = None, away: DatabaseAway | None = None) -> str:
    """A page with one sentence; the way back leads to the page that the visitor came from, if it is one of ours.

    Args:
        sentence: what is wrong and what to do.
        without_rules: the id of a game whose rules cannot be read; the page leads to where others are chosen for it.
        away: that the database does not answer: the page goes on by itself once it does, and holds what was typed.
    """
    back = referring_page() or url_for("home.show")
    typed = list(request.form.items(multi=True)) if away and request.method == "POST" and not request.files else []
    return render_template(
        "error.html", sentence=sentence, back=back, without_rules=without_rules, away=away, typed=typed
    )
