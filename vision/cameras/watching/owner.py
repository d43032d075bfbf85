"""The thread that owns a camera, what it is asked to do, and what its driver may raise."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass

from vision.cameras.address import without_addresses
from vision.cameras.base import Camera
from vision.errors import CameraError, VisionError
from vision.values import Frame


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What can be seen now.

    ``frame`` is a live frame or None; ``number`` counts frames; ``age`` is the seconds since the newest one, None
    where there was none; ``error`` one sentence for the user, None where all is well. A frame may come with an error.
    """

    frame: Frame | None
    number: int
    age: float | None
    error: str | None


class Owner:
    """The thread that owns the camera; ``deadline`` is set while it is inside a call of the driver.

    ``openings`` tells for which camera it did so last, see ``Watcher.reopen``.
    """

    def __init__(self, run: Callable[[Owner], None]) -> None:
        self.deadline: float | None = None
        self.lost = False
        self.task: Task | None = None
        self.openings = 0
        self.thread = threading.Thread(target=run, args=(self,), name="camera", daemon=True)


@dataclass(frozen=True, slots=True)
class Task:
    """A call of the camera to make between two frames."""

    call: Callable[[Camera], Frame | None]
    result: Future[Frame | None]


def close_quietly(camera: Camera | None) -> None:
    """Closes a camera, if there is one."""
    if camera is not None:
        try:
            camera.close()
        except Exception:  # a driver that fails even to close is dropped all the same
            return


def sentence_of(error: VisionError) -> str:
    """An error's message as a sentence for users."""
    text = str(error).rstrip(".") + "."
    return text[0].upper() + text[1:]


def as_vision_error(error: BaseException) -> VisionError:
    """What a driver raised, as an error that can be shown: without addresses, which may hold passwords."""
    if isinstance(error, VisionError):
        return error
    return CameraError(f"the camera failed ({without_addresses(str(error))}); it is opened anew")
