"""The page with a reader that knows the drawn photos of cards, and a lesson that begins with one of them."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from zlib import crc32

import pytest
from flask import Flask

from datasets.scenes.teaching_photos import TeachingPhoto
from scorer.deck import use_deck_folder
from scorer.rules import use_folder
from tests.webui.helpers.playing import Person
from tests.webui.helpers.teaching import KnowingReader, file_of
from webui.settings import use_own_files


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> KnowingReader:
    reader = KnowingReader()
    monkeypatch.setattr("tests.webui.conftest.DrawnReader", lambda: reader)
    return reader


@pytest.fixture
def app(reader: KnowingReader, make_app: Callable[[], Flask], tmp_path: Path) -> Iterator[Flask]:
    use_own_files(tmp_path / "data")
    yield make_app()
    use_folder(None)
    use_deck_folder(None)


Show = Callable[..., Person]


@pytest.fixture
def show(app: Flask, reader: KnowingReader) -> Show:
    """Sends photos of cards to a new deck, or to the one that is open; returns who did."""
    person = Person(app)

    def send(*photos: TeachingPhoto, deck: str = "ours", **fields: str) -> Person:
        if not person.path.startswith(f"/decks/{deck}/"):
            person.send("/decks/new", name=deck, **fields)
        names = [f"{deck}-{crc32(file_of(photo))}.jpg" for photo in photos]
        reader.known |= dict(zip(names, photos, strict=True))
        sent = [(io.BytesIO(file_of(photo)), name) for photo, name in zip(photos, names, strict=True)]
        person.send(f"/decks/{deck}/teach/photos", photos=sent)
        return person

    return send
