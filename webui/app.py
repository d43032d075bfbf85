"""The page: an app factory; each page is a blueprint in ``webui.pages``."""

from __future__ import annotations

from datetime import timedelta

from flask import Flask, render_template, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import IntegerConverter, Map

from scorer.rules import RulesError
from scorer.sheets import SheetError
from vision.cameras import open_camera
from webui import wording
from webui.access.access_code import AccessCode
from webui.camera.camera_service import CameraService
from webui.context.lookups import LARGEST
from webui.context.request_guard import guard
from webui.context.services import Services
from webui.context.visitor import sign
from webui.pages.admin import backups, health, house_rules, problem_report
from webui.pages.devices import appearance, follow, login
from webui.pages.games import change_log, export, first_meld, game, home, new, statistics
from webui.pages.photos import camera, deal, pictures, queue
from webui.pages.rounds import corrections, round, side, undo
from webui.reading.photo_queue import PhotoQueue
from webui.reading.reader_service import ReaderService
from webui.server.request_log import write_requests
from webui.settings import MAX_UPLOAD_BYTES, Settings
from webui.storage.backup.backup_thread import BackupThread
from webui.storage.errors import DISK_REASONS, StorageError, write_error
from webui.storage.secret_key import secret_key
from webui.storage.store import Store

_PAGES = (
    *(home, new, game, round, undo, side, corrections, pictures),
    *(change_log, export, first_meld, follow, statistics, house_rules, appearance),
    *(camera, deal, health, backups, problem_report, login, queue),
)


def create_app(settings: Settings, reader: ReaderService) -> Flask:
    """Puts the page together and opens what is kept.

    Args:
        settings: how the page is started.
        reader: the card reader, loading or not yet.

    Raises:
        StorageError: the data folder cannot be used.
    """
    app = Flask(__name__)
    app.url_map.converters["int"] = _Number
    store = Store(settings.data_dir, settings.database)
    app.extensions["handfoot"] = Services(
        settings,
        store,
        reader,
        CameraService(lambda: open_camera(settings.camera, settings.samples), settings.data_dir),
        AccessCode(settings.data_dir),
        PhotoQueue(app, settings.data_dir),
        BackupThread(store.backups, settings.photo_limit),
    )
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
    app.jinja_env.globals["wording"] = wording
    guard(app, settings.hosts)
    write_requests(app)
    app.before_request(sign)
    for page in _PAGES:
        app.register_blueprint(page.page)
    _answer_errors(app)
    return app


class _Number(IntegerConverter):
    """A number in an address; one that no database can hold leads nowhere."""

    def __init__(self, map: Map) -> None:
        super().__init__(map, max=LARGEST)


def _answer_errors(app: Flask) -> None:
    """Every error is a page with one sentence and the way back."""

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> tuple[str, int]:
        sentences = {
            404: "There is nothing at this address; go back to the list of games.",
            405: "That cannot be done at this address; go back to the list of games.",
            413: f"That is more than {MAX_UPLOAD_BYTES // 1024**2} MB at once, and nothing was changed; "
            "send fewer photos at a time, or smaller ones."
            if (request.content_length or 0) > MAX_UPLOAD_BYTES
            else "That is more than this page takes at once, and nothing was changed; go back and send less.",
        }
        given = error.description if error.description != type(error).description else None
        sentence = given or sentences.get(error.code or 500, "That did not work; go back and try again.")
        return _sentence(sentence), error.code or 500

    @app.errorhandler(StorageError)
    def storage_error(error: Exception) -> tuple[str, int]:
        app.logger.error("%s", error)
        return _sentence(str(error)), 503

    @app.errorhandler(OSError)
    def disk_error(error: OSError) -> tuple[str, int]:
        return storage_error(StorageError(write_error(error))) if error.errno in DISK_REASONS else unknown_error(error)

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
