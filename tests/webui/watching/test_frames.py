"""Frames that wait while one is read: none is missed, and only the newest wait."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

import numpy as np

from tests.vision.cameras.test_watcher import wait_for
from vision.cameras.watcher import Watcher
from vision.cameras.watching.owner import Snapshot
from vision.values import Frame
from webui.watching import frames
from webui.watching.frames import MOST_WAITING, Frames


@dataclass
class Camera:
    """Gives as many frames as it is let, each with its number as its width."""

    most: int
    number: int = 0
    trouble: str | None = None
    asked: threading.Event = field(default_factory=threading.Event)

    def snapshot(self, after: int, wait: float) -> Snapshot:
        if self.trouble:
            return Snapshot(None, 0, None, self.trouble)
        if self.number == self.most:
            self.asked.set()
        self.number = min(self.number + 1, self.most)
        frame = Frame(np.zeros((2, self.number, 3), np.uint8), datetime.now(UTC), "a camera")
        return Snapshot(frame, self.number, 0.0, None)


def taken(camera: Camera, monkeypatch: Any) -> tuple[list[int], Frames]:
    """The numbers of the frames that wait after all were given while nobody took one, in order."""
    monkeypatch.setattr(frames, "FRAMES_A_SECOND", 1000.0)
    waiting = Frames(cast(Watcher, camera))
    with waiting.taken():
        assert camera.asked.wait(30)
    found = [waiting.next() for _ in range(min(camera.most, MOST_WAITING))]
    times = [one[1] for one in found if one]
    assert times == sorted(times)
    return [one[0].width for one in found if one], waiting


def test_frames_that_come_while_one_is_read_wait_in_their_order(monkeypatch: Any) -> None:
    assert taken(Camera(5), monkeypatch)[0] == [1, 2, 3, 4, 5]


def test_only_the_newest_wait(monkeypatch: Any) -> None:
    found, waiting = taken(Camera(3 * MOST_WAITING), monkeypatch)
    assert found == list(range(2 * MOST_WAITING + 1, 3 * MOST_WAITING + 1))
    monkeypatch.setattr(frames, "_WAIT", 0.01)
    assert waiting.next() is None


def test_why_none_comes_is_told(monkeypatch: Any) -> None:
    waiting = Frames(cast(Watcher, Camera(1, trouble="The camera is gone.")))
    with waiting.taken():
        wait_for(lambda: waiting.trouble is not None)
        assert waiting.trouble == "The camera is gone."
