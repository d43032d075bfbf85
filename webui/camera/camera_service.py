"""The one attached camera, shared by everybody who has the page open."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.cameras import Camera
from vision.cameras.watcher import Watcher
from vision.checks.camera_checks import Verdict, check_camera
from vision.errors import CameraError
from vision.images.jpeg import to_jpeg
from vision.images.overlay import annotate
from vision.live.burst import FrameBuffer
from vision.live.motion import Stillness, StillnessDetector
from vision.live.table_markers import find_plane, straighten
from vision.values import Frame, Pixels
from webui.camera.deal_count import DealTable
from webui.camera.live_reading import LiveReading
from webui.camera.mjpeg import LivePicture
from webui.reading.reader_service import Reader
from webui.reading.zones import Zones

_ASKED_LATELY = 3.0
_VIEW_SIDE = 1280
_OUTLINE = (255, 120, 0)
_RESTLESS = Stillness(moves=True, hand=False, sharp=False, ready=0.0)


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of looking a camera over, and the picture (JPEG) that it was judged by."""

    verdicts: tuple[Verdict, ...]
    picture: bytes


class CameraService:
    """Watches the camera while somebody looks at it or wants a picture; opened anew after it failed.

    Args:
        open_camera: makes the camera.
        folder: the data folder, where a pile that is dealt is kept.
    """

    def __init__(self, open_camera: Callable[[], Camera], folder: Path | None = None) -> None:
        self.watcher = Watcher(open_camera, self._watch)
        self.live, self.reading = LivePicture(self.watcher), LiveReading(self.watcher)
        self.deals = DealTable(folder)
        self._calm_watch, self._calm = StillnessDetector(), _RESTLESS
        self._frame_buffer = FrameBuffer()
        self._asked = -_ASKED_LATELY
        self.checked: Checked | None = None

    def shoot(self, part: Callable[[Pixels], Pixels] = lambda table: table) -> tuple[Frame, ...]:
        """The picture as the camera sees it now; straightened, and only the table, where its printed marks are seen.

        Where the camera's stills are no larger than its live picture, others of the last second that show the same
        come with it, to be read together; the sharpest is the first. Of a straightened picture only its ``part`` is
        given.

        Raises:
            CameraError: there is no camera, or it gives no picture.
            PhotoError: the camera is a folder, and its picture cannot be read.
        """
        frames = self._take()
        tables = _straightened(frames)
        if tables is None:
            return frames
        return tuple(replace(table, pixels=np.ascontiguousarray(part(table.pixels))) for table in tables)

    def shoot_table(self) -> tuple[Frame, ...]:
        """The whole straightened table, as ``shoot``.

        Raises:
            CameraError: also where the marks are not seen, as then nobody can tell its parts.
            PhotoError: as ``shoot``.
        """
        tables = _straightened(self._take())
        if tables is None:
            raise CameraError(
                "the four printed marks at the corners of the table are not all seen, so whose cards are whose cannot "
                "be told; uncover them, or take a picture of each side by itself"
            )
        return tables

    def _take(self) -> tuple[Frame, ...]:
        shown = self.watcher.snapshot().frame  # a still may have another shape than what is followed
        still, able = self.watcher.still(), self.watcher.abilities
        self._calm_watch.taken(still.pixels if shown is None else shown.pixels)
        several = able is not None and able.live and able.still == able.preview
        return self._frame_buffer.burst(still) if several else (still,)

    def look_over(self, reader: Reader, zones: Zones, fields: int = 1) -> None:
        """Judges by a picture whether the camera is high, sharp and bright enough. Raises as ``shoot``.

        The parts of the table are drawn in, the strip for left-over cards cut into so many ``fields``.
        """
        frame = self.watcher.still()
        plane = find_plane(frame.pixels)
        reading = reader.read(frame)
        shown = annotate(frame.pixels, reading)
        if plane is not None:
            outline = plane.outline().astype(np.float32)
            turn = cv2.getPerspectiveTransform(np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32), outline)
            borders = [
                cv2.perspectiveTransform(np.array([line], np.float32), turn)[0] for line in zones.borders(fields)
            ]
            drawn = [np.round(line).astype(np.int32) for line in (np.vstack([outline, outline[:1]]), *borders)]
            cv2.polylines(shown, drawn, False, _OUTLINE, max(3, frame.width // 300), cv2.LINE_AA)
        self.checked = Checked(check_camera(frame.pixels, reading, plane), to_jpeg(shown, _VIEW_SIDE))

    def state(self, calm: bool = False) -> dict[str, Any]:
        """How the camera is: whether there is a live picture, its age in seconds, and what is wrong, if anything.

        With ``calm``, also how soon a picture can be taken by itself, ``ready`` 0..1, and what it waits for.
        """
        look = self.watcher.snapshot()
        age = None if look.age is None else round(look.age, 1)
        live = look.frame is not None
        found: dict[str, Any] = {"live": live, "age": age, "trouble": look.trouble}
        if calm:
            now = self._calm if live and time.monotonic() - self._asked < _ASKED_LATELY else _RESTLESS
            self._asked = time.monotonic()
            found |= {"ready": 0.0 if look.trouble else round(now.ready, 2), "waits": _waits(now)}
        return found

    def close(self) -> None:
        self.watcher.close()
        self.deals.close()
        self.reading.close()

    def _watch(self, frame: Frame, at: float) -> None:
        """Follows what happens on the table while somebody waits for a picture to be taken by itself."""
        self.deals.see(frame, at)
        self._frame_buffer.see(frame, at)
        if time.monotonic() - self._asked < _ASKED_LATELY:
            self._calm = self._calm_watch.see(frame.pixels, at)


def _straightened(frames: tuple[Frame, ...]) -> tuple[Frame, ...] | None:
    """The table from above, None where its marks are not seen in the first."""
    plane = find_plane(frames[0].pixels)
    if plane is None or not plane.frames_a_table:
        return None
    return tuple(replace(frame, pixels=straighten(frame.pixels, plane)) for frame in frames)


def _waits(calm: Stillness) -> str:
    """What the picture waits for, in words."""
    if calm.hand:
        return "A hand is in the picture."
    if calm.moves:
        return "Something moves."
    if calm.same:
        return "These cards are in the last picture already. Lay the next ones, or press the button."
    if calm.empty:
        return "Nothing lies there yet."
    if not calm.sharp:
        return "The picture is not sharp yet."
    return "Hold still …"
