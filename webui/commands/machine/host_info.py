"""Facts of this machine for ``handfoot doctor``: speed of reading, temperature, power supply."""

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

_READINGS = 5
_THROTTLING_CELSIUS = 80.0
"""Above this a Raspberry Pi throttles its CPU (its documentation on frequency management)."""
_ZONES, _SENSORS = Path("/sys/class/thermal"), Path("/sys/class/hwmon")


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check; a table can be played only if all are ``ok``."""

    name: str
    ok: bool
    message: str


def sample_table() -> Frame:
    """The first sample table, or a grey picture if there is none."""
    try:
        return load_photo(photos_in(SAMPLES)[0])
    except VisionError:
        return Frame(np.full((1080, 1920, 3), 90, np.uint8), datetime.now(UTC), "a grey picture")


def fastest_reading(reader: Reader, frame: Frame) -> tuple[float, Reading]:
    """The seconds of the fastest of a few readings, and the reading."""
    times = []
    for _ in range(_READINGS):
        begun = time.perf_counter()
        reading = reader.read(frame)
        times.append(time.perf_counter() - begun)
    return min(times), reading


def host_checks() -> Iterator[Check]:
    """Temperature and power supply, if the machine reports them, as a Raspberry Pi does."""
    celsius = _max_temperature()
    if celsius is not None:
        message = f"{celsius:.0f} °C" + (
            "; it slows itself down, so let air to it" if celsius >= _THROTTLING_CELSIUS else ""
        )
        yield Check("heat", True, message)
    undervoltage = _undervoltage()
    if undervoltage is not None:
        yield Check(
            "power",
            True,
            "too little voltage since it was started; use the power supply made for it"
            if undervoltage
            else "enough voltage",
        )


def _max_temperature() -> float | None:
    """The highest temperature of a thermal zone in degrees Celsius; None if none is known."""
    found = [_number(zone / "temp") for zone in sorted(_ZONES.glob("thermal_zone*"))]
    known = [millis / 1000 for millis in found if millis is not None and 0 < millis < 150_000]
    return max(known, default=None)


def _undervoltage() -> bool | None:
    """Whether the kernel driver ``rpi_volt`` reports undervoltage; None on other machines."""
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
