"""Cameras: anything that gives one frame after another. A folder of pictures is a camera too."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from vision.cameras.folder import FolderCamera
from vision.cameras.usb import UsbCamera, attached
from vision.errors import CameraError
from vision.values import Frame

__all__ = ["Camera", "attached", "open_camera"]


class Camera(Protocol):
    """What a camera is to the rest: ``name`` for a person, ``read`` the newest frame, ``close``."""

    @property
    def name(self) -> str: ...

    def read(self) -> Frame:
        """The picture as it is now. Raises CameraError, or PhotoError where a picture file cannot be read."""
        ...

    def close(self) -> None: ...


def open_camera(spec: str | None, samples: Path) -> Camera:
    """Opens the camera a person named, or the first there is.

    Args:
        spec: a camera's number (``0``), a folder of pictures, or None for the first camera found and else ``samples``.
        samples: the folder of sample tables.

    Raises:
        CameraError: there is no such camera, or the folder holds no picture.
    """
    if spec is None:
        found = attached()
        if found:
            return UsbCamera(found[0])
        try:
            return FolderCamera(samples, "sample tables")
        except CameraError as error:
            raise CameraError(f"no camera is attached, so plug one in or upload photos; {error}") from error
    if spec.isdecimal():
        return UsbCamera(int(spec))
    folder = Path(spec)
    if not folder.is_dir():
        raise CameraError(f"{spec} is no camera; expected a camera's number such as 0, or a folder of pictures")
    return FolderCamera(folder, folder.name)
