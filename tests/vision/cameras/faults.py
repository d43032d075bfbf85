"""Measures how the camera watcher handles faults; ``python -m tests.vision.cameras.faults`` prints the README's table.

The camera is a fake whose frames carry the time they were taken, so that an old one shown as live is detected.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

from vision.cameras.base import Abilities, Camera
from vision.cameras.watcher import Watcher
from vision.cameras.watching.owner import Snapshot
from vision.errors import CameraError
from vision.values import Frame

SIZE = (320, 180)
DURATION = 3.0
"""Seconds that a fault lasts."""


class Device:
    """The fake device; ``fault`` is its current fault, ``thaw`` ends a frozen call."""

    def __init__(self) -> None:
        self.fault = ""
        self.thaw = threading.Event()
        self.opened = 0

    def open(self) -> FaultyCamera:
        self.opened += 1
        if self.fault == "frozen for all":
            self.thaw.wait()
        if self.fault == "gone":
            raise CameraError("camera 0 cannot be opened; plug it in (again), or close the program that is using it")
        return FaultyCamera(self)


class FaultyCamera(Camera):
    """A camera of 30 frames a second with the faults of its device."""

    name = "camera 0"

    def __init__(self, device: Device) -> None:
        self._device = device
        self._fault_at_opening = device.fault

    def abilities(self) -> Abilities:
        return Abilities(SIZE, SIZE)

    def read(self) -> Frame:
        fault = self._device.fault
        time.sleep(1.0 if fault == "1 picture a second" else 1 / 30)
        if fault == "gone":
            raise CameraError("camera 0 gives no picture any more; plug it in (again)")
        if fault == "frozen for all" or (fault == "frozen read" and self._fault_at_opening != fault):
            self._device.thaw.wait()
        size = (SIZE[0] // 2, SIZE[1] // 2) if fault == "wrong size" and self._fault_at_opening != fault else SIZE
        pixels = np.full((size[1], size[0], 3), 2 if fault == "black" else 90, np.uint8)
        pixels[0, :8, 0] = np.frombuffer(np.float64(time.monotonic()).tobytes(), np.uint8)
        if fault == "half frames":
            pixels[size[1] // 2 :] = 128
        jump = timedelta(hours=-3 if fault == "clock jump" else 0)
        return Frame(pixels, datetime.now(UTC) + jump, self.name)


def taken(frame: Frame) -> float:
    """When the frame was taken, by the monotonic clock."""
    return float(np.frombuffer(frame.pixels[0, :8, 0].tobytes(), np.float64)[0])


FAULTS = ("gone", "frozen read", "half frames", "wrong size", "1 picture a second", "black", "clock jump")


@dataclass(frozen=True)
class Measured:
    """The outcome of one fault, times in seconds.

    ``shown`` is the time until it was shown, None where it was not; ``messages`` what was shown; ``recovered`` the time
    from its end until all was well; ``oldest`` the age of the oldest frame that was shown as live.
    """

    fault: str
    shown: float | None
    messages: tuple[str, ...]
    recovered: float
    oldest: float


def measure(fault: str) -> Measured:
    """Injects a fault into a running camera for DURATION seconds."""
    device = Device()
    watcher = Watcher(device.open)
    try:
        _until_well(watcher)
        device.fault, start = fault, time.monotonic()
        shown, messages, oldest = None, [], 0.0
        while time.monotonic() - start < DURATION or (fault == "frozen read" and shown is None):
            snapshot = watcher.snapshot()
            oldest = max(oldest, _age(snapshot))
            if snapshot.error and shown is None:
                shown = time.monotonic() - start
            if snapshot.error and snapshot.error not in messages:
                messages.append(snapshot.error)
            time.sleep(0.02)
        device.fault, ended = "", time.monotonic()
        _until_well(watcher)
        return Measured(fault, shown, tuple(messages), time.monotonic() - ended, oldest)
    finally:
        device.thaw.set()
        watcher.close()


def _until_well(watcher: Watcher) -> None:
    end = time.monotonic() + 60
    before = watcher.snapshot().number
    while time.monotonic() < end:
        snapshot = watcher.snapshot(after=before, wait=0.1)
        is_new = snapshot.frame is not None and snapshot.number > before and _age(snapshot) < 0.5
        if is_new and snapshot.error is None:
            return
    raise AssertionError(f"not well after 60 s: {watcher.snapshot().error}")


def _age(snapshot: Snapshot) -> float:
    return time.monotonic() - taken(snapshot.frame) if snapshot.frame is not None else 0.0


def measure_all() -> dict[str, Measured]:
    """Measures all faults at once, each with a watcher of its own."""
    with ThreadPoolExecutor(len(FAULTS)) as pool:
        return dict(zip(FAULTS, pool.map(measure, FAULTS), strict=True))


if __name__ == "__main__":
    print("| fault, for 3 s | message | shown after, s | recovered, s | oldest frame shown as live, s |")
    print("|---|---|---|---|---|")
    for found in measure_all().values():
        after = "–" if found.shown is None else f"{found.shown:.1f}"
        messages = " then ".join(found.messages) or "nothing"
        print(f"| {found.fault} | {messages} | {after} | {found.recovered:.1f} | {found.oldest:.1f} |")
