"""Cameras: anything that gives one frame after another. A folder of pictures and a video file are cameras too."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from vision.cameras import pi, usb
from vision.cameras.base import Abilities, Camera
from vision.cameras.folder import FolderCamera
from vision.cameras.pi import PiCamera
from vision.cameras.stream import SCHEMES, StreamCamera
from vision.cameras.usb import UsbCamera
from vision.cameras.video import VideoCamera
from vision.errors import CameraError

__all__ = ["Abilities", "Camera", "Listed", "attached", "list_cameras", "open_camera"]


@dataclass(frozen=True, slots=True)
class Listed:
    """An attached camera: how to ask for it, what it is called, and what it can do."""

    spec: str
    name: str
    abilities: Abilities


def attached() -> list[str]:
    """How to ask for each attached camera, the one to take first at the head."""
    return [f"pi:{number}" for number in pi.attached()] + [str(number) for number in usb.attached()]


def list_cameras() -> list[Listed]:
    """Opens every attached camera and asks what it can do; one that cannot be opened now is left out."""
    found = []
    for spec in attached():
        try:
            camera = open_camera(spec, Path())
        except CameraError:
            continue
        found.append(Listed(spec, camera.name, camera.abilities()))
        camera.close()
    return found


def open_camera(spec: str | None, samples: Path) -> Camera:
    """Opens the camera a person named, or the first there is.

    Args:
        spec: a webcam's number (``0``), or that and the size of its stills (``0:1920x1080``), ``pi`` or ``pi:1`` for
            the Raspberry Pi's own, the address of a stream, a folder of pictures, a video file, or None for the first
            camera found and else ``samples``.
        samples: the folder of sample tables.

    Raises:
        CameraError: there is no such camera, or the folder holds no picture.
    """
    if spec is None:
        found = attached()
        if found:
            return open_camera(found[0], samples)
        try:
            return FolderCamera(samples, "sample tables")
        except CameraError as error:
            raise CameraError(f"no camera is attached, so plug one in or upload photos; {error}") from error
    kind, _, number = spec.partition(":")
    if spec.isdecimal():
        return UsbCamera(int(spec))
    if size := re.fullmatch(r"(\d+):(\d+)x(\d+)", spec):
        return UsbCamera(int(size[1]), (int(size[2]), int(size[3])))
    if kind == "pi" and (number.isdecimal() or not number):
        return PiCamera(int(number or 0))
    if spec.startswith(SCHEMES):
        return StreamCamera(spec)
    path = Path(spec)
    if path.is_dir():
        return FolderCamera(path, path.name)
    if path.is_file():
        return VideoCamera(path)
    raise CameraError(
        f"{spec} is no camera; expected a camera's number such as 0, or a folder of pictures, 'pi', a stream's address "
        "or a video file"
    )
