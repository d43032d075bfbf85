"""What every page works with, put together once when the page starts."""

from __future__ import annotations

from dataclasses import dataclass, field

from flask import Flask, current_app

from webui.access.access_code import Door
from webui.camera.camera_service import CameraDesk
from webui.reading.photo_queue import PhotoDesk
from webui.reading.reader_service import Eyes
from webui.server.health import Health, HealthWatch
from webui.settings import Settings
from webui.storage.backup.backup_thread import Keeper
from webui.storage.store import Store

_KEY = "handfoot"


@dataclass(frozen=True, slots=True)
class House:
    """The parts of this page: how it was started, what is kept and kept safe, what reads, what photographs, who may
    come in, and which photos wait."""

    settings: Settings
    store: Store
    eyes: Eyes
    camera: CameraDesk
    door: Door
    photos: PhotoDesk
    keeper: Keeper
    health: HealthWatch = field(default_factory=HealthWatch)

    def look_over(self) -> Health:
        """Whether all of it works."""
        return self.health.look(self.store, self.eyes, self.keeper)


def house() -> House:
    """The house of the page that answers just now."""
    return house_of(current_app)


def house_of(app: Flask) -> House:
    """The house of a page."""
    found = app.extensions[_KEY]
    assert isinstance(found, House)
    return found
