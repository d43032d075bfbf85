"""The camera page: one live picture for several viewers, pictures for a side, never an old picture as live."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask

import webui.camera.mjpeg
from tests.vision.cameras.faults import Device
from tests.vision.cameras.test_watcher import wait_for
from tests.vision.live.test_table_markers import camera, photo
from tests.webui.helpers.drawn import ALL, NORTH_TABLE, DrawnReader, frame
from tests.webui.helpers.played_games import play_round
from tests.webui.helpers.playing import Person
from vision.cameras import open_camera
from vision.images.jpeg import to_jpeg
from vision.values import DEFAULT_HOUSE_RULES, Frame, HouseRules, Pixels, Reading
from webui.app import create_app
from webui.camera.camera_service import CameraService
from webui.camera.mjpeg import MAX_VIEWERS, LiveStream
from webui.context.services import services_of
from webui.reading.camera_jpegs import decode_frames, encode_frames
from webui.reading.reader_service import REPEAT_BELOW_SECONDS, ReaderService, read_together
from webui.settings import Settings


def parts(data: bytes) -> list[Pixels]:
    """The pictures of a piece of the stream."""
    found = []
    for part in data.split(b"--picture\r\n"):
        if part:
            head, body = part.split(b"\r\n\r\n", 1)
            assert b"Content-Type: image/jpeg" in head and f"Content-Length: {len(body) - 2}".encode() in head
            found.append(np.asarray(cv2.imdecode(np.frombuffer(body, np.uint8), cv2.IMREAD_COLOR), np.uint8))
    return found


def state_of(person: Person) -> dict[str, Any]:
    found = person.client.get("/camera/state.json").json
    assert isinstance(found, dict)
    return found


@pytest.fixture
def device() -> Device:
    return Device()


@pytest.fixture
def desk(device: Device) -> CameraService:
    return CameraService(device.open)


def test_a_frame_is_encoded_once_for_all_viewers(desk: CameraService, monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[int] = []

    def count(pixels: Pixels, longest: int | None = None, quality: int = 88) -> bytes:
        encoded.append(1)
        return to_jpeg(pixels, longest, quality)

    monkeypatch.setattr(webui.camera.mjpeg, "to_jpeg", count)
    wait_for(lambda: desk.watcher.snapshot().frame is not None)
    look = desk.watcher.snapshot()
    for _ in range(MAX_VIEWERS):
        desk.live._jpeg(look)
    assert len(encoded) == 1
    desk.close()


def test_a_black_picture_is_refused_and_not_stored(
    make_app: Callable[[], Flask], device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.app.open_camera", lambda *_: device.open())
    app = make_app()
    person = Person(app)
    here = person.begin()
    device.fault = "black"
    person.send(f"{here}/side/0/shoot")
    assert any("picture is black. Uncover the lens or turn on a lamp" in said for said in person.notices())
    game = services_of(app).store.game(1)
    assert game is not None and not game.rounds[0].photos


def test_the_number_of_viewers_is_bounded_and_released(desk: CameraService) -> None:
    viewers = [desk.live.open_stream(f"device {number}") for number in range(MAX_VIEWERS)]
    assert all(viewers) and desk.live.open_stream() is None
    first = viewers[0]
    assert first is not None and parts(next(first))[0].shape == (540, 960, 3), "it is being opened"
    wait_for(lambda: shows(first, LIVE))
    first.close()
    first.close()
    assert desk.live.open_stream() is not None and desk.live.open_stream() is None
    desk.close()


LIVE, SLATE = (180, 320, 3), (540, 960, 3)


def shows(viewer: LiveStream, shape: tuple[int, ...]) -> bool:
    """Whether the next picture that a viewer gets is live, or the slate, as told by its shape."""
    return parts(next(viewer))[0].shape == shape


def test_an_unplugged_camera_shows_no_old_picture(desk: CameraService, device: Device) -> None:
    viewer = desk.live.open_stream()
    assert viewer is not None
    wait_for(lambda: shows(viewer, LIVE))
    device.fault = "gone"
    # a viewer waits a second for a picture where there is no new one, so that these are three seconds
    assert any(shows(viewer, SLATE) for _ in range(5)), "two may be on their way"
    wait_for(lambda: "plug it in" in (desk.state()["trouble"] or ""))
    assert not desk.state()["live"]
    device.fault = ""
    wait_for(lambda: shows(viewer, LIVE))
    desk.close()


def test_a_picture_that_is_there_already_is_named_without_its_folders(person: Person, tmp_path: Path) -> None:
    here = person.begin()
    for _ in range(len(ALL) + 1):
        person.send(f"{here}/side/0/shoot")
    (said,) = [said for said in person.notices() if "already here" in said]
    assert said == "0.jpg is already here, so it was not added again. Its cards count only once."
    store = services_of(person.client.application).store
    game = store.game(1)
    assert game is not None and all("/" not in one.source for one in game.rounds[0].photos)


def test_pictures_that_an_older_version_left_in_the_queue_are_named_without_folders() -> None:
    ((data, _),) = encode_frames([frame(NORTH_TABLE)])
    (found,), _ = decode_frames([(data, "2026-07-01T20:00:00+00:00 /srv/our games/samples/1 north.jpg")])
    assert found.source == "1 north.jpg"


def test_the_page_offers_every_target_and_takes_the_picture(person: Person, make_app: Callable[[], Flask]) -> None:
    person.open("/camera/")
    assert "Start a game and a round first" in person.text and "Take the picture" not in person.text
    round_one = person.begin()
    person.open("/camera/")
    assert "cards South has left" in person.text
    person.open("/camera/?game=1&round=1&side=0&player=1")
    assert "North–South: cards South has left" in person.text and "Take the picture" in person.text
    assert f'action="{round_one}/side/0/shoot"' in person.page and 'name="player" value="1"' in person.page
    person.open("/camera/?game=1&round=9&side=0")
    assert person.status == 200 and "Take the picture" not in person.text


def test_picture_state_and_stream_are_served(person: Person) -> None:
    answer = person.client.get("/camera/picture.jpg")
    assert answer.data.startswith(b"\xff\xd8") and answer.headers["Cache-Control"] == "no-store"
    wait_for(lambda: state_of(person)["live"])
    assert state_of(person)["trouble"] is None
    answer = person.client.get("/camera/live.mjpg", buffered=False)
    assert answer.mimetype == "multipart/x-mixed-replace"
    first = next(iter(answer.response))
    assert isinstance(first, bytes) and parts(first)
    answer.close()


def test_a_missing_camera_is_reported_on_the_page(tmp_path: Path) -> None:
    app = create_app(Settings(tmp_path / "data", camera=str(tmp_path / "none")), ReaderService(DrawnReader))
    person = Person(app)
    person.client.get("/camera/picture.jpg")
    wait_for(
        lambda: (
            "'none' is no camera; expected a webcam's number or its path in /dev, 'pi',"
            in (state_of(person)["trouble"] or "")
        )
    )
    desk = services_of(app).camera
    for number in range(MAX_VIEWERS):
        assert desk.live.open_stream(f"device {number}")
    answer = person.client.get("/camera/live.mjpg")
    assert answer.status_code == 503 and "The live picture is open in too many places" in answer.text
    desk.close()
    services_of(app).store.close()


def test_the_camera_is_checked_and_adjusted(person: Person) -> None:
    person.open("/camera/setup")
    assert "Test the picture" in person.text and "fine." not in person.text
    assert person.client.get("/camera/setup/checked.jpg").status_code == 404
    person.send("/camera/setup/check")
    # the drawn cards are 120 px wide, 0.18 of that is an index
    assert "The numbers in the card corners are 22 pixels tall. Good." in person.text
    assert "Not all four printed marks are in the picture" in person.text
    assert person.client.get("/camera/setup/checked.jpg").data.startswith(b"\xff\xd8")
    person.send("/camera/setup/adjust", focus="", exposure="")
    assert not any("cannot be set" in sentence for sentence in person.notices())
    person.send("/camera/setup/adjust", focus="40", exposure="")
    assert any("cannot be set; leave it to the camera" in sentence for sentence in person.notices())
    assert person.client.get("/camera/setup/marks.pdf").data.startswith(b"%PDF-")


def test_a_picture_with_markers_is_straightened(tmp_path: Path) -> None:
    pixels = photo(camera(33, 0), 1)
    (tmp_path / "table").mkdir()
    cv2.imwrite(str(tmp_path / "table" / "marks.png"), pixels)
    desk = CameraService(lambda: open_camera(str(tmp_path / "table"), tmp_path))
    (taken,) = desk.capture()
    assert taken.width / taken.height == pytest.approx(760 / 470, rel=0.02), "the table and its margin, nothing else"
    desk.close()


class BlinkingReader(DrawnReader):
    """Overlooks another card at every look."""

    def read(self, frame: Frame, house_rules: HouseRules = DEFAULT_HOUSE_RULES, taught: object = None) -> Reading:
        found, overlooked = super().read(frame, house_rules), len(self.asked)
        return replace(found, cards=tuple(card for i, card in enumerate(found.cards) if i != overlooked), groups=())


@pytest.fixture
def filmed(tmp_path: Path) -> Iterator[Flask]:
    """The page with a live camera over a drawn table."""
    film = cv2.VideoWriter(str(tmp_path / "table.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (1600, 1000))
    for _ in range(30):
        film.write(frame(NORTH_TABLE).pixels)
    film.release()
    app = create_app(Settings(tmp_path / "data", camera=str(tmp_path / "table.avi")), ReaderService(BlinkingReader))
    yield app
    services_of(app).camera.close()
    services_of(app).store.close()


def test_several_frames_become_one_photo(filmed: Flask) -> None:
    person, desk = Person(filmed), services_of(filmed).camera
    here = person.begin()
    wait_for(lambda: bool(desk.watcher.snapshot()) and len(desk._frame_buffer._held) >= 3)
    person.send(f"{here}/side/0/shoot")
    reader = services_of(filmed).reader.get()
    assert isinstance(reader, BlinkingReader) and len(reader.asked) == 3
    game = services_of(filmed).store.game(1)
    assert game is not None
    (photo,) = game.rounds[0].photos
    whole = DrawnReader().read(frame(NORTH_TABLE)).cards
    assert photo.reading is not None and len(photo.reading["cards"]) == len(whole)


def test_slow_readings_are_not_repeated() -> None:
    class Slow(DrawnReader):
        def read(self, frame: Frame, house_rules: HouseRules = DEFAULT_HOUSE_RULES, taught: object = None) -> Reading:
            return replace(super().read(frame, house_rules), seconds=REPEAT_BELOW_SECONDS)

    reader, shown = Slow(), frame(NORTH_TABLE)
    found, _ = read_together(reader, [shown] * 3, DEFAULT_HOUSE_RULES)
    assert len(found.cards) > 20 and len(reader.asked) == 1


def test_the_round_that_is_played_is_offered(person: Person) -> None:
    person.begin()
    store, first = services_of(person.client.application).store, "round=1&amp;side=0"
    assert first in person.open("/camera/") and "round 1" in person.text
    play_round(store, 1, 1, random.Random(1))
    page = person.open("/camera/")
    assert first not in page and "Score round 2" in person.text, "both sides agreed on round 1"
    person.send("/game/1/round/2/begin")
    page = person.open("/camera/")
    assert "round=2&amp;side=0" in page and first not in page
    person.open("/camera/?game=1&round=1&side=0")
    assert "Take the picture" in person.text, "a round that is corrected is still the one that was asked for"
    person.send("/game/1/state", state="end")
    assert "Start a game and a round first" in (person.open("/camera/") and person.text)
