"""A camera that is watched: one thread owns it, everybody else sees its newest picture and how old that is.

A driver's call can fail, give rubbish, or never return. Failures are tried again after growing pauses. A call that does
not return is given up: its thread is left alone, to close the camera should it ever come back, and a new one takes
over; of threads so lost there are never more than MOST_LOST.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as OutOfTime
from contextlib import contextmanager
from dataclasses import dataclass

from vision.cameras.base import Abilities, Camera
from vision.cameras.frame_check import FrameCheck
from vision.errors import CameraError, PhotoError, VisionError
from vision.values import Frame

FRESH = 2.0
"""Seconds after which a picture is not shown as live any more; a camera of one picture a second still is."""
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 4.0
READ_LIMIT, STILL_LIMIT, OPEN_LIMIT = 5.0, 12.0, 15.0
"""Seconds after which a call counts as frozen."""
IDLE = 10.0
"""Seconds after the last look until the camera is let go of."""
MOST_LOST = 2
_PACE, _SLOW_PACE = 1 / 15, 0.5
"""Seconds from one picture to the next at least: of a live camera, and of files, which change only when asked."""

Watching = Callable[[Frame, float], None]


@dataclass(frozen=True, slots=True)
class Look:
    """What can be seen now.

    ``frame`` is a live picture or None; ``number`` counts pictures; ``age`` is the seconds since the newest one, None
    where there was none; ``trouble`` one sentence for a person, None where all is well. A picture may come with one.
    """

    frame: Frame | None
    number: int
    age: float | None
    trouble: str | None


class _Owner:
    """The thread that has the camera, and the driver's call that it is in."""

    def __init__(self, run: Callable[[_Owner], None]) -> None:
        self.until: float | None = None
        self.lost = False
        self.task: _Task | None = None
        self.thread = threading.Thread(target=run, args=(self,), name="camera", daemon=True)


@dataclass(frozen=True, slots=True)
class _Task:
    """Something to do with the camera between two pictures."""

    do: Callable[[Camera], Frame | None]
    done: Future[Frame | None]


