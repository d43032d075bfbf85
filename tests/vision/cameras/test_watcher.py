"""The camera watcher shows faults, recovers by itself, never hangs, and shows no old frame as live."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

import vision.cameras.watcher
from tests.machine_delay import DelayMonitor, RetryTime
from tests.vision.cameras.faults import FAULTS, SIZE, Device, FaultyCamera, Measured, measure_all
from vision.cameras.base import Abilities, Camera
from vision.cameras.watcher import FRESH, IDLE, MAX_LOST, Watcher
from vision.cameras.watching.frame_check import is_half
from vision.errors import CameraError

STALL = 0.2
"""Longest delay of the machine, in seconds, with which faults can be measured."""


@pytest.fixture(scope="module")
def measured() -> dict[str, Measured]:
    """Measures all faults, and again where the machine was too busy meanwhile."""
    retry_time = RetryTime()
    while True:
        with DelayMonitor() as delays:
            found = measure_all()
        if delays.late < STALL:
            return found
        retry_time.pause()


EXPECTED_MESSAGES = {
    "gone": "plug it in",
    "frozen read": "No picture has come from the camera for 2 seconds.",
    "half frames": "coming in damaged",
    "wrong size": "size",
    "black": "Uncover the lens",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_shown_in_time_and_the_camera_recovers(measured: dict[str, Measured], fault: str) -> None:
    found = measured[fault]
    if fault in EXPECTED_MESSAGES:
        assert found.shown is not None and found.shown < 3.0
        assert any(EXPECTED_MESSAGES[fault] in message for message in found.messages), found.messages
    else:
        assert found.shown is None, "a slow camera and a jump of the clock are no faults"
    assert found.recovered < 6.0
    assert found.oldest < FRESH + 0.5


def wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    """Polls until the condition holds; fails after ``seconds``."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "camera"}


def test_whoever_waits_for_a_frame_hears_at_once_that_there_is_no_camera() -> None:
    def open_none() -> Camera:
        opened.wait(60)
        raise CameraError("no camera found")

    def clock() -> float:  # asked a second time once the waiting has begun, while nothing else can happen
        if threading.current_thread() is waiting and next(asked) == 2:
            opened.set()
        return time.monotonic()

    opened, heard, asked = threading.Event(), list[str | None](), itertools.count(1)
    waiting = threading.Thread(target=lambda: heard.append(watcher.snapshot(0, 3600).error), daemon=True)
    watcher = Watcher(open_none, clock=clock)
    assert watcher.snapshot().error is None, "it is being opened"
    waiting.start()
    waiting.join(60)
    watcher.close()
    assert heard == ["No camera found."]


def test_a_frozen_driver_neither_piles_up_threads_nor_blocks_callers(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("OPEN_LIMIT", "STILL_LIMIT"):
        monkeypatch.setattr(vision.cameras.watcher, limit, 0.3)
    monkeypatch.setattr(FaultyCamera, "abilities", lambda _: Abilities(SIZE, SIZE, patience=0.3))
    device, before = Device(), threads()
    watcher = Watcher(device.open)
    wait_for(lambda: watcher.snapshot().frame is not None)
    device.fault = "frozen for all"
    end, durations = time.monotonic() + 2.5, list[float]()
    while time.monotonic() < end or len(durations) < 20:
        start = time.monotonic()
        watcher.snapshot()
        durations.append(time.monotonic() - start)
        time.sleep(0.02)
    assert sorted(durations)[len(durations) * 3 // 4] < 0.2, "callers do not wait for the driver"
    message = "The camera stopped answering. Unplug it and plug it in again."
    wait_for(lambda: watcher.snapshot().error == message)
    assert len(threads() - before) <= MAX_LOST
    with pytest.raises(CameraError, match="is not answering"):
        watcher.still()
    device.fault = ""
    device.thaw.set()
    wait_for(lambda: watcher.snapshot().frame is not None)
    wait_for(lambda: len(threads() - before) <= 1)
    watcher.close()


def test_the_camera_is_closed_when_nobody_asks() -> None:
    device, before = Device(), threads()
    clock_offset = [0.0]
    watcher = Watcher(device.open, clock=lambda: time.monotonic() + clock_offset[0])
    wait_for(lambda: watcher.snapshot().frame is not None)
    assert len(threads() - before) == 1
    clock_offset[0] = IDLE
    wait_for(lambda: not threads() - before)
    assert watcher.snapshot().frame is None, "an old frame is not live"
    wait_for(lambda: watcher.snapshot().frame is not None)
    assert device.opened == 2
    watcher.close()
    assert not threads() - before


def test_a_still_is_taken_at_once_even_during_the_pause_before_a_retry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vision.cameras.watcher, "FIRST_PAUSE", 60.0)
    device = Device()
    device.fault = "gone"
    watcher = Watcher(device.open)
    wait_for(lambda: watcher.snapshot().error is not None)
    with pytest.raises(CameraError, match="cannot be opened"):
        watcher.still()
    device.fault = ""
    assert watcher.still().width == 320
    watcher.close()


def test_pauses_between_retries_grow() -> None:
    device, tries = Device(), list[float]()
    device.fault = "gone"

    def open_it() -> FaultyCamera:
        tries.append(time.monotonic())
        return device.open()

    watcher = Watcher(open_it)
    wait_for(lambda: bool(watcher.snapshot()) and len(tries) == 4)
    pauses = [later - earlier for earlier, later in pairwise(tries)]
    assert all(pause >= least for pause, least in zip(pauses, (0.5, 1.0, 2.0), strict=True)), pauses
    watcher.close()


def test_a_frame_whose_end_never_arrived_is_recognised() -> None:
    whole = np.random.default_rng(1).integers(0, 255, (90, 160, 3), dtype=np.uint8)
    grey, green = whole.copy(), whole.copy()
    grey[40:] = 128
    green[40:] = (0, 135, 0)
    assert not is_half(whole) and is_half(grey) and is_half(green)
    assert not is_half(np.zeros((90, 160, 3), np.uint8))
