"""A watched camera: every fault is shown, mends by itself, hangs nothing, and no old picture is shown as live."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

import vision.cameras.watcher
from tests.pulse import Pulse
from tests.vision.cameras.faults import FAULTS, Device, FaultyCamera, Measured, measure_all
from vision.cameras.frame_check import is_half
from vision.cameras.watcher import FRESH, IDLE, MAX_LOST, Watcher
from vision.errors import CameraError

STALL = 0.2
"""Seconds for which the machine may stand still while faults are measured."""


@pytest.fixture(scope="module")
def measured() -> dict[str, Measured]:
    """What is measured while the machine does not stand still: else that is what was measured."""
    for _ in range(8):
        with Pulse() as pulse:
            found = measure_all()
        if pulse.late < STALL:
            return found
    pytest.skip(f"this machine stands still for {pulse.late:.1f} s now and then, too busy to measure a camera's faults")


SAYS = {
    "gone": "plug it in",
    "frozen read": "No picture has come from the camera for 2 seconds.",
    "half frames": "arrive damaged",
    "wrong size": "size",
    "black": "is the lens covered",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_shown_in_time_and_mends_by_itself(measured: dict[str, Measured], fault: str) -> None:
    found = measured[fault]
    if fault in SAYS:
        assert found.shown is not None and found.shown < 3.0
        assert any(SAYS[fault] in sentence for sentence in found.said), found.said
    else:
        assert found.shown is None, "a slow camera and a jump of the clock are no trouble"
    assert found.mended < 6.0
    assert found.oldest < FRESH + 0.5


def wait_for(what: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


def threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "camera"}


def test_a_driver_that_freezes_for_ever_piles_up_no_threads_and_hangs_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("READ_LIMIT", "OPEN_LIMIT", "STILL_LIMIT"):
        monkeypatch.setattr(vision.cameras.watcher, limit, 0.3)
    device, before = Device(), threads()
    watcher = Watcher(device.open)
    wait_for(lambda: watcher.snapshot().frame is not None)
    device.fault = "frozen for all"
    end, took = time.monotonic() + 2.5, list[float]()
    while time.monotonic() < end or len(took) < 20:
        asked = time.monotonic()
        watcher.snapshot()
        took.append(time.monotonic() - asked)
        time.sleep(0.02)
    assert sorted(took)[len(took) * 3 // 4] < 0.2, "the machine may stand still now and then, but nobody waits for it"
    says = "The camera does not answer any more; unplug it and plug it in again."
    wait_for(lambda: watcher.snapshot().trouble == says)
    assert len(threads() - before) <= MAX_LOST
    with pytest.raises(CameraError, match="does not answer"):
        watcher.still(wait=0.5)
    device.fault = ""
    device.thaw.set()
    wait_for(lambda: watcher.snapshot().frame is not None)
    wait_for(lambda: len(threads() - before) <= 1)
    watcher.close()


def test_the_camera_is_let_go_of_when_nobody_looks() -> None:
    device, before = Device(), threads()
    ahead = [0.0]
    watcher = Watcher(device.open, clock=lambda: time.monotonic() + ahead[0])
    wait_for(lambda: watcher.snapshot().frame is not None)
    assert len(threads() - before) == 1
    ahead[0] = IDLE
    wait_for(lambda: not threads() - before)
    assert watcher.snapshot().frame is None, "what was seen before is not live"
    wait_for(lambda: watcher.snapshot().frame is not None)
    assert device.opened == 2
    watcher.close()
    assert not threads() - before


def test_a_still_is_taken_at_once_even_between_two_tries_to_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vision.cameras.watcher, "FIRST_PAUSE", 60.0)
    device = Device()
    device.fault = "gone"
    watcher = Watcher(device.open)
    wait_for(lambda: watcher.snapshot().trouble is not None)
    with pytest.raises(CameraError, match="cannot be opened"):
        watcher.still()
    device.fault = ""
    assert watcher.still().width == 320
    watcher.close()


def test_pauses_between_two_tries_grow() -> None:
    device, tried = Device(), list[float]()
    device.fault = "gone"

    def open_it() -> FaultyCamera:
        tried.append(time.monotonic())
        return device.open()

    watcher = Watcher(open_it)
    wait_for(lambda: bool(watcher.snapshot()) and len(tried) == 4)
    pauses = [later - earlier for earlier, later in pairwise(tried)]
    assert all(pause >= least for pause, least in zip(pauses, (0.5, 1.0, 2.0), strict=True)), pauses
    watcher.close()


def test_a_picture_whose_end_never_arrived_is_known() -> None:
    whole = np.random.default_rng(1).integers(0, 255, (90, 160, 3), dtype=np.uint8)
    grey, green = whole.copy(), whole.copy()
    grey[40:] = 128
    green[40:] = (0, 135, 0)
    assert not is_half(whole) and is_half(grey) and is_half(green)
    assert not is_half(np.zeros((90, 160, 3), np.uint8))
