"""Photos that are sent again after they were removed, lost or not read, several of one name, failures among them."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from tests.webui.helpers.drawn import EAST_TABLE, NORTH_TABLE, DrawnReader, photo
from tests.webui.helpers.playing import Person
from vision.errors import WeightsError
from vision.values import DEFAULT_HOUSE_RULES, Frame, HouseRules, Reading
from webui.app import create_app
from webui.context.services import services_of
from webui.reading.reader_service import Reader, ReaderService
from webui.settings import Settings

SIDE = "/game/1/round/1/side/0"
CLEAN_EIGHTS = "Clean book of 8s 770"


@pytest.fixture
def player(person: Person) -> Person:
    person.begin()
    person.photo(SIDE, photo(NORTH_TABLE))
    return person


def test_a_removed_photo_can_be_sent_again(player: Person) -> None:
    player.send(f"{SIDE}/change", op="drop-photo", photo="1")
    player.open(f"{SIDE}/")
    assert CLEAN_EIGHTS not in player.text
    player.photo(SIDE, photo(NORTH_TABLE), counts=False)
    assert CLEAN_EIGHTS in player.group("p2g0") and "already here" not in player.text
    player.undo()
    player.open(f"{SIDE}/")
    assert CLEAN_EIGHTS not in player.text
    player.photo(SIDE, photo(NORTH_TABLE))
    assert CLEAN_EIGHTS in player.group("p3g0")


@pytest.mark.parametrize("damage", ["removed", "emptied", "overwritten"])
def test_a_photo_whose_file_was_lost_is_replaced_when_it_is_sent_again(
    player: Person, tmp_path: Path, damage: str
) -> None:
    files = sorted((tmp_path / "data" / "photos").iterdir())
    whole = [file.read_bytes() for file in files]
    for file in files:
        if damage == "removed":
            file.unlink()
        else:
            file.write_bytes(b"" if damage == "emptied" else bytes(file.stat().st_size))
    player.photo(SIDE, photo(NORTH_TABLE), "again.jpg")
    assert player.notices()[0] == "again.jpg was missing and is back. Its cards count once, as before."
    assert [file.read_bytes() for file in files] == whole
    assert player.page.count('class="photo"') == 1
    player.photo(SIDE, photo(NORTH_TABLE), "again.jpg")
    assert "again.jpg is already here" in player.notices()[0]


def test_a_photo_that_could_not_be_read_is_read_when_it_is_sent_again(
    tmp_path: Path, make_app: Callable[[], Flask]
) -> None:
    def missing() -> Reader:
        raise WeightsError("the weights are missing; install handfoot again")

    app = create_app(Settings(tmp_path / "data"), ReaderService(missing))
    person = Person(app)
    person.begin()
    person.photo(SIDE, photo(NORTH_TABLE))
    services_of(app).photo_queue.close()
    services_of(app).store.close()
    later = Person(make_app())
    later.photo(SIDE, photo(NORTH_TABLE))
    assert CLEAN_EIGHTS in later.group("p1g0") and "already here" not in later.text
    assert later.page.count('class="photo"') == 1


def test_photos_of_one_name_and_other_content_both_count(person: Person) -> None:
    person.begin()
    pictures = [(io.BytesIO(photo(table)), "image.jpg") for table in (NORTH_TABLE, EAST_TABLE)]
    person.send(f"{SIDE}/photos", photos=pictures)
    assert person.page.count('class="photo"') == 2
    person.begin()
    side = SIDE.replace("game/1", "game/2")
    for table in (NORTH_TABLE, EAST_TABLE):
        person.photo(side, photo(table), "image.jpg")
    assert person.page.count('class="photo"') == 2 and "already here" not in person.text


class FailingReader(DrawnReader):
    """Fails at the photos of one name, as a fault of the program would."""

    def read(self, frame: Frame, house_rules: HouseRules = DEFAULT_HOUSE_RULES, taught: object = None) -> Reading:
        if frame.source == "odd.jpg":
            raise ValueError("Something went wrong")
        return super().read(frame, house_rules)


def test_a_fault_at_one_photo_does_not_drop_those_after_it(tmp_path: Path) -> None:
    app = create_app(Settings(tmp_path / "data"), ReaderService(FailingReader))
    person = Person(app)
    person.begin()
    pictures = [(io.BytesIO(photo(EAST_TABLE)), "odd.jpg"), (io.BytesIO(photo(NORTH_TABLE)), "table.jpg")]
    person.send(f"{SIDE}/photos", photos=pictures)
    assert "Something went wrong with a photo. Send it again." in person.notices()
    assert CLEAN_EIGHTS in person.group("p1g0")
    services_of(app).photo_queue.close()
    services_of(app).store.close()


@pytest.mark.parametrize(
    ("suffix", "name"),
    [(".jpg", "table.heic"), (".jpg", "table.png"), (".png", "table.jpg"), (".webp", "table.txt"), (".webp", "table")],
)
def test_what_a_photo_is_its_content_says_and_not_its_name(person: Person, suffix: str, name: str) -> None:
    person.begin()
    person.photo(SIDE, photo(EAST_TABLE, suffix), name)
    assert person.page.count('class="photo"') == 1 and "Meld of jacks" in person.text
