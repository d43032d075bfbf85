"""Readings of the live picture: stable, paced, only on request, and never without a picture."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from tests.vision.cameras.faults import Device
from tests.vision.cameras.test_watcher import wait_for
from tests.vision.groups.test_merge_photos import spread
from tests.webui.helpers.drawn import NORTH_TABLE, reading
from tests.webui.helpers.playing import Person
from tests.webui.pages.photos.test_camera import BlinkingReader, desk, device, filmed
from vision.errors import WeightsError
from vision.values import Frame, Reading
from webui.camera.camera_service import CameraService
from webui.context.services import services_of

__all__ = ["desk", "device", "filmed"]


def test_a_card_missed_in_single_frames_stays_shown(filmed: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("vision.cameras.watcher.FRESH", "webui.camera.live_reading._ACTIVE_SECONDS"):
        monkeypatch.setattr(limit, 60.0)  # though the machine stands still for a moment, nothing is given up
    person, reader = Person(filmed), services_of(filmed).reader.get()
    assert isinstance(reader, BlinkingReader)

    def state() -> dict[str, Any]:
        found = person.client.get("/camera/reading").json
        assert isinstance(found, dict)
        return found

    assert state() == {"read": False, "width": 16, "height": 9, "cards": [], "trouble": None}
    wait_for(lambda: "cards" in state() and len(reader.asked) > 3)
    whole = reading(NORTH_TABLE).cards
    looks = len(reader.asked)
    while len(reader.asked) < looks + 6:
        shown = state()
        assert len(shown["cards"]) == len(whole) and (shown["width"], shown["height"]) == (1600, 1000)
        time.sleep(0.02)
    card = next(card for card in shown["cards"] if card["doubt"])
    assert card["name"] == "9♦?" and len(card["points"].split()) == 4 and 0 < card["x"] < 1600


class Counting:
    """A reader that takes a while."""

    def __init__(self, took: float) -> None:
        self.took, self.looks = took, 0
        self.begun: list[float] = []
        self.ended: list[float] = []

    def read(self, frame: Frame) -> Reading:
        self.looks += 1
        self.begun.append(time.monotonic())
        time.sleep(self.took)
        self.ended.append(time.monotonic())
        return Reading(frame.width, frame.height, self.took, tuple(spread(6)), (), ())


def test_readings_pause_as_long_as_they_take_and_stop_without_requests(desk: CameraService) -> None:
    reader = Counting(0.1)
    wait_for(lambda: desk.watcher.snapshot().frame is not None)
    wait_for(lambda: bool(desk.reading.state(reader.read)) and len(reader.ended) >= 6)
    times = zip(reader.begun, reader.ended, reader.begun[1:], strict=False)
    assert all(later - ended >= ended - begun for begun, ended, later in times)
    wait_for(lambda: not desk.reading._busy)
    looks = reader.looks
    time.sleep(0.5)
    assert reader.looks == looks
    desk.close()


def test_no_cards_without_a_live_picture(desk: CameraService, device: Device) -> None:
    reader = Counting(0.01)
    wait_for(lambda: len(desk.reading.state(reader.read)["cards"]) == 6)
    device.fault = "gone"
    wait_for(lambda: desk.watcher.snapshot().frame is None)
    time.sleep(0.05)
    assert desk.reading.state(reader.read)["cards"] == []
    desk.close()


def test_a_cleared_table_is_shown_empty_at_once(desk: CameraService) -> None:
    cards = tuple(spread(6))

    def read(frame: Frame) -> Reading:
        return Reading(frame.width, frame.height, 0.01, cards, (), ())

    wait_for(lambda: len(desk.reading.state(read)["cards"]) == 6)
    cards = tuple(replace(card, face=cards[0].face) for card in cards[:1])
    wait_for(lambda: len(desk.reading.state(read)["cards"]) == 1)
    cards = ()
    wait_for(lambda: desk.reading.state(read)["cards"] == [])
    desk.close()


def test_missing_weights_are_reported(desk: CameraService) -> None:
    def read(frame: Frame) -> Reading:
        raise WeightsError("the weights are missing; install them")

    wait_for(lambda: desk.reading.state(read)["trouble"] == "the weights are missing; install them.")
    desk.close()


def test_a_reader_that_fails_is_reported_logged_and_asked_again(
    desk: CameraService, caplog: pytest.LogCaptureFixture
) -> None:
    cards = tuple(spread(6))
    asked = []

    def read(frame: Frame) -> Reading:
        asked.append(frame)
        if len(asked) == 1:
            raise ValueError("a fault of the program")
        return Reading(frame.width, frame.height, 0.01, cards, (), ())

    sentence = "This picture could not be read. Trying the next one."
    wait_for(lambda: desk.reading.state(read)["trouble"] == sentence)
    wait_for(lambda: len(desk.reading.state(read)["cards"]) == 6)
    assert "reading the live picture failed" in [record.message for record in caplog.records]
    desk.close()
