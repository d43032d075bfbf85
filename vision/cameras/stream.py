"""A network camera, by the address of its RTSP stream, its motion JPEG, or its newest picture."""

from __future__ import annotations

from vision.cameras.address import parse_address
from vision.cameras.base import SLOW_PATIENCE, Abilities, Camera, CameraKind
from vision.cameras.http.answer import ADVICE, NAME
from vision.cameras.http.camera import FIXED, open_http
from vision.cameras.opencv_capture import PlayedCamera
from vision.cameras.watching.frame_check import settled
from vision.values import Frame


class StreamCamera(PlayedCamera):
    """Shows the newest frame of a stream that FFmpeg plays.

    Args:
        address: with user name and password, percent-coded; the scheme in small letters.

    Raises:
        CameraError: nothing answers there.
    """

    def __init__(self, address: str) -> None:
        super().__init__(address, NAME, ADVICE, FIXED)
        self._settled = False

    def abilities(self) -> Abilities:
        size = self._capture.size()
        return Abilities(size, size, patience=SLOW_PATIENCE)

    def read(self) -> Frame:
        if self._settled:
            return self._capture.newest()
        frame = settled(self._capture.next)
        self._settled = True
        return frame


def _open(spec: str) -> Camera | None:
    address = parse_address(spec)
    if address is None:
        return None
    found = open_http(address) if address.scheme.startswith("http") else None
    return found or StreamCamera(address.full_url)


KIND = CameraKind("a network camera's address (rtsp://…, http://…)", _open)
