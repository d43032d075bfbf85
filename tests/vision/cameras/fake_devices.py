"""Fake devices that behave as their libraries document: a webcam behind OpenCV, picamera2, and a network camera.

The brightness of a grey bar encodes when a frame was taken, so that tests can tell an old frame from a new one:
``moment`` is the current step, ``step_of`` reads it back from a frame.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import ModuleType
from typing import Any, ClassVar

import cv2
import numpy as np

from vision.values import Pixels

RATE = 30.0
STEPS = 100


def moment() -> int:
    """The current step, 0..99, thirty a second."""
    return int(time.monotonic() * RATE) % STEPS


def scene(step: int, size: tuple[int, int]) -> Pixels:
    """A frame (height, width, 3) whose left half has the brightness of ``step``; the right half is noise."""
    pixels = _noise(size).copy()
    pixels[:, : size[0] // 2] = 20 + 2 * step
    return pixels


@lru_cache
def _noise(size: tuple[int, int]) -> Pixels:
    return np.random.default_rng(1).integers(60, 200, (size[1], size[0], 3), dtype=np.uint8)


def step_of(pixels: Pixels) -> int:
    """The step at which a frame was made."""
    return round((float(pixels[:, : pixels.shape[1] // 3].mean()) - 20) / 2)


class Webcam:
    """A plugged-in webcam, shared by every capture opened on it."""

    sizes: ClassVar[tuple[tuple[int, int], ...]] = ((320, 180), (1280, 720), (1920, 1080))

    def __init__(self) -> None:
        self.plugged = True
        self.controls: dict[int, float] = {
            cv2.CAP_PROP_AUTOFOCUS: 1,
            cv2.CAP_PROP_FOCUS: 0,
            cv2.CAP_PROP_AUTO_EXPOSURE: 3,
            cv2.CAP_PROP_EXPOSURE: 157,
        }
        self.owner: FakeVideoCapture | None = None


class FakeVideoCapture:
    """cv2.VideoCapture on V4L2.

    As with OpenCV: a size takes effect once width and height are both set, and the driver picks the size nearest in
    area; unknown controls read -1 and are refused; focus and exposure are refused while they are automatic; four
    frames wait in a queue and grow old there; only one capture can be open; the first frames after a change of size are
    dark.
    """

    webcams: ClassVar[dict[int, Webcam]] = {}

    def __init__(self, source: int, backend: int = cv2.CAP_V4L2) -> None:
        assert backend == cv2.CAP_V4L2
        self._webcam = self.webcams.get(source)
        self._open = self._webcam is not None and self._webcam.plugged and self._webcam.owner is None
        if self._webcam and self._open:
            self._webcam.owner = self
        self._size = (640, 480)
        self._wanted_size: list[int] = [0, 0]
        self._queue: list[int] = []
        self._last_grab = time.monotonic()
        self._dark = 0
        self._grabbed: Pixels | None = None

    def isOpened(self) -> bool:
        return self._open

    def get(self, prop: int) -> float:
        if prop in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT):
            return self._size[prop - cv2.CAP_PROP_FRAME_WIDTH]
        return self._webcam.controls.get(prop, -1) if self._webcam else -1

    def set(self, prop: int, value: float) -> bool:
        assert self._webcam is not None
        if prop in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT):
            self._wanted_size[prop - cv2.CAP_PROP_FRAME_WIDTH] = int(value)
            if all(self._wanted_size):
                wanted, self._wanted_size = self._wanted_size[0] * self._wanted_size[1], [0, 0]
                self._size = min(self._webcam.sizes, key=lambda size: abs(size[0] * size[1] - wanted))
                self._queue, self._dark, self._last_grab = [], 4, time.monotonic()
            return True
        if prop == cv2.CAP_PROP_FOURCC:
            return True
        automatic = {
            cv2.CAP_PROP_FOCUS: (cv2.CAP_PROP_AUTOFOCUS, 1.0),
            cv2.CAP_PROP_EXPOSURE: (cv2.CAP_PROP_AUTO_EXPOSURE, 3.0),
        }
        if prop in automatic and self._webcam.controls.get(automatic[prop][0]) == automatic[prop][1]:
            return False
        if prop not in self._webcam.controls:
            return False
        self._webcam.controls[prop] = value
        return True

    def grab(self) -> bool:
        if not self._open or self._webcam is None or not self._webcam.plugged:
            return False
        now = time.monotonic()
        first, last = int(self._last_grab * RATE) + 1, int(now * RATE)
        self._queue += list(range(first, last + 1))[: 4 - len(self._queue)]
        self._last_grab = now
        if not self._queue:
            time.sleep((last + 1) / RATE - now)
            self._queue, self._last_grab = [last + 1], (last + 1) / RATE
        pixels = scene(self._queue.pop(0) % STEPS, self._size)
        self._dark = max(self._dark - 1, 0)
        self._grabbed = pixels // 4 if self._dark else pixels
        return True

    def read(self) -> tuple[bool, Pixels | None]:
        return (True, self._grabbed) if self.grab() else (False, None)

    def release(self) -> None:
        self._open = False
        if self._webcam and self._webcam.owner is self:
            self._webcam.owner = None


class FakePicamera2:
    """picamera2's Picamera2: configurations, controls, and jobs that wait for the camera's own thread.

    As documented: a configuration must be set before ``start``; ``configure`` replaces the controls with those of the
    configuration, and so does the return from ``switch_mode_and_capture_array``; ``RGB888`` is blue, green, red in
    memory; ``wait`` as a number raises TimeoutError; opening twice raises RuntimeError.
    """

    cameras: ClassVar[list[dict[str, Any]]] = [
        {"Model": "imx708", "Location": 2, "Rotation": 180, "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a", "Num": 0},
        {"Model": "UVC Camera", "Location": 3, "Id": "/base/scb/pcie@7d500000/pci@0,0/usb@0,0-1:1.0", "Num": 1},
    ]
    plugged: ClassVar[bool] = True
    opened: ClassVar[set[int]] = set()
    last: ClassVar[FakePicamera2 | None] = None

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        return list(cls.cameras)

    def __init__(self, camera_num: int = 0) -> None:
        if camera_num in self.opened:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        _ = self.cameras[camera_num]  # the library raises IndexError too
        self._number, self._running = camera_num, False
        self._config: dict[str, Any] | None = None
        self.opened.add(camera_num)
        self.sensor_resolution = (1152, 648)
        self.camera_controls = {
            "AfMode": (0, 2, 0),
            "LensPosition": (0.0, 15.0, 1.0),
            "AeEnable": (False, True, True),
            "ExposureTime": (1, 66_666, 20_000),
        }
        self.controls: dict[str, Any] = {}
        self.taken_with: dict[str, Any] = {}
        type(self).last = self

    def create_preview_configuration(self, main: dict[str, Any]) -> dict[str, Any]:
        return {"use": "preview", "main": dict(main), "controls": {"NoiseReductionMode": 3}}

    def create_still_configuration(self, main: dict[str, Any]) -> dict[str, Any]:
        return {"use": "still", "main": dict(main), "controls": {"NoiseReductionMode": 2}}

    def configure(self, camera_config: dict[str, Any]) -> None:
        assert camera_config["main"]["format"] == "RGB888"
        self._config, self.controls = camera_config, dict(camera_config["controls"])

    def start(self) -> None:
        assert self._config is not None, "Camera has not been configured"
        self._running = True

    def set_controls(self, controls: dict[str, Any]) -> None:
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.controls.update(controls)

    def capture_array(self, name: str = "main", wait: float | None = None) -> Pixels:
        assert self._running and self._config is not None and name == "main"
        if not self.plugged:
            time.sleep(min(wait or 60, 0.2))  # the real one waits in full
            raise TimeoutError
        time.sleep(1 / RATE - time.monotonic() % (1 / RATE))
        return scene(moment(), self._config["main"]["size"])

    def switch_mode_and_capture_array(
        self, camera_config: dict[str, Any], name: str = "main", wait: float | None = None
    ) -> Pixels:
        before = self._config
        assert before is not None
        self.configure(camera_config)
        self.taken_with = dict(self.controls)
        try:
            return self.capture_array(name, wait)
        finally:
            self.configure(before)

    def stop(self) -> None:
        self._running = False

    def close(self) -> None:
        self.opened.discard(self._number)


def picamera2_module() -> ModuleType:
    module = ModuleType("picamera2")
    module.Picamera2 = FakePicamera2  # type: ignore[attr-defined]
    FakePicamera2.plugged, FakePicamera2.opened = True, set()
    return module


class _MjpegHandler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        while not getattr(self.server, "gone", False):
            data = cv2.imencode(".jpg", scene(moment(), (320, 180)))[1].tobytes()
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
            try:
                self.wfile.write(head.encode() + data + b"\r\n")
            except OSError:
                return
            time.sleep(1 / RATE)

    def log_message(self, *args: Any) -> None:
        """Prints nothing."""


@contextmanager
def network_camera(port: int = 0) -> Iterator[ThreadingHTTPServer]:
    """A network camera that streams MJPEG over HTTP; set ``gone`` on the server to unplug it."""
    server = ThreadingHTTPServer(("127.0.0.1", port), _MjpegHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.gone = True  # type: ignore[attr-defined]
        server.shutdown()
        server.server_close()
