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
from vision.teach.photos import LookedAt, look_at
from vision.values import Frame, Reading
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
LOOKED_AT: dict[tuple[str, int], LookedAt] = {}


@pytest.fixture
def show(app: Flask, reader: KnowingReader, monkeypatch: pytest.MonkeyPatch) -> Show:
    """Sends photos of cards to a new deck, or to the one that is open; returns who did.

    Most tests begin with the same photo: it is looked at once for all of them.
    """
    person = Person(app)

    def look_once(frame: Frame, read: Callable[[Frame], Reading]) -> LookedAt:
        key = frame.source, crc32(frame.pixels.tobytes())
        if key not in LOOKED_AT:
            LOOKED_AT[key] = look_at(frame, read)
        return LOOKED_AT[key]

    monkeypatch.setattr("webui.reading.teach_job.look_at", look_once)

    def send(*photos: TeachingPhoto, deck: str = "ours", **fields: str) -> Person:
        if not person.path.startswith(f"/decks/{deck}/"):
            person.send("/decks/new", name=deck, **fields)
        names = [f"{deck}-{crc32(file_of(photo))}.jpg" for photo in photos]
        reader.known |= dict(zip(names, photos, strict=True))
        sent = [(io.BytesIO(file_of(photo)), name) for photo, name in zip(photos, names, strict=True)]
        person.send(f"/decks/{deck}/teach/photos", photos=sent)
        return person

    return send
