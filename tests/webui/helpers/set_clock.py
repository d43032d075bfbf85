"""A clock of the program that tests set."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

import pytest

from webui.storage import clock
from webui.storage.files.photo_files import PhotoFiles


class SetClock:
    """Stands still at ``time``, for everything that is written and judged by ``webui.storage.clock``."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, time: datetime) -> None:
        self.time = time
        monkeypatch.setattr(clock, "now", lambda: self.time)

    def go_on(self, **time: float) -> None:
        """Moves the clock by days, hours and so on, backwards too."""
        self.time += timedelta(**time)

    def date(self, files: PhotoFiles, name: str, days: float) -> None:
        """Lets a photo and its preview have been stored so many days ago."""
        then = (self.time - timedelta(days=days)).timestamp()
        for path in (files.path(name), files.preview_path(name)):
            os.utime(path, (then, then))


EVENING = datetime(2031, 3, 14, 20, tzinfo=UTC)
"""Late enough for photos that are years old."""
