"""Cameras: anything that gives one frame after another; a folder of pictures and a video file are cameras too.

``KINDS`` is the registry: a new kind is a module with a ``KIND`` and one entry here. See the README beside this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vision.cameras import folder, phone, pi, stream, usb, video
from vision.cameras.address import shown
from vision.cameras.base import Abilities, Camera, CameraKind
from vision.errors import CameraError

__all__ = ["FORMS", "KINDS", "Abilities", "Camera", "Listed", "attached", "list_cameras", "open_camera"]

KINDS: tuple[CameraKind, ...] = (usb.KIND, pi.KIND, phone.KIND, stream.KIND, folder.KIND, video.KIND)
"""All kinds of cameras, in the order in which a spec is offered to them."""

FORMS = f"{', '.join(kind.form for kind in KINDS[:-1])} or {KINDS[-1].form}"
"""How to ask for a camera, in words."""


@dataclass(frozen=True, slots=True)
class Listed:
    """An attached camera: the spec that opens it, its name, what it can do, a spec that stays when numbers change."""

    spec: str
    name: str
    abilities: Abilities
    lasting: str | None = None


def attached() -> Iterator[str]:
    """The specs of all attached cameras, the one to take by default first; finding the next one may take seconds."""
    built_in_first = sorted(KINDS, key=lambda kind: not kind.built_in)
    return (spec for kind in built_in_first for spec in kind.attached())


def list_cameras() -> list[Listed]:
    """Opens every attached camera and asks what it can do; leaves out those that cannot be opened now."""
    found = []
    for spec in attached():
        try:
            camera = open_camera(spec, Path())
        except CameraError:
            continue
        lasting = next((path for kind in KINDS if (path := kind.lasting(spec))), None)
        found.append(Listed(spec, camera.name, camera.abilities(), lasting))
        camera.close()
    return found


def open_camera(spec: str | None, samples: Path | None = None) -> Camera:
    """Opens a camera.

    Args:
        spec: which camera, in one of the ``FORMS``; None for the first attached one, or ``samples`` without any.
        samples: a folder of tables that stands in where no camera is attached; None for no such folder.

    Raises:
        CameraError: there is no such camera, it cannot be opened, or the folder holds no picture. The message never
            quotes an address, as that may hold a password.
    """
    if spec is None:
        found = next(iter(attached()), None)
        if found is not None:
            return open_camera(found, samples)
        if samples is None:
            raise CameraError(
                "no camera found; plug one in and try again, take the photo with a phone, or choose photos"
            )
        try:
            return folder.FolderCamera(samples, "sample tables")
        except CameraError as error:
            raise CameraError(f"no camera is attached, so plug one in or upload photos; {error}") from error
    for kind in KINDS:
        try:
            camera = kind.open(spec)
        except OSError:  # such as a name that is too long for a path; the error would quote it
            continue
        if camera is not None:
            return camera
    raise CameraError(f"{shown(spec)} is no camera; expected {FORMS}")
