"""Webcams and other cameras that the operating system offers by a number."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2

from vision.cameras.base import Abilities, Size
from vision.cameras.opencv_capture import Capture
from vision.errors import CameraError
from vision.values import Frame

PREVIEW: Size = (1280, 720)
_LARGEST: Size = (10_000, 10_000)
"""Asked for this, a driver gives the largest size it has."""
_SETTLE = 5
"""Pictures passed over after a change of size, until exposure has settled again."""
_NODES = Path("/sys/class/video4linux")
# The Raspberry Pi's own camera shows up as raw nodes too; it is opened through libcamera instead.
_RAW_NODES = ("unicam", "bcm2835", "rp1-cfe", "rpi", "pispbe")
_AUTO, _MANUAL = 3.0, 1.0
"""V4L2's exposure modes: aperture priority and manual (V4L2_EXPOSURE_APERTURE_PRIORITY, V4L2_EXPOSURE_MANUAL)."""
_FOCUS_STEPS = 255.0
_EXPOSURE_UNITS = 10.0
"""V4L2_CID_EXPOSURE_ABSOLUTE counts in 100 µs."""


def attached() -> list[int]:
    """The numbers of the cameras that give a picture, lowest first; opening each is the only sure test."""
    if sys.platform.startswith("linux"):
        nodes = [node for node in _NODES.glob("video*") if node.name[5:].isdecimal() and not _raw(node)]
        numbers = sorted(int(node.name[5:]) for node in nodes)
    else:
        numbers = [0, 1]
    return [number for number in numbers if _gives_pictures(number)]


def _raw(node: Path) -> bool:
    try:
        name = (node / "name").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return name.strip().startswith(_RAW_NODES)


def _gives_pictures(number: int) -> bool:
    try:
        camera = UsbCamera(number)
    except CameraError:
        return False
    try:
        camera.read()
    except CameraError:
        return False
    finally:
        camera.close()
    return True


class UsbCamera:
    """An attached camera: a preview of about 1280 x 720, and stills of the largest size it has, or of that ``asked``.

    Raises:
        CameraError: it cannot be opened.
    """

    def __init__(self, number: int, asked: Size | None = None) -> None:
        name = f"camera {number}"
        self._capture = Capture(number, name, "plug it in (again), or close the program that is using it")
        # uncompressed pictures of full size do not fit through USB 2 at more than a few a second
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._still = self._resize(asked or _LARGEST)
        self._preview = self._resize(min(PREVIEW, asked or PREVIEW))
        self._focus = self._offers(cv2.CAP_PROP_AUTOFOCUS)
        self._exposure = self._offers(cv2.CAP_PROP_AUTO_EXPOSURE)

    @property
    def name(self) -> str:
        return self._capture.name

    def abilities(self) -> Abilities:
        return Abilities(self._preview, self._still, self._focus, self._exposure)

    def read(self) -> Frame:
        return self._capture.newest()

    def still(self) -> Frame:
        """At full size; the camera needs about a second to change there and back."""
        if self._still == self._preview:
            return self._capture.newest()
        try:
            self._resize(self._still)
            self._capture.skip(_SETTLE)
            return self._capture.next()
        finally:
            self._resize(self._preview)

    def adjust(self, focus: float | None, exposure: float | None) -> None:
        for given, able, what in ((focus, self._focus, "focus"), (exposure, self._exposure, "exposure")):
            if given is not None and not able:
                raise CameraError(f"the {what} of {self.name} cannot be set; leave it to the camera")
        if self._focus:
            self._put(cv2.CAP_PROP_AUTOFOCUS, float(focus is None))
            if focus is not None:
                self._put(cv2.CAP_PROP_FOCUS, round(min(max(focus, 0), 1) * _FOCUS_STEPS))
        if self._exposure:
            self._put(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTO if exposure is None else _MANUAL)
            if exposure is not None:
                self._put(cv2.CAP_PROP_EXPOSURE, max(round(exposure * _EXPOSURE_UNITS), 1))

    def close(self) -> None:
        self._capture.close()

    def _resize(self, size: Size) -> Size:
        # the driver changes over when both are known, and takes what lies nearest to the wish
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        return self._capture.size()

    def _offers(self, prop: int) -> bool:
        """A control that the driver lacks is refused when it is set to what it says it is."""
        return self._capture.set(prop, self._capture.get(prop))

    def _put(self, prop: int, value: float) -> None:
        if not self._capture.set(prop, value):
            raise CameraError(f"{self.name} does not take this setting; leave it to the camera")
