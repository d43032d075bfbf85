"""The camera on a Raspberry Pi's camera port. The only module that uses picamera2, which Raspberry Pi OS installs.

A small preview runs all the time; a still switches to full resolution and back, as the library documents for
``switch_mode_and_capture_array``.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import numpy as np

from vision.cameras.base import Abilities, Camera, CameraKind, Size
from vision.errors import CameraError
from vision.values import Frame

PREVIEW: Size = (1280, 720)
_FORMAT = "RGB888"
"""The name in libcamera; in memory the order is blue, green, red, as in ``Frame``."""
_WAIT, _STILL_WAIT = 3.0, 8.0
"""Seconds to wait for a preview frame and for a still."""
_CONTINUOUS, _MANUAL = 2, 0
"""libcamera's AfModeEnum."""


def attached() -> Iterator[str]:
    """The specs of the cameras on the camera port; none where picamera2 is not installed or does not load."""
    try:
        from picamera2 import Picamera2
    except (ImportError, ValueError):
        return iter(())
    # libcamera lists webcams too; those are opened through vision.cameras.usb
    found = [info for info in Picamera2.global_camera_info() if "/usb" not in str(info.get("Id", ""))]
    return (f"pi:{int(info.get('Num', number))}" for number, info in enumerate(found))


class PiCamera(Camera):
    """A camera on the Raspberry Pi's camera port.

    Raises:
        CameraError: picamera2 is not installed, there is no such camera, or another program uses it.
    """

    def __init__(self, number: int = 0) -> None:
        self.name = f"Raspberry Pi camera {number}"
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            raise CameraError(
                f"{self.name} needs picamera2; install it with 'sudo apt install python3-picamera2' and use a "
                "virtual environment made with --system-site-packages"
            ) from error
        except ValueError as error:  # a part of it was built for another version of NumPy
            raise CameraError(
                f"{self.name}: picamera2 does not load ({error}); see deploy/README.md about simplejpeg"
            ) from error
        self._device: Any = None
        try:
            device = Picamera2(number)
            self._device = device
            self._sensor: Size = (int(device.sensor_resolution[0]), int(device.sensor_resolution[1]))
            preview = device.create_preview_configuration(main={"size": PREVIEW, "format": _FORMAT})
            self._still_mode = device.create_still_configuration(main={"size": self._sensor, "format": _FORMAT})
            device.configure(preview)
            self._offered: dict[str, tuple[Any, Any, Any]] = dict(device.camera_controls)
            device.start()
        except Exception as error:  # the library raises RuntimeError, IndexError and others
            self.close()
            raise CameraError(
                f"{self.name} cannot be opened ({error}); check its cable, and close the program that is using it"
            ) from error
        self._settings: dict[str, Any] = {}
        self.adjust(None, None)

    def abilities(self) -> Abilities:
        return Abilities(PREVIEW, self._sensor, "LensPosition" in self._offered, "ExposureTime" in self._offered)

    def still(self) -> Frame:
        if not self._settled:
            self.read()  # exposure and white balance are kept when the mode is switched
        pixels = self._call("switch_mode_and_capture_array", self._still_mode, "main", wait=_STILL_WAIT)
        self._call("set_controls", self._settings)  # switching back to the preview drops them
        return self._frame(pixels)

    def adjust(self, focus: float | None, exposure: float | None) -> None:
        settings: dict[str, Any] = {}
        able = self.abilities()
        super().adjust(focus, exposure)
        if able.focus:
            nearest = float(self._offered["LensPosition"][1])  # dioptres; 0 is infinity
            settings["AfMode"] = _CONTINUOUS if focus is None else _MANUAL
            if focus is not None:
                settings["LensPosition"] = min(max(focus, 0.0), 1.0) * nearest
        if able.exposure:
            settings["AeEnable"] = exposure is None
            if exposure is not None:
                settings["ExposureTime"] = max(round(exposure * 1000), 1)
        self._call("set_controls", settings)
        # also in the still's configuration, which would otherwise drop them
        self._still_mode["controls"] = {**self._still_mode.get("controls", {}), **settings}
        self._settings = settings

    def close(self) -> None:
        super().close()
        device, self._device = self._device, None
        if device is not None:
            try:
                device.stop()
            finally:
                device.close()

    def _call(self, method: str, *args: Any, **kwargs: Any) -> Any:
        self._must_be_open()
        try:
            return getattr(self._device, method)(*args, **kwargs)
        except Exception as error:  # TimeoutError, RuntimeError: the library has no error class of its own
            reason = str(error) or "no answer"
            raise CameraError(
                f"{self.name} gives no picture any more ({reason}); check its cable and switch it off and on"
            ) from error

    def _next(self) -> Frame:
        return self._frame(self._call("capture_array", "main", wait=_WAIT))

    def _frame(self, pixels: Any) -> Frame:
        return Frame(np.ascontiguousarray(pixels[:, :, :3], dtype=np.uint8), datetime.now(UTC), self.name)


def _open(spec: str) -> PiCamera | None:
    prefix, _, number = spec.partition(":")
    if prefix != "pi" or not (number.isdecimal() or not number):
        return None
    return PiCamera(int(number or 0))


KIND = CameraKind("'pi'", _open, attached, built_in=True)
