"""Webcams and other cameras that the operating system offers by a number."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import cv2

from vision.cameras.base import Abilities, CameraKind, Size
from vision.cameras.opencv_capture import Capture
from vision.errors import CameraError
from vision.values import Frame

PREVIEW: Size = (1280, 720)
_LARGEST: Size = (10_000, 10_000)
"""A driver that is asked for this gives its largest size."""
_SETTLING_FRAMES = 5
"""Frames dropped after a change of size, until the exposure is stable again."""
_NODES = Path("/sys/class/video4linux")
# The camera port of a Raspberry Pi shows up as raw nodes too; it is opened through libcamera instead.
_RAW_NODES = ("unicam", "bcm2835", "rp1-cfe", "rpi", "pispbe")
_AUTO, _MANUAL = 3.0, 1.0
"""V4L2's exposure modes: aperture priority and manual (V4L2_EXPOSURE_APERTURE_PRIORITY, V4L2_EXPOSURE_MANUAL)."""
_FOCUS_STEPS = 255.0
_EXPOSURE_UNITS = 10.0
"""V4L2_CID_EXPOSURE_ABSOLUTE counts in 100 µs."""


def attached() -> list[str]:
    """The numbers of the cameras that give a frame, lowest first; opening each is the only reliable test."""
    if sys.platform.startswith("linux"):
        nodes = [node for node in _NODES.glob("video*") if node.name[5:].isdecimal() and not _raw(node)]
        numbers = sorted(int(node.name[5:]) for node in nodes)
    else:
        numbers = [0, 1]
    return [str(number) for number in numbers if _gives_frames(number)]


def _raw(node: Path) -> bool:
    try:
        name = (node / "name").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return name.strip().startswith(_RAW_NODES)


def _gives_frames(number: int) -> bool:
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
    """A webcam: a preview of about 1280 x 720, and stills of ``still_size``, or of its largest size.

    Raises:
        CameraError: it cannot be opened.
    """

    def __init__(self, number: int, still_size: Size | None = None) -> None:
        name = f"camera {number}"
        self._capture = Capture(number, name, "plug it in (again), or close the program that is using it")
        # USB 2 carries no more than a few uncompressed frames of full size a second
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._still = self._resize(still_size or _LARGEST)
        self._preview = self._resize(min(PREVIEW, still_size or PREVIEW))
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
        """A frame of the still size; changing there and back takes the camera about a second."""
        if self._still == self._preview:
            return self._capture.newest()
        try:
            self._resize(self._still)
            self._capture.skip(_SETTLING_FRAMES)
            return self._capture.next()
        finally:
            self._resize(self._preview)

    def adjust(self, focus: float | None, exposure: float | None) -> None:
        for value, offered, what in ((focus, self._focus, "focus"), (exposure, self._exposure, "exposure")):
            if value is not None and not offered:
                raise CameraError(f"the {what} of {self.name} cannot be set; leave it to the camera")
        if self._focus:
            self._set(cv2.CAP_PROP_AUTOFOCUS, float(focus is None))
            if focus is not None:
                self._set(cv2.CAP_PROP_FOCUS, round(min(max(focus, 0), 1) * _FOCUS_STEPS))
        if self._exposure:
            self._set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTO if exposure is None else _MANUAL)
            if exposure is not None:
                self._set(cv2.CAP_PROP_EXPOSURE, max(round(exposure * _EXPOSURE_UNITS), 1))

    def close(self) -> None:
        self._capture.close()

    def _resize(self, size: Size) -> Size:
        # the driver changes once it has both, and takes the nearest size it has
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        return self._capture.size()

    def _offers(self, prop: int) -> bool:
        """Whether the driver has a control: one that it lacks refuses even its own current value."""
        return self._capture.set(prop, self._capture.get(prop))

    def _set(self, prop: int, value: float) -> None:
        if not self._capture.set(prop, value):
            raise CameraError(f"{self.name} does not take this setting; leave it to the camera")


def _open(spec: str) -> UsbCamera | None:
    if spec.isdecimal():
        return UsbCamera(int(spec))
    if sized := re.fullmatch(r"(\d+):(\d+)x(\d+)", spec):
        return UsbCamera(int(sized[1]), (int(sized[2]), int(sized[3])))
    return None


KIND = CameraKind("a camera's number", _open, attached)
