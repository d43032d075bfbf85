"""The page with a reader that knows the drawn tables, on an empty data folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.webui.browsing import browser, serve, visit
from tests.webui.drawn import ALL, DrawnReader, photo
from tests.webui.playing import Person
from webui.app import create_app
from webui.eyes import Eyes
from webui.house import house_of
from webui.settings import Settings

__all__ = ["browser", "serve", "visit"]


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    """A folder of drawn tables that stands in for a camera."""
    folder = tmp_path / "samples"
    folder.mkdir()
    for number, table in enumerate(ALL):
        (folder / f"{number}.jpg").write_bytes(photo(table))
    return folder


@pytest.fixture
def make_app(tmp_path: Path, samples: Path) -> Iterator[Callable[[], Flask]]:
    """Makes the page anew on the same data folder, as a restart does."""
    made: list[Flask] = []

    def make() -> Flask:
        app = create_app(Settings(tmp_path / "data", camera=str(samples)), Eyes(DrawnReader))
        made.append(app)
        return app

    yield make
    for app in made:
        house_of(app).store.close()


@pytest.fixture
def person(make_app: Callable[[], Flask]) -> Person:
    return Person(make_app())
