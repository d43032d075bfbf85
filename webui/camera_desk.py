"""The one attached camera, shared by everybody who has the page open."""

from __future__ import annotations

import threading
from collections.abc import Callable

from vision.cameras import Camera
from vision.errors import CameraError
from vision.values import Frame


class CameraDesk:
    """Opens the camera when the first picture is wanted; one picture at a time; opened anew after it failed."""

    def __init__(self, open_camera: Callable[[], Camera]) -> None:
        self._open = open_camera
        self._camera: Camera | None = None
        self._lock = threading.Lock()

    def shoot(self) -> Frame:
        """The picture as the camera sees it now.

        Raises:
            CameraError: there is no camera, or it gives no picture.
            PhotoError: the camera is a folder, and its picture cannot be read.
        """
        with self._lock:
            if self._camera is None:
                self._camera = self._open()
            try:
                return self._camera.still()
            except CameraError:
                self._camera.close()
                self._camera = None
                raise

    def close(self) -> None:
        with self._lock:
            if self._camera is not None:
                self._camera.close()
                self._camera = None
