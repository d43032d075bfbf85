"""The services that all pages use, put together once in ``webui.app``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from flask import Flask, current_app

from scorer.rules import RuleSet
from vision.values import Frame, Reading
from webui.access.access_code import AccessCode
from webui.access.certificate import Certificate
from webui.access.network_switch import NetworkSwitch
from webui.camera.camera_service import CameraService
from webui.decks.learning import DeckLearning
from webui.decks.lesson_files import Lessons
from webui.decks.picture_cards import PictureCards
from webui.decks.taught import TaughtDecks
from webui.events.kept import KeptEvenings
from webui.reading.known_looks import KnownLooks
from webui.reading.photo_queue import PhotoQueue
from webui.reading.reader_service import ReaderService, house_rules_of
from webui.server.health import Health, HealthCheck
from webui.settings import Settings
from webui.storage.backup.backup_thread import BackupThread
from webui.storage.records import GameRecord
from webui.storage.store import Store
from webui.watching.table_watch import TableWatch

_KEY = "handfoot"


@dataclass(slots=True)
class Counting:
    """The first count of all rounds: ``games`` of which ``done`` are counted; both 0 where nothing is being counted."""

    games: int = 0
    done: int = 0


@dataclass(frozen=True, slots=True)
class Services:
    """The settings and services of an app."""

    settings: Settings
    store: Store
    evenings: KeptEvenings
    reader: ReaderService
    camera: CameraService
    access_code: AccessCode
    network: NetworkSwitch
    photo_queue: PhotoQueue
    backup_thread: BackupThread
    decks: TaughtDecks
    lessons: Lessons
    pictures: PictureCards
    looks: KnownLooks
    learning: DeckLearning
    watch: TableWatch
    certificate: Certificate | None = None
    health_check: HealthCheck = field(default_factory=HealthCheck)
    counting: Counting = field(default_factory=Counting)

    def health(self) -> Health:
        """Whether the services work."""
        return self.health_check.run(self.store, self.reader, self.looks, self.backup_thread)

    def reader_of(self, game: GameRecord, rules: RuleSet) -> Callable[[Frame], Reading]:
        """Reads pictures of a game's cards at once, outside of the photo queue; may be called in any thread, later."""
        house = house_rules_of(game, rules)
        return lambda frame: self.reader.get().read(frame, house, self.pictures.of(game.decks))


def install_services(app: Flask, services: Services) -> None:
    """Makes the services of an app available to its pages."""
    app.extensions[_KEY] = services


def services() -> Services:
    """The services of the app that handles this request."""
    return services_of(current_app)


def services_of(app: Flask) -> Services:
    """The services of an app."""
    found = app.extensions[_KEY]
    assert isinstance(found, Services)
    return found
