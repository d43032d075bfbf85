"""The page: an app factory; each page is a blueprint in ``webui.pages``."""

from __future__ import annotations

from datetime import timedelta

from flask import Flask, render_template, request
from werkzeug.exceptions import HTTPException

from scorer.rules import RulesError
from scorer.sheets import SheetError
from vision.cameras import open_camera
from webui import words
from webui.camera_desk import CameraDesk
from webui.eyes import Eyes
from webui.guard import guard
from webui.house import House
from webui.pages import (
    camera,
    deal,
    display,
    export,
    first_meld,
    game,
    history,
    home,
    log,
    mend,
    new,
    pictures,
    round,
    rules,
    screens,
    side,
    statistics,
)
from webui.settings import MAX_UPLOAD_BYTES, Settings
from webui.storage.errors import StorageError
from webui.storage.files import secret_key
from webui.storage.store import Store
from webui.visitor import sign

_PAGES = (
    *(home, new, game, round, history, side, mend, pictures),
    *(log, export, first_meld, screens, statistics, rules, display),
    *(camera, deal),
)


def create_app(settings: Settings, eyes: Eyes) -> Flask:
    """Puts the page together and opens what is kept.

    Args:
        settings: how the page is started.
        eyes: the card reader, loading or not yet.

    Raises:
        StorageError: the data folder cannot be used.
    """
    app = Flask(__name__)
    store = Store(settings.data_dir)
    desk = CameraDesk(lambda: open_camera(settings.camera, settings.samples))
    app.extensions["handfoot"] = House(settings, store, eyes, desk)
    app.config.update(
        SECRET_KEY=secret_key(settings.data_dir),
        SESSION_COOKIE_NAME="handfoot",
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_HTTPONLY=True,
        PERMANENT_SESSION_LIFETIME=timedelta(days=400),
        MAX_CONTENT_LENGTH=MAX_UPLOAD_BYTES,
        MAX_FORM_MEMORY_SIZE=1024 * 1024,
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals["words"] = words
    guard(app, settings.hosts)
    app.before_request(sign)
    for page in _PAGES:
        app.register_blueprint(page.page)
    _answer_errors(app)
    return app


def _answer_errors(app: Flask) -> None:
    """Every error is a page with one sentence and the way back."""

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> tuple[str, int]:
        sentences = {
            404: "There is nothing at this address; go back to the list of games.",
            405: "That cannot be done at this address; go back to the list of games.",
            413: f"That is more than {MAX_UPLOAD_BYTES // 1024**2} MB at once, and nothing was changed; "
            "send fewer photos at a time, or smaller ones.",
        }
        given = error.description if error.description != type(error).description else None
        sentence = given or sentences.get(error.code or 500, "That did not work; go back and try again.")
        return _sentence(sentence), error.code or 500

    @app.errorhandler(StorageError)
    @app.errorhandler(RulesError)
    @app.errorhandler(SheetError)
    def known_error(error: Exception) -> tuple[str, int]:
        return _sentence(str(error)), 500

    @app.errorhandler(Exception)
    def unknown_error(error: Exception) -> tuple[str, int]:
        app.logger.error("%s %s failed", request.method, request.path, exc_info=error)
        return _sentence("Something went wrong here; what was saved before is still there. Go back and try again."), 500


def _sentence(sentence: str) -> str:
    """The page that says one sentence; the way back is the page that the visitor came from."""
    back = request.referrer if request.referrer and request.referrer.startswith(request.host_url) else "/"
    return render_template("error.html", sentence=sentence, back=back)
