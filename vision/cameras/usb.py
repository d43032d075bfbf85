"""Webcams and other cameras that the operating system offers by a number, or on Linux by a path in /dev.

The numbers of several cameras may change from one start to the next; the links in ``/dev/v4l`` keep their names, and
are followed each time the camera is opened.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import cv2

from vision.cameras.base import Abilities, CameraKind, Size
from vision.cameras.opencv_capture import Capture, CaptureCamera
from vision.cameras.watching.frame_check import settled
from vision.errors import CameraError
from vision.values import Frame

PREVIEW: Size = (1280, 720)
_LARGEST: Size = (10_000, 10_000)
"""A driver that is asked for this gives its largest size."""
_SLOW_SIZE: Size = (1920, 1080)
_SLOW_SECONDS = 1.5
"""A driver that takes this long to open takes as long for each change: preview and stills then have one size."""
_ADVICE = "plug it in (again), or close the program that is using it"
_NODES = Path("/sys/class/video4linux")
_DEVICES, _MEMORY = "/dev/", "/dev/shm/"  # the second holds files like any folder
_LINKS = (Path("/dev/v4l/by-id"), Path("/dev/v4l/by-path"))
"""Where udev names each camera after its maker and serial number, and after the socket it is plugged into."""
# The camera port of a Raspberry Pi shows up as raw nodes too; it is opened through libcamera instead.
_RAW_NODES = ("unicam", "bcm2835", "rp1-cfe", "rpi", "pispbe")
_AUTO, _MANUAL = 3.0, 1.0
"""V4L2's exposure modes: aperture priority and manual (V4L2_EXPOSURE_APERTURE_PRIORITY, V4L2_EXPOSURE_MANUAL)."""
_FOCUS_STEPS = 255.0
_EXPOSURE_UNITS = 10.0
"""V4L2_CID_EXPOSURE_ABSOLUTE counts in 100 µs."""


def attached() -> Iterator[str]:
    """The numbers of the cameras that give a frame, lowest first; opening each is the only reliable test."""
    if sys.platform.startswith("linux"):
        nodes = [node for node in _NODES.glob("video*") if node.name[5:].isdecimal() and not _raw(node)]
        numbers = sorted(int(node.name[5:]) for node in nodes)
    else:
        numbers = [0, 1]
    return (str(number) for number in numbers if _gives_frames(number))


def lasting(spec: str) -> str | None:
    """The path under which the camera of a number is found again when the numbers have changed; None without one."""
    links = (link for folder in _LINKS for link in sorted(folder.glob("*")))
    return next((str(link) for link in links if spec.isdecimal() and _number(str(link)) == int(spec)), None)


def _number(path: str) -> int | None:
    """The number of the camera that a path or link leads to."""
    found = re.fullmatch(r"/dev/video(\d+)", os.path.realpath(path))
    return int(found[1]) if found else None


def _raw(node: Path) -> bool:
    try:
        name = (node / "name").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return name.strip().startswith(_RAW_NODES)


def _gives_frames(number: int) -> bool:
    try:
        capture = Capture(number, f"camera {number}", _ADVICE)
    except CameraError:
        return False
    try:
        capture.next()
    except CameraError:
        return False
    finally:
        capture.close()
    return True


class UsbCamera(CaptureCamera):
    """A webcam: a preview of about 1280 x 720, and stills of ``still_size``, or of its largest size.

    With a driver that takes seconds for each change, preview and stills have one size, about 1920 x 1080.

    Raises:
        CameraError: it cannot be opened.
    """

    def __init__(self, number: int, still_size: Size | None = None) -> None:
        begun = time.monotonic()
        super().__init__(number, f"camera {number}", _ADVICE)
        self._slow, self._fixed = time.monotonic() - begun > _SLOW_SECONDS, False
        if self._slow:
            self._still = self._preview = self._resize(still_size or _SLOW_SIZE)
        else:
            # USB 2 carries no more than a few uncompressed frames of full size a second
            self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            self._still = self._resize(still_size or _LARGEST)
            self._preview = self._resize(min(PREVIEW, still_size or PREVIEW))
        self._focus = self._offers(cv2.CAP_PROP_AUTOFOCUS)
        self._exposure = self._offers(cv2.CAP_PROP_AUTO_EXPOSURE)

    def abilities(self) -> Abilities:
        return Abilities(self._preview, self._still, self._focus, self._exposure)

    def still(self) -> Frame:
        """A frame of the still size; changing there and back takes the camera a second or two."""
        self._must_be_open()
        if self._still == self._preview:
            return self.read()
        try:
            self._resize(self._still)
            return settled(self._capture.next)
        finally:
            self._resize(self._preview)

    def adjust(self, focus: float | None, exposure: float | None) -> None:
        super().adjust(focus, exposure)
        if self._slow and not self._fixed and focus is None and exposure is None:
            return
        self._fixed = True
        if self._focus:
            self._set(cv2.CAP_PROP_AUTOFOCUS, float(focus is None))
            if focus is not None:
                self._set(cv2.CAP_PROP_FOCUS, round(min(max(focus, 0), 1) * _FOCUS_STEPS))
        if self._exposure:
            self._set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTO if exposure is None else _MANUAL)
            if exposure is not None:
                self._set(cv2.CAP_PROP_EXPOSURE, max(round(exposure * _EXPOSURE_UNITS), 1))

    def _resize(self, size: Size) -> Size:
        # the driver changes once it has both, and takes the nearest size it has
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._settled = False
        return self._capture.size()

    def _offers(self, prop: int) -> bool:
        """Whether the driver has a control: one that it lacks refuses even its own current value."""
        value = self._capture.get(prop)
        return value >= 0 if self._slow else self._capture.set(prop, value)

    def _set(self, prop: int, value: float) -> None:
        if not self._capture.set(prop, value):
            raise CameraError(f"{self.name} does not take this setting; leave it to the camera")


def _open(spec: str) -> UsbCamera | None:
    sized = re.fullmatch(r"(.+):(\d+)x(\d+)", spec)
    device, size = (sized[1], (int(sized[2]), int(sized[3]))) if sized else (spec, None)
    if device.isdecimal():
        return UsbCamera(int(device), size)
    if "/" not in device or "://" in device:
        return None
    number = _number(device)
    if number is not None:
        return UsbCamera(number, size)
    path = Path(device)
    is_device = device.startswith(_DEVICES) and not device.startswith(_MEMORY)
    if is_device or (path.is_symlink() and not path.exists()):
        raise CameraError(f"camera {path.name} is not there; plug it in (again), or see what 'handfoot doctor' offers")
    return None


KIND = CameraKind("a webcam's number or its path in /dev", _open, attached, lasting)
