"""The one attached camera, shared by everybody who has the page open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vision.cameras import Camera
from vision.values import Frame
from vision.watching import Watcher
from webui.live import LivePicture


class CameraDesk:
    """Watches the camera while somebody looks at it or wants a picture; opened anew after it failed."""

    def __init__(self, open_camera: Callable[[], Camera]) -> None:
        self.watcher = Watcher(open_camera)
        self.live = LivePicture(self.watcher)

    def shoot(self) -> Frame:
        """The picture as the camera sees it now.

        Raises:
            CameraError: there is no camera, or it gives no picture.
            PhotoError: the camera is a folder, and its picture cannot be read.
        """
        return self.watcher.still()

    def state(self) -> dict[str, Any]:
        """How the camera is: whether there is a live picture, its age in seconds, and what is wrong, if anything."""
        look = self.watcher.look()
        age = None if look.age is None else round(look.age, 1)
        return {"live": look.frame is not None, "age": age, "trouble": look.trouble}

    def close(self) -> None:
        self.watcher.close()
