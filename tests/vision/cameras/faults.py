"""Faults of a camera and how the watch over it takes them: ``python -m tests.vision.cameras.faults``.

The camera is a stand-in whose pictures carry the time they were taken, so that an old one shown as live is found out.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

from vision.cameras.base import Abilities
from vision.cameras.watcher import Snapshot, Watcher
from vision.errors import CameraError
from vision.values import Frame

SIZE = (320, 180)
LASTS = 3.0
"""Seconds that a fault lasts."""


class Device:
    """What is plugged in; ``fault`` is what is wrong with it now."""

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


class FaultyCamera:
    """A camera of 30 pictures a second with the faults of its device."""

    name = "camera 0"

    def __init__(self, device: Device) -> None:
        self._device, self.closed = device, False
        self._born_in = device.fault

    def abilities(self) -> Abilities:
        return Abilities(SIZE, SIZE)

    def read(self) -> Frame:
        fault = self._device.fault
        time.sleep(1.0 if fault == "1 picture a second" else 1 / 30)
        if fault == "gone":
            raise CameraError("camera 0 gives no picture any more; plug it in (again)")
        if fault == "frozen for all" or (fault == "frozen read" and self._born_in != fault):
            self._device.thaw.wait()
        size = (SIZE[0] // 2, SIZE[1] // 2) if fault == "wrong size" and self._born_in != fault else SIZE
        pixels = np.full((size[1], size[0], 3), 2 if fault == "black" else 90, np.uint8)
        pixels[0, :8, 0] = np.frombuffer(np.float64(time.monotonic()).tobytes(), np.uint8)
        if fault == "half frames":
            pixels[size[1] // 2 :] = 128
        jump = timedelta(hours=-3 if fault == "clock jump" else 0)
        return Frame(pixels, datetime.now(UTC) + jump, self.name)

    def still(self) -> Frame:
        return self.read()

    def adjust(self, focus: float | None, exposure: float | None) -> None:
        if focus is not None or exposure is not None:
            raise CameraError("nothing of camera 0 can be set")

    def close(self) -> None:
        self.closed = True


def taken(frame: Frame) -> float:
    """When the picture was taken, by the clock that never jumps."""
    return float(np.frombuffer(frame.pixels[0, :8, 0].tobytes(), np.float64)[0])


FAULTS = ("gone", "frozen read", "half frames", "wrong size", "1 picture a second", "black", "clock jump")


@dataclass(frozen=True)
class Measured:
    """What came of a fault: seconds until it was shown (None: nothing to show), what was said, seconds from its end
    until all was well, and the oldest picture that was shown as live, in seconds."""

    fault: str
    shown: float | None
    said: tuple[str, ...]
    mended: float
    oldest: float


def measure(fault: str) -> Measured:
    """Injects the fault into a camera that runs well, for LASTS seconds."""
    device = Device()
    watcher = Watcher(device.open)
    try:
        _until_well(watcher)
        device.fault, begun = fault, time.monotonic()
        shown, said, oldest = None, [], 0.0
        while time.monotonic() - begun < LASTS or (fault == "frozen read" and shown is None):
            look = watcher.snapshot()
            oldest = max(oldest, _age(look))
            if look.trouble and shown is None:
                shown = time.monotonic() - begun
            if look.trouble and look.trouble not in said:
                said.append(look.trouble)
            time.sleep(0.02)
        device.fault, ended = "", time.monotonic()
        _until_well(watcher)
        return Measured(fault, shown, tuple(said), time.monotonic() - ended, oldest)
    finally:
        device.thaw.set()
        watcher.close()


def _until_well(watcher: Watcher) -> None:
    end = time.monotonic() + 60
    before = watcher.snapshot().number
    while time.monotonic() < end:
        look = watcher.snapshot(after=before, wait=0.1)
        if look.frame is not None and look.trouble is None and look.number > before and _age(look) < 0.5:
            return
    raise AssertionError(f"not well after 60 s: {watcher.snapshot().trouble}")


def _age(look: Snapshot) -> float:
    return time.monotonic() - taken(look.frame) if look.frame is not None else 0.0


def measure_all() -> dict[str, Measured]:
    with ThreadPoolExecutor(len(FAULTS)) as pool:
        return dict(zip(FAULTS, pool.map(measure, FAULTS), strict=True))


if __name__ == "__main__":
    print("| fault, for 3 s | what is said | shown after, s | well after its end, s | oldest shown as live, s |")
    print("|---|---|---|---|---|")
    for found in measure_all().values():
        after = "–" if found.shown is None else f"{found.shown:.1f}"
        said = " then ".join(found.said) or "nothing"
        print(f"| {found.fault} | {said} | {after} | {found.mended:.1f} | {found.oldest:.1f} |")
