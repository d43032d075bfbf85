"""The app factory: puts configuration, services, request guard, pages, jobs and error pages together."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from flask import Flask
from werkzeug.routing import IntegerConverter, Map

from vision.cameras import open_camera
from vision.images.heic import can_read_heic
from vision.images.sandbox import shared_decoder
from vision.values import Frame, HouseRules, Reading
from webui import wording
from webui.access.access_code import AccessCode
from webui.access.addresses import install_addresses
from webui.access.certificate import Certificate
from webui.access.cookie_sessions import CookieSessions
from webui.access.network_switch import NetworkSwitch
from webui.camera.camera_service import CameraService
from webui.context.error_pages import install_error_pages
from webui.context.guard.idempotency import install_idempotency
from webui.context.guard.request_guard import install_request_guard
from webui.context.invitation import shown_commands
from webui.context.just_done import install_just_done
from webui.context.lookups import LARGEST_ID
from webui.context.responses.static_files import install_static_files
from webui.context.services import Services, install_services
from webui.context.texts.language import install_language
from webui.context.texts.script_messages import install_script_messages
from webui.context.visitor import set_author
from webui.context.watching_sign import install_watching_sign
from webui.decks.learning import DeckLearning
from webui.decks.lesson_files import Lessons
from webui.decks.picture_cards import PictureCards
from webui.decks.taught import TaughtDecks
from webui.events.kept import KeptEvenings
from webui.pages.admin import backups, health, house_rules, problem_report
from webui.pages.decks import deck, decks, learn, learned, new_deck, teach
from webui.pages.devices import appearance, follow, login, sign, table_now
from webui.pages.events import evening, evenings, hall, league, results, roster, sheets, tables
from webui.pages.games import (
    again,
    change_log,
    decks_in_play,
    export,
    first_meld,
    game,
    home,
    new,
    players,
    share,
    statistics,
)
from webui.pages.photos import camera, deal, phone, pictures, queue, watch
from webui.pages.rounds import corrections, one_by_one, round, side, typed, undo
from webui.reading.first_meld_job import FirstMeldJob
from webui.reading.known_looks import KnownLooks
from webui.reading.photo_jobs import PhotoJobs
from webui.reading.photo_queue import JobHandler, PhotoQueue
from webui.reading.reader_service import ReaderService
from webui.reading.teach_job import TeachJob
from webui.server.request_log import log_requests
from webui.settings import MAX_UPLOAD_BYTES, Settings
from webui.storage.backup.backup_thread import BackupThread
from webui.storage.files.secret_key import secret_key
from webui.storage.records import GameRecord
from webui.storage.store import Store
from webui.watching.films import Films
from webui.watching.table_watch import TableWatch

_PAGES = (
    *(home, new, again, game, decks_in_play, change_log, export, share, first_meld, statistics, players),
    *(round, side, corrections, one_by_one, typed, undo),
    *(pictures, camera, phone, deal, queue, watch),
    *(login, follow, table_now, sign, appearance),
    *(evenings, evening, roster, hall, tables, results, sheets, league),
    *(backups, house_rules, health, problem_report),
    *(decks, new_deck, teach, deck, learn, learned),
)

_PHOTO_TYPES = ("image/jpeg", "image/png", "image/webp", "image/avif")
"""Files that a page offers to choose; AVIF is converted by the browser."""
_HEIC_TYPES = ("image/heic", "image/heif")
"""Not offered where the server cannot read them: iPhones then convert them by themselves."""


def create_app(settings: Settings, reader: ReaderService, certificate: Certificate | None = None) -> Flask:
    """Builds the app and opens what is stored in the data folder.

    Args:
        settings: how the app is started.
        reader: the card reader, loaded or not yet.
        certificate: of the encrypted page, if there is one.

    Raises:
        StorageError: the data folder cannot be used.
    """
    app = Flask(__name__)
    app.url_map.converters["int"] = _IdConverter
    install_services(app, _open_services(settings, reader, certificate))
    _configure(app, settings)
    install_addresses(app, settings.prefix)
    install_static_files(app)
    install_language(app)
    install_script_messages(app)
    install_request_guard(app, settings.hosts)
    install_idempotency(app)
    install_just_done(app)
    install_watching_sign(app)
    log_requests(app)
    app.before_request(set_author)
    for module in _PAGES:
        app.register_blueprint(module.page)
    install_error_pages(app)
    return app


def _open_services(settings: Settings, reader: ReaderService, certificate: Certificate | None) -> Services:
    store = Store(settings.data_dir, settings.database)
    taught = TaughtDecks(settings.data_dir, shared_decoder().decode)
    pictures, looks, lessons = PictureCards(taught), KnownLooks(store), Lessons(taught)
    named, access_code = settings.camera, AccessCode(settings.data_dir)
    camera = CameraService(lambda: open_camera(named), settings.data_dir, named is not None, named == "phone")
    queue = PhotoQueue(settings.data_dir, _job_handlers(store, reader, lessons, pictures, looks))
    return Services(
        settings=settings,
        store=store,
        evenings=KeptEvenings(store),
        reader=reader,
        camera=camera,
        access_code=access_code,
        network=NetworkSwitch(settings.host, access_code, settings.has_switch),
        photo_queue=queue,
        backup_thread=BackupThread(store.backups, settings.photo_limit),
        decks=taught,
        lessons=lessons,
        pictures=pictures,
        looks=looks,
        learning=DeckLearning(taught),
        watch=_table_watch(camera, store, reader, queue, pictures),
        certificate=certificate,
    )


def _table_watch(
    camera: CameraService, store: Store, reader: ReaderService, queue: PhotoQueue, pictures: PictureCards
) -> TableWatch:
    """Reads only while nobody waits for a photo, the live picture or a card that is dealt."""

    def read_for(game: GameRecord, house: HouseRules) -> Callable[[Frame], Reading]:
        return lambda frame: reader.get().read(frame, house, pictures.of(game.decks))

    def is_busy() -> bool:
        return bool(queue.jobs()) or camera.is_read_for_people

    return TableWatch(camera.watcher, store, Films(store.folder), read_for, is_busy)


def _job_handlers(
    store: Store, reader: ReaderService, lessons: Lessons, pictures: PictureCards, looks: KnownLooks
) -> dict[str, JobHandler]:
    """Handlers by job kind. Kinds are stored with the jobs that wait on disk: do not rename them."""
    decode = shared_decoder().decode
    photos = PhotoJobs(store, reader, decode, pictures, looks)
    first_meld = FirstMeldJob(store, reader, decode, pictures, looks)
    return {
        "sent": photos.read_sent,
        "shot": photos.read_shot,
        "shot-whole": photos.read_whole_table,
        "again": photos.read_again,
        "first-meld": first_meld.read,
        "teach": TeachJob(lessons, reader, decode).read,
    }


def _configure(app: Flask, settings: Settings) -> None:
    app.session_interface = CookieSessions()
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
    app.jinja_env.globals.update(wording=wording, commands=shown_commands)
    app.jinja_env.globals["photo_types"] = ",".join(_PHOTO_TYPES + (_HEIC_TYPES if can_read_heic() else ()))


class _IdConverter(IntegerConverter):
    """A number in a URL; one that no database can hold matches no page."""

    def __init__(self, map: Map) -> None:
        super().__init__(map, max=LARGEST_ID)
