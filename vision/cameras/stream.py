"""A network camera, by the address of its RTSP stream, its motion JPEG, or its newest picture."""

from __future__ import annotations

from vision.cameras.address import parse_address
from vision.cameras.base import SLOW_PATIENCE, Abilities, Camera, CameraKind
from vision.cameras.http.answer import ADVICE, NAME
from vision.cameras.http.camera import open_http
from vision.cameras.opencv_capture import CaptureCamera


class StreamCamera(CaptureCamera):
    """Shows the newest frame of a stream that FFmpeg plays."""

    def abilities(self) -> Abilities:
        size = self._capture.size()
        return Abilities(size, size, patience=SLOW_PATIENCE)


def _open(spec: str) -> Camera | None:
    address = parse_address(spec)
    if address is None:
        return None
    found = open_http(address) if address.scheme.startswith("http") else None
    return found or StreamCamera(address.full_url, NAME, ADVICE)


KIND = CameraKind("a network camera's address (rtsp://…, http://…)", _open)
