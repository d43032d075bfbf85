"""A watched camera: every fault is shown, mends by itself, hangs nothing, and no old picture is shown as live."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

import vision.watching
from tests.vision.faults import FAULTS, Device, Measured, measure_all
from vision.errors import CameraError
from vision.framecheck import is_half
from vision.watching import FRESH, MOST_LOST, Watcher


@pytest.fixture(scope="module")
def measured() -> dict[str, Measured]:
    return measure_all()


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


def wait_for(what: Callable[[], bool], seconds: float = 8.0) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


def threads() -> int:
    return sum(thread.name == "camera" for thread in threading.enumerate())


def test_a_driver_that_freezes_for_ever_piles_up_no_threads_and_hangs_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("READ_LIMIT", "OPEN_LIMIT", "STILL_LIMIT"):
        monkeypatch.setattr(vision.watching, limit, 0.3)
    device, before = Device(), threads()
    watcher = Watcher(device.open)
    wait_for(lambda: watcher.look().frame is not None)
    device.fault = "frozen for all"
    end = time.monotonic() + 2.5
    while time.monotonic() < end:
        asked = time.monotonic()
        watcher.look()
        assert time.monotonic() - asked < 0.2
        time.sleep(0.02)
    assert threads() - before <= MOST_LOST
    assert watcher.look().trouble == "The camera does not answer any more; unplug it and plug it in again."
    with pytest.raises(CameraError, match="does not answer"):
        watcher.still(wait=0.5)
    device.fault = ""
    device.thaw.set()
    wait_for(lambda: watcher.look().frame is not None)
    wait_for(lambda: threads() - before <= 1)
    watcher.close()


def test_the_camera_is_let_go_of_when_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vision.watching, "IDLE", 0.3)
    device, before = Device(), threads()
    watcher = Watcher(device.open)
    wait_for(lambda: watcher.look().frame is not None)
    assert threads() == before + 1
    wait_for(lambda: threads() == before)
    assert watcher.look().frame is None, "what was seen before is not live"
    wait_for(lambda: watcher.look().frame is not None)
    assert device.opened == 2
    watcher.close()
    assert threads() == before


def test_a_still_is_taken_at_once_even_between_two_tries_to_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vision.watching, "FIRST_PAUSE", 60.0)
    device = Device()
    device.fault = "gone"
    watcher = Watcher(device.open)
    wait_for(lambda: watcher.look().trouble is not None)
    with pytest.raises(CameraError, match="cannot be opened"):
        watcher.still()
    device.fault = ""
    assert watcher.still().width == 320
    watcher.close()


def test_pauses_between_two_tries_grow() -> None:
    device = Device()
    device.fault = "gone"
    watcher = Watcher(device.open)
    begun = time.monotonic()
    wait_for(lambda: bool(watcher.look()) and time.monotonic() - begun > 2.6)
    assert device.opened == 3, "at 0, 0.5 and 1.5 seconds"
    watcher.close()


def test_a_picture_whose_end_never_arrived_is_known() -> None:
    whole = np.random.default_rng(1).integers(0, 255, (90, 160, 3), dtype=np.uint8)
    grey, green = whole.copy(), whole.copy()
    grey[40:] = 128
    green[40:] = (0, 135, 0)
    assert not is_half(whole) and is_half(grey) and is_half(green)
    assert not is_half(np.zeros((90, 160, 3), np.uint8))