class Watcher:
    """Watches one camera, from the first look until nobody has looked for ``IDLE`` seconds.

    Args:
        open_camera: opens it; raises CameraError.
        watching: sees every good picture with the time of ``clock`` that it came, in the camera's thread.
        clock: seconds that only ever go forward.
    """

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        watching: Watching | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._open, self._watching, self._clock = open_camera, watching, clock
        self._news = threading.Condition()
        self._owner: _Owner | None = None
        self._lost: list[threading.Thread] = []
        self._tasks: deque[_Task] = deque()
        self._frame: Frame | None = None
        self._came, self._number, self._looked = 0.0, 0, clock()
        self._trouble: str | None = None
        self._stopped = False
        self.settings: tuple[float | None, float | None] = (None, None)
        self.abilities: Abilities | None = None

    def look(self, after: int = -1, wait: float = 0.0) -> Look:
        """What can be seen now; with ``wait``, waits that many seconds for a picture after number ``after``."""
        end = self._clock() + wait
        with self._news:
            while True:
                self._looked = self._clock()
                self._mend()
                left = end - self._looked
                if left <= 0 or self._number > after:
                    return self._look()
                self._news.wait(min(left, 0.25))

    def still(self, wait: float = 2 * STILL_LIMIT) -> Frame:
        """The best picture the camera can take.

        Raises:
            CameraError: there is none, or it does not answer.
            PhotoError: the camera is a folder, and its picture cannot be read.
        """
        frame = self._do(lambda camera: camera.still(), wait)
        if frame is None:
            raise CameraError("the camera took no picture; try again")
        return frame

    def adjust(self, focus: float | None, exposure: float | None, wait: float = 2 * READ_LIMIT) -> None:
        """Fixes focus (0..1) and exposure (milliseconds); None leaves it to the camera. Raises CameraError."""
        self._do(lambda camera: camera.adjust(focus, exposure), wait)
        self.settings = focus, exposure

    def close(self) -> None:
        """Lets go of the camera for good."""
        with self._news:
            self._stopped = True
            owner = self._owner
            self._news.notify_all()
        if owner is not None:
            owner.thread.join(READ_LIMIT)

    def _do(self, do: Callable[[Camera], Frame | None], wait: float) -> Frame | None:
        task = _Task(do, Future())
        with self._news:
            if self._stopped:
                raise CameraError("the camera is closed, as the page is being stopped; start it again")
            self._tasks.append(task)
            self._looked = self._clock()
            self._news.notify_all()
        end = self._clock() + wait
        while True:
            with self._news:
                self._mend()
            try:
                return task.done.result(0.25)
            except OutOfTime:
                if self._clock() > end:
                    raise CameraError("the camera does not answer; unplug it and plug it in again") from None

    # under the lock

    def _look(self) -> Look:
        age = self._looked - self._came if self._number else None
        trouble, frame = self._trouble, self._frame
        if frame is not None and age is not None and age > FRESH:
            frame = None
            trouble = trouble or f"No picture has come from the camera for {age:.0f} seconds."
        return Look(frame, self._number, age, trouble)

    def _mend(self) -> None:
        """Gives up a thread that hangs in the driver, and starts one where there is none."""
        owner = self._owner
        if owner is not None and owner.until is not None and self._clock() > owner.until:
            owner.lost = True
            self._lost.append(owner.thread)
            self._owner, self._frame = None, None
            self._trouble = "The camera does not answer any more; unplug it and plug it in again."
            if owner.task is not None:
                owner.task.done.set_exception(CameraError(self._trouble.rstrip(".")))
            self._news.notify_all()
        self._lost = [thread for thread in self._lost if thread.is_alive()]
        if self._owner is None and len(self._lost) < MOST_LOST and not self._stopped:
            self._owner = _Owner(self._run)
            self._owner.thread.start()

    # in the camera's thread

    def _run(self, me: _Owner) -> None:
        camera: Camera | None = None
        pause = FIRST_PAUSE
        check, pace = FrameCheck(), _PACE
        while self._wanted(me):
            try:
                if camera is None:
                    with self._calling(me, OPEN_LIMIT):
                        camera = self._open()
                        camera.adjust(*self.settings)
                        able = self.abilities = camera.abilities()
                        check, pace = FrameCheck(able.live), _PACE if able.live else _SLOW_PACE
                if not self._serve_one(me, camera):
                    began = self._clock()
                    with self._calling(me, READ_LIMIT):
                        frame = camera.read()
                    self._show(me, frame, check.trouble(frame), check.usable)
                    pause = FIRST_PAUSE
                    self._rest(me, began + pace - self._clock())
            except PhotoError as error:
                self._tell(me, error)
                self._rest(me, FIRST_PAUSE)
            except Exception as error:  # whatever a driver throws must not end the watch
                self._tell(me, error)
                _close(camera)
                camera = None
                self._rest(me, pause)
                pause = min(pause * 2, LONGEST_PAUSE)
        _close(camera)

    @contextmanager
    def _calling(self, me: _Owner, limit: float) -> Iterator[None]:
        """A call of the driver that may take ``limit`` seconds."""
        with self._news:
            me.until = self._clock() + limit
        try:
            yield
        finally:
            with self._news:
                me.until = None

    def _wanted(self, me: _Owner) -> bool:
        """Whether the camera is still looked at; where it is not, this thread owns it no longer."""
        with self._news:
            if me.lost:
                return False
            if self._stopped or (self._clock() - self._looked > IDLE and not self._tasks):
                self._owner, self._frame, self._trouble = None, None, None
                return False
            return True

    def _serve_one(self, me: _Owner, camera: Camera) -> bool:
        """Does the first thing that waits to be done, if any."""
        with self._news:
            if not self._tasks or me.lost:
                return False
            me.task = self._tasks.popleft()
        task = me.task
        try:
            with self._calling(me, STILL_LIMIT):
                result = task.do(camera)
        except BaseException as error:
            with self._news:
                me.task = None
                if not me.lost:
                    task.done.set_exception(_as_vision_error(error))
            if not isinstance(error, PhotoError):
                raise
            return True
        with self._news:
            me.task = None
            if not me.lost:
                task.done.set_result(result)
        return True

    def _show(self, me: _Owner, frame: Frame, trouble: str | None, usable: bool) -> None:
        now = self._clock()
        if usable and self._watching is not None and not me.lost:
            self._watching(frame, now)
        with self._news:
            if me.lost:
                return
            if usable:
                self._frame, self._came, self._trouble = frame, now, trouble
                self._number += 1
            elif now - self._came > FRESH:
                self._trouble = trouble
            self._news.notify_all()

    def _tell(self, me: _Owner, error: Exception) -> None:
        known = _as_vision_error(error)
        with self._news:
            if me.lost:
                return
            sentence = str(known).rstrip(".") + "."
            self._frame, self._trouble = None, sentence[0].upper() + sentence[1:]
            while self._tasks:
                self._tasks.popleft().done.set_exception(known)
            self._news.notify_all()

    def _rest(self, me: _Owner, seconds: float) -> None:
        """Waits, but not while something is to be done or the watch is over."""
        end = self._clock() + seconds
        with self._news:
            while not (me.lost or self._stopped or self._tasks) and (left := end - self._clock()) > 0:
                self._news.wait(min(left, 0.25))


def _close(camera: Camera | None) -> None:
    if camera is not None:
        try:
            camera.close()
        except Exception:  # a driver that fails even to close is dropped all the same
            return


def _as_vision_error(error: BaseException) -> VisionError:
    return error if isinstance(error, VisionError) else CameraError(f"the camera failed ({error}); it is opened anew")
