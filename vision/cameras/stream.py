"""A network camera, by the address of its RTSP or MJPEG stream."""

from __future__ import annotations

from urllib.parse import urlsplit

from vision.cameras.base import CameraKind
from vision.cameras.opencv_capture import PlayedCamera

SCHEMES = ("rtsp://", "rtsps://", "http://", "https://")


class StreamCamera(PlayedCamera):
    """Shows the newest frame of a stream.

    Raises:
        CameraError: nothing answers there.
    """

    def __init__(self, address: str) -> None:
        super().__init__(
            address,
            f"the stream of {urlsplit(address).hostname or address}",  # never the password that an address may hold
            "check its address, and that it is switched on and in this network",
            "is set at the camera itself, not from here",
        )


def _open(spec: str) -> StreamCamera | None:
    return StreamCamera(spec) if spec.startswith(SCHEMES) else None


KIND = CameraKind("a stream's address", _open)
