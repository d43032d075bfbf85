"""The attached camera, shared by everybody who has the page open."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.cameras import Camera, attached, open_camera
from vision.cameras.watcher import Watcher
from vision.checks.camera_checks import Verdict, check_camera
from vision.errors import CameraError
from vision.images.jpeg import to_jpeg
from vision.images.overlay import annotate
from vision.live.burst import FrameBuffer
from vision.live.motion import Stillness, StillnessDetector
from vision.live.table_markers import find_plane, straighten
from vision.values import Frame, Pixels
from webui.camera.deal_count import DealCount
from webui.camera.live_reading import LiveReading
from webui.camera.mjpeg import LivePicture
from webui.camera.table_phone import TablePhone
from webui.reading.reader_service import Reader
from webui.reading.zones import Zones
from webui.translation import _

_ACTIVE_SECONDS = 3.0
"""So long after the last request for it, stillness is still followed."""
_MAX_SIDE = 1280
_OUTLINE_BGR = (255, 120, 0)
_UNKNOWN = Stillness(moves=True, hand=False, sharp=False, ready=0.0)


@dataclass(frozen=True, slots=True)
class CameraCheck:
    """The verdicts of a check of the camera, and the picture (JPEG) that was checked."""

    verdicts: tuple[Verdict, ...]
    picture: bytes


class CameraService:
    """Watches the camera while somebody views it or wants a picture, and opens it again after it failed.

    A phone that was made the table camera takes the place of the camera that is there.

    Args:
        open_own: opens this machine's camera.
        folder: the data folder, in which the count of a dealt pile is stored.
        is_named: whether the program was told which camera to use.
        waits_for_phone: whether it was told to use a phone that joins, and none else.
    """

    def __init__(
        self,
        open_own: Callable[[], Camera],
        folder: Path | None = None,
        is_named: bool = False,
        waits_for_phone: bool = False,
    ) -> None:
        self._is_found, self._waits_for_phone = is_named, waits_for_phone
        self._open_own = open_own
        self.watcher = Watcher(self._open, self._process)
        self.phone = TablePhone(self.watcher.reopen)
        self.live, self.reading = LivePicture(self.watcher), LiveReading(self.watcher)
        self.deals = DealCount(folder)
        self.last_check: CameraCheck | None = None
        self._stillness_detector, self._stillness = StillnessDetector(), _UNKNOWN
        self._frame_buffer = FrameBuffer()
        self._stillness_asked = -_ACTIVE_SECONDS

    @property
    def is_there(self) -> bool:
        """Whether there is a camera to offer: one was named, found when the program started, or opened since; a phone
        that was named has to have joined."""
        if self._waits_for_phone:
            return self.phone.in_use is not None
        return self._is_found or self.watcher.abilities is not None or self.phone.in_use is not None

    @property
    def is_read_for_people(self) -> bool:
        """Whether somebody has the cards of the live picture or a dealt pile read now."""
        return self.reading.is_wanted or self.deals.is_wanted

    def in_use(self) -> dict[str, object]:
        """Which camera this is, for pages: ``phone``, or the ``camera_name`` of another one that was opened."""
        return {"phone": self.phone.in_use, "camera_name": self.watcher.name}

    def look_for_one(self) -> None:
        """Looks whether any camera is attached, without opening it; may take seconds."""
        self._is_found = self._is_found or next(iter(attached()), None) is not None

    def capture(self, part: Callable[[Pixels], Pixels] = lambda table: table) -> tuple[Frame, ...]:
        """Takes a picture; if the table's printed markers are seen, straightened and cut to the table.

        If the camera's stills are no larger than its preview, other frames of the last second that show the same scene
        come with it, to be read together. The sharpest is the first.

        Args:
            part: cuts a straightened picture, (height, width, 3) BGR, to the part that is wanted.

        Raises:
            CameraError: there is no camera, or it gives no picture.
            PhotoError: the camera is a folder, and its picture cannot be read.
        """
        frames = self._take()
        tables = _straightened(frames)
        if tables is None:
            return frames
        return tuple(replace(table, pixels=np.ascontiguousarray(part(table.pixels))) for table in tables)

    def capture_table(self) -> tuple[Frame, ...]:
        """Takes a picture of the whole straightened table.

        Raises:
            CameraError: as ``capture``, and if not all markers are seen, as the zones are unknown then.
            PhotoError: as ``capture``.
        """
        tables = _straightened(self._take())
        if tables is None:
            raise CameraError(
                _(
                    "the camera can’t see all four printed marks at the corners of the table, so it can’t tell "
                    "whose cards are whose; uncover the marks, or take a picture of each side separately"
                )
            )
        return tables

    def check(self, reader: Reader, zones: Zones, fields: int = 1) -> None:
        """Takes a picture and checks by it whether the camera is high, sharp and bright enough; see ``last_check``.

        Args:
            reader: reads the cards in it.
            zones: drawn into the picture if the markers are seen.
            fields: into how many the strip for left-over cards is cut.

        Raises:
            CameraError, PhotoError: as ``capture``.
        """
        frame = self.watcher.still()
        plane = find_plane(frame.pixels)
        reading = reader.read(frame)
        picture = annotate(frame.pixels, reading)
        if plane is not None:
            outline = plane.outline().astype(np.float32)
            homography = cv2.getPerspectiveTransform(np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32), outline)
            borders = [
                cv2.perspectiveTransform(np.array([line], np.float32), homography)[0] for line in zones.borders(fields)
            ]
            lines = [np.round(line).astype(np.int32) for line in (np.vstack([outline, outline[:1]]), *borders)]
            cv2.polylines(picture, lines, False, _OUTLINE_BGR, max(3, frame.width // 300), cv2.LINE_AA)
        verdicts = check_camera(frame.pixels, reading, plane)
        self.last_check = CameraCheck(verdicts, to_jpeg(picture, _MAX_SIDE))

    def state(self, stillness: bool = False) -> dict[str, Any]:
        """The state of the camera: whether it is live, the age of its frame in seconds, what is wrong if anything.

        With ``stillness`` also how soon a picture can be taken automatically (``ready``, 0..1) and what it waits for.
        """
        snapshot = self.watcher.snapshot()
        age = None if snapshot.age is None else round(snapshot.age, 1)
        is_live = snapshot.frame is not None
        state: dict[str, Any] = {"live": is_live, "age": age, "trouble": snapshot.error}
        if stillness:
            active = is_live and time.monotonic() - self._stillness_asked < _ACTIVE_SECONDS
            now = self._stillness if active else _UNKNOWN
            self._stillness_asked = time.monotonic()
            state |= {"ready": 0.0 if snapshot.error else round(now.ready, 2), "waits": _waits_for(now)}
        return state

    def close(self) -> None:
        self.phone.end()
        self.watcher.close()
        self.deals.close()
        self.reading.close()

    def _open(self) -> Camera:
        return self._open_own() if self.phone.in_use is None else open_camera("phone")

    def _take(self) -> tuple[Frame, ...]:
        preview = self.watcher.snapshot().frame
        still, abilities = self.watcher.still(), self.watcher.abilities
        # Stillness is followed in the preview, and a still may have another shape.
        self._stillness_detector.taken(still.pixels if preview is None else preview.pixels)
        if abilities is not None and abilities.live and abilities.still == abilities.preview:
            return self._frame_buffer.burst(still)
        return (still,)

    def _process(self, frame: Frame, at: float) -> None:
        """Handles a frame of the preview, taken ``at`` seconds; runs in the camera's thread."""
        self.deals.see(frame, at)
        self._frame_buffer.see(frame, at)
        if time.monotonic() - self._stillness_asked < _ACTIVE_SECONDS:
            self._stillness = self._stillness_detector.see(frame.pixels, at)


def _straightened(frames: tuple[Frame, ...]) -> tuple[Frame, ...] | None:
    """The table from above; None if its markers are not seen in the first frame."""
    plane = find_plane(frames[0].pixels)
    if plane is None or not plane.frames_a_table:
        return None
    return tuple(replace(frame, pixels=straighten(frame.pixels, plane)) for frame in frames)


def _waits_for(stillness: Stillness) -> str:
    """What the automatic picture waits for, in one sentence."""
    if stillness.hand:
        return _("There’s a hand in the picture.")
    if stillness.moves:
        return _("Something is moving.")
    if stillness.same:
        return _("These cards are already in the last picture. Put down the next ones, or press the button.")
    if stillness.empty:
        return _("No cards there yet.")
    if not stillness.sharp:
        return _("The picture isn’t sharp yet.")
    return _("Hold still …")
