"""Bad photos: one sentence on the page, and nothing else changes."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from tests.vision.images.test_decode import encode, huge_png, noise
from tests.webui.helpers.drawn import NO_CARDS, NORTH_TABLE, DrawnReader, photo
from tests.webui.helpers.playing import Person
from vision.errors import WeightsError
from webui.app import create_app
from webui.context.services import services_of
from webui.reading.reader_service import Reader, ReaderService
from webui.settings import MAX_UPLOAD_BYTES, Settings

SIDE = "/game/1/round/1/side/0"


@pytest.fixture
def player(person: Person) -> Person:
    """Somebody in the middle of a round, with one good photo there."""
    person.begin()
    person.photo(SIDE, photo(NORTH_TABLE))
    return person


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"to do: buy cards", "is not a photo; expected a JPEG, PNG or WebP file"),
        (encode(noise())[:9000], "is cut off"),
        (huge_png(20_000, 20_000), "is 20000 x 20000 pixels"),
        (b"", "is empty"),
        (
            b"\0\0\0\x18ftypavif" + b"\0" * 99,
            "is an AVIF picture, which cannot be read here; save it as JPEG and send that",
        ),
    ],
    ids=["text", "truncated", "huge", "empty", "avif"],
)
def test_a_bad_photo_gets_one_sentence_and_changes_nothing(player: Person, data: bytes, words: str) -> None:
    player.photo(SIDE, data, "mine.jpg")
    assert player.status == 200
    (sentence,) = (notice for notice in player.notices() if "mine.jpg" in notice)
    assert words in sentence and sentence.endswith(".")
    assert "Clean book of 8s 770" in player.group("p1g0")
    player.open(f"{SIDE}/")
    assert "mine.jpg" not in player.text, "the sentence is said once"


def test_a_photo_without_cards_says_so_and_stays_until_removed(player: Person) -> None:
    player.photo(SIDE, photo(NO_CARDS), "table.jpg")
    assert any(notice.startswith("No cards found in this photo") for notice in player.notices())
    assert "Clean book of 8s 770" in player.group("p1g0")
    player.send(f"{SIDE}/change", op="drop-photo", photo="2")
    assert "No cards found" not in player.text


def test_good_photos_beside_a_bad_one_still_count(player: Person) -> None:
    fields = {"photos": [(io.BytesIO(b"text"), "a.txt"), (io.BytesIO(photo(NO_CARDS)), "b.jpg")]}
    player.send(f"{SIDE}/photos", **fields)
    assert "a.txt is not a photo" in player.text and "No cards found" in player.text


def test_the_same_photo_twice_does_not_count_twice(player: Person) -> None:
    player.photo(SIDE, photo(NORTH_TABLE), "again.jpg")
    assert "again.jpg is already here" in player.notices()[0] and player.page.count('class="photo"') == 1


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ("photos/tisch  1.txt", "tisch 1.txt is"),
        ("写真.txt", "写真.txt is"),
        ("<b>.txt", "<b>.txt is"),
        ("a\u202egpj\0\a.txt", "agpj.txt is"),
    ],
)
def test_a_photo_is_named_by_its_file_name(player: Person, sent: str, said: str) -> None:
    player.photo(SIDE, b"text", sent)
    assert player.notices()[0].startswith(said) and "<b>.txt" not in player.page


def test_a_form_without_photos_is_reported(player: Person) -> None:
    player.send(f"{SIDE}/photos")
    assert "No photo was chosen" in player.notices()[0]


def test_an_upload_over_the_limit_is_reported(player: Person) -> None:
    player.photo(SIDE, b"\0" * (MAX_UPLOAD_BYTES + 1))
    assert player.status == 413 and "more than 40 MB at once" in player.notices()[0]
    player.open(f"{SIDE}/")
    assert "Clean book of 8s 770" in player.group("p1g0")


def test_a_missing_camera_is_reported(tmp_path: Path) -> None:
    app = create_app(Settings(tmp_path / "data", camera=str(tmp_path / "none")), ReaderService(DrawnReader))
    person = Person(app)
    person.begin()
    person.send(f"{SIDE}/shoot")
    assert person.status == 200 and "expected a webcam's number or its path in /dev, 'pi'," in person.notices()[0]
    services_of(app).store.close()


def test_a_photo_is_stored_without_a_reader_and_read_later(tmp_path: Path, make_app: Callable[[], Flask]) -> None:
    def missing() -> Reader:
        raise WeightsError("the weights are missing; install handfoot again")

    app = create_app(Settings(tmp_path / "data"), ReaderService(missing))
    person = Person(app)
    person.begin()
    person.photo(SIDE, photo(NORTH_TABLE))
    assert "The photo is saved, but it could not be read: the weights are missing" in person.notices()[0]
    person.send(f"{SIDE}/photo/1/read")
    assert "the weights are missing" in person.notices()[0]
    services_of(app).store.close()

    later = Person(make_app())
    later.open(f"{SIDE}/")
    assert "has not been read yet" in later.text and "Next: cards North has left" not in later.text
    later.send(f"{SIDE}/photo/1/read")
    later.count_piles()
    assert "Clean book of 8s 770" in later.group("p1g0") and "Next: cards North has left" in later.text


def test_a_missing_photo_file_is_reported(player: Person, tmp_path: Path) -> None:
    for file in (tmp_path / "data" / "photos").iterdir():
        file.unlink()
    for picture in ("view.jpg", "card/0.jpg"):
        assert "This photo is gone" in player.client.get(f"/photo/1/{picture}").text
    player.open(f"{SIDE}/")
    assert "Clean book of 8s 770" in player.group("p1g0"), "what was read is still there"
