"""A camera in the network: the address of an RTSP or MJPEG stream."""

from __future__ import annotations

from urllib.parse import urlsplit

from vision.cameras.base import Abilities
from vision.cameras.capture import Capture
from vision.errors import CameraError
from vision.values import Frame

SCHEMES = ("rtsp://", "rtsps://", "http://", "https://")


class StreamCamera:
    """Plays a stream; its newest picture is also its best.

    Raises:
        CameraError: nothing answers there.
    """

    def __init__(self, address: str) -> None:
        name = f"the stream of {urlsplit(address).hostname or address}"  # never the password that an address may hold
        self._capture = Capture(address, name, "check its address, and that it is switched on and in this network")

    @property
    def name(self) -> str:
        return self._capture.name

    def abilities(self) -> Abilities:
        size = self._capture.size()
        return Abilities(size, size)

    def read(self) -> Frame:
        return self._capture.newest()

    def still(self) -> Frame:
        return self.read()

    def adjust(self, focus: float | None, exposure: float | None) -> None:
        if focus is not None or exposure is not None:
            raise CameraError(f"{self.name} is set at the camera itself, not from here")

    def close(self) -> None:
        self._capture.close()
