"""How quick this machine is, and whether it keeps cool and well fed: what ``handfoot doctor`` says of it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from vision.errors import VisionError
from vision.images.decode import load_photo, photos_in
from vision.values import Frame, Reading
from webui.reading.reader_service import Reader
from webui.settings import SAMPLES

_LOOKS = 5
_HOT = 80.0
"""Degrees Celsius from which a Raspberry Pi slows itself down (its documentation on frequency management)."""
_ZONES, _SENSORS = Path("/sys/class/thermal"), Path("/sys/class/hwmon")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at; a table can be played only where every ``ok`` is true."""

    name: str
    ok: bool
    message: str


def sample_table() -> Frame:
    """The first sample table, or a grey picture where there is none."""
    try:
        return load_photo(photos_in(SAMPLES)[0])
    except VisionError:
        return Frame(np.full((1080, 1920, 3), 90, np.uint8), datetime.now(UTC), "a grey picture")


def quickest_look(reader: Reader, frame: Frame) -> tuple[float, Reading]:
    """Seconds of the quickest of a few looks, and what was read."""
    times = []
    for _ in range(_LOOKS):
        begun = time.perf_counter()
        reading = reader.read(frame)
        times.append(time.perf_counter() - begun)
    return min(times), reading


def machine() -> Iterator[Check]:
    """Temperature and power supply, where the machine tells of them; a Raspberry Pi does."""
    degrees = _hottest()
    if degrees is not None:
        hot = f"{degrees:.0f} °C" + ("; it slows itself down, so let air to it" if degrees >= _HOT else "")
        yield Check("heat", True, hot)
    weak = _undervoltage()
    if weak is not None:
        yield Check(
            "power",
            True,
            "too little voltage since it was started; use the power supply made for it" if weak else "enough voltage",
        )


def _hottest() -> float | None:
    found = [_number(zone / "temp") for zone in sorted(_ZONES.glob("thermal_zone*"))]
    known = [millis / 1000 for millis in found if millis is not None and 0 < millis < 150_000]
    return max(known, default=None)


def _undervoltage() -> bool | None:
    """What the kernel's driver ``rpi_volt`` says; None on other machines."""
    for sensor in sorted(_SENSORS.glob("hwmon*")):
        try:
            name = (sensor / "name").read_text(encoding="utf-8").strip()
        except OSError:
            continue
        alarm = _number(sensor / "in0_lcrit_alarm")
        if name == "rpi_volt" and alarm is not None:
            return bool(alarm)
    return None


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
