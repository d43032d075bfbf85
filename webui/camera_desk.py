"""The one attached camera, shared by everybody who has the page open."""

from __future__ import annotations

from collections.abc import Callable

from vision.cameras import Camera
from vision.values import Frame
from vision.watching import Watcher


class CameraDesk:
    """Watches the camera while somebody looks at it or wants a picture; opened anew after it failed."""

    def __init__(self, open_camera: Callable[[], Camera]) -> None:
        self.watcher = Watcher(open_camera)

    def shoot(self) -> Frame:
        """The picture as the camera sees it now.

        Raises:
            CameraError: there is no camera, or it gives no picture.
            PhotoError: the camera is a folder, and its picture cannot be read.
        """
        return self.watcher.still()

    def close(self) -> None:
        self.watcher.close()
