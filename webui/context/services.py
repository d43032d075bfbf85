"""What every page works with, put together once when the page starts."""

from __future__ import annotations

from dataclasses import dataclass, field

from flask import Flask, current_app

from webui.access.access_code import AccessCode
from webui.camera.camera_service import CameraService
from webui.reading.photo_queue import PhotoQueue
from webui.reading.reader_service import ReaderService
from webui.server.health import Health, HealthWatch
from webui.settings import Settings
from webui.storage.backup.backup_thread import BackupThread
from webui.storage.store import Store

_KEY = "handfoot"


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of this page: how it was started, what is kept and kept safe, what reads, what photographs, who may
    come in, and which photos wait."""

    settings: Settings
    store: Store
    reader: ReaderService
    camera: CameraService
    access_code: AccessCode
    photo_queue: PhotoQueue
    backup_thread: BackupThread
    health: HealthWatch = field(default_factory=HealthWatch)

    def look_over(self) -> Health:
        """Whether all of it works."""
        return self.health.look(self.store, self.reader, self.backup_thread)


def services() -> Services:
    """The services of the page that answers just now."""
    return services_of(current_app)


def services_of(app: Flask) -> Services:
    """The services of a page."""
    found = app.extensions[_KEY]
    assert isinstance(found, Services)
    return found
