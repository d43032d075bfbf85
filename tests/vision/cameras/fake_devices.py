"""Fake devices that behave as their libraries document: webcams behind OpenCV, and picamera2.

The brightness of a grey bar encodes when a frame was taken, so that tests can tell an old frame from a new one:
``moment`` is the current step, ``step_of`` reads it back from a frame.
"""

from __future__ import annotations

import threading
import time
from functools import lru_cache
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
    pixels[:, : size[0] // 2] = 21 + 2 * step  # odd, as 128 is what a decoder fills in
    return pixels


@lru_cache
def _noise(size: tuple[int, int]) -> Pixels:
    return np.random.default_rng(1).integers(60, 200, (size[1], size[0], 3), dtype=np.uint8)


def step_of(pixels: Pixels) -> int:
    """The step at which a frame was made."""
    return round((float(pixels[:, : pixels.shape[1] // 3].mean()) - 21) / 2)


SIZES = ((320, 180), (1280, 720), (1920, 1080))


class Webcam:
    """A plugged-in webcam, shared by every capture opened on it.

    ``cold`` says what its first frames are after opening it or changing its size: ``dark``, ``green`` (a buffer of
    zeros in the camera's own colours), ``half`` (the rest is missing), or ``good``.
    """

    def __init__(self, cold: tuple[str, ...] = ("dark",) * 4, sizes: tuple[tuple[int, int], ...] = SIZES) -> None:
        self.cold, self.sizes = cold, sizes
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
        self._coming: list[str] = list(self._webcam.cold) if self._webcam else []
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
                self._queue, self._last_grab = [], time.monotonic()
                self._coming = list(self._webcam.cold)
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
        self._grabbed = spoil(pixels, self._coming.pop(0) if self._coming else "good", len(self._coming))
        return True

    def retrieve(self) -> tuple[bool, Pixels | None]:
        return self._grabbed is not None, self._grabbed

    def release(self) -> None:
        self._open = False
        if self._webcam and self._webcam.owner is self:
            self._webcam.owner = None


def spoil(pixels: Pixels, how: str, coming: int = 2) -> Pixels:
    """A frame as a cold camera gives it, see ``Webcam``, with so many of them still to come."""
    if how == "dark":  # less so from frame to frame, as the exposure adapts
        return pixels // (coming + 2)
    if how == "black":
        return pixels // 60
    start = {"green": 0, "half": len(pixels) // 2, "good": len(pixels)}[how]
    pixels = pixels.copy()
    pixels[start:] = (0, 135, 0)
    return pixels


class SlowVideoCapture:
    """cv2.VideoCapture on Windows' Media Foundation with hardware transforms: opening takes 3.7 s, and so does each
    change of width or height, since each of them builds the stream anew. The seconds pass on ``clock`` alone.
    """

    clock: ClassVar[SlowClock]
    changes: ClassVar[list[tuple[int, float]]] = []

    def __init__(self, source: int) -> None:
        self._open = source == 0
        self._size = [640, 480]
        self.clock.pass_by(3.7)

    def isOpened(self) -> bool:
        return self._open

    def get(self, prop: int) -> float:
        sizes = {cv2.CAP_PROP_FRAME_WIDTH: self._size[0], cv2.CAP_PROP_FRAME_HEIGHT: self._size[1]}
        return sizes.get(prop, -1)

    def set(self, prop: int, value: float) -> bool:
        self.clock.pass_by(3.7)
        self.changes.append((prop, value))
        if prop in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT):
            self._size[prop - cv2.CAP_PROP_FRAME_WIDTH] = int(min(value, (1920, 1080)[prop - cv2.CAP_PROP_FRAME_WIDTH]))
        return True

    def grab(self) -> bool:
        time.sleep(1 / RATE)
        return self._open

    def retrieve(self) -> tuple[bool, Pixels]:
        return True, scene(moment(), (self._size[0], self._size[1]))

    def release(self) -> None:
        self._open = False


class SlowClock:
    """The real clock, and the seconds that a slow driver would have taken beside it."""

    def __init__(self) -> None:
        self._passed = 0.0
        self._busy: int | None = None
        self._seen = threading.Event()

    def pass_by(self, seconds: float) -> None:
        """Lets time pass; returns once another thread, such as one that waits for a picture, has seen that it did."""
        self._busy = threading.get_ident()
        self._seen.clear()
        self._passed += seconds
        self._seen.wait(5.0)

    def monotonic(self) -> float:
        if threading.get_ident() != self._busy:
            self._seen.set()
        return time.monotonic() + self._passed


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
