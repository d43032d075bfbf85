"""Shares one camera: a thread owns it, everybody else sees its newest frame and how old that is.

A driver's call can fail, return garbage, or never return. Failures are retried after growing pauses. A call that does
not return is abandoned: its thread stays behind, to close the camera should the call ever return, and a new thread
takes over. There are never more than ``MAX_LOST`` abandoned threads.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import contextmanager
from statistics import median

from vision.cameras.base import PATIENCE, Abilities, Camera
from vision.cameras.watching.frame_check import FrameCheck, good_still
from vision.cameras.watching.owner import Owner, Snapshot, Task, as_vision_error, close_quietly, sentence_of
from vision.cameras.watching.trouble_log import TroubleLog
from vision.errors import CameraError, PhotoError
from vision.values import Frame

FRESH = 2.0
"""Seconds for which a frame is shown as live; a camera of one frame a second still is. With a slower camera it is one
and a half times what usually lies between two frames, and at most ``LONGEST_FRESH``."""
LONGEST_FRESH = 10.0
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 4.0
"""Seconds before the first retry after a failure, and before any later one at most; each pause doubles."""
STILL_LIMIT, OPEN_LIMIT = 12.0, 15.0 if sys.platform.startswith("linux") else 60.0
"""Seconds after which a call of the driver counts as frozen; on Windows, opening may take some twenty."""
IDLE = 10.0
"""Seconds without a request after which the camera is closed."""
MAX_LOST = 2
"""Abandoned threads at most."""
_PACE, _SLOW_PACE = 1 / 15, 0.5
"""Least seconds between two reads, of a live camera and of files, which change only on a still."""

FrameListener = Callable[[Frame, float], None]
"""Called with a frame and the time of the watcher's clock at which it came."""


class Watcher:
    """Runs one camera from the first request until nobody has asked for ``IDLE`` seconds.

    Args:
        open_camera: opens it; raises CameraError.
        listener: gets every good frame, in the camera's thread.
        clock: seconds that only ever go forward.
    """

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        listener: FrameListener | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._open, self._listener, self._clock = open_camera, listener, clock
        self._changed = threading.Condition()
        self._owner: Owner | None = None
        self._lost: list[threading.Thread] = []
        self._tasks: deque[Task] = deque()
        self._frame: Frame | None = None
        self._came, self._number, self._asked = 0.0, 0, clock()
        self._gaps, self._still_check = deque[float](maxlen=5), FrameCheck()
        self._error: str | None = None
        self._log = TroubleLog(clock)
        self._stopped, self._openings = False, 0
        self.settings: tuple[float | None, float | None] = (None, None)
        self.abilities: Abilities | None = None
        self.name: str | None = None

    def snapshot(self, after: int = -1, wait: float = 0.0) -> Snapshot:
        """The newest frame; with ``wait``, waits that many seconds for a number above ``after`` or another error."""
        end = self._clock() + wait
        with self._changed:
            error = self._error
            while True:
                self._asked = self._clock()
                self._recover()
                left = end - self._asked
                if left <= 0 or self._number > after or self._error != error:
                    return self._snapshot()
                self._changed.wait(min(left, 0.25))

    def still(self) -> Frame:
        """The best picture the camera can take, checked as the live picture is.

        Raises:
            CameraError: there is no camera, or it does not answer.
            PhotoError: the picture cannot be read, or it is black, damaged or of a wrong size.
        """
        frame = self._call(lambda camera: good_still(camera.still, self._still_check), OPEN_LIMIT + STILL_LIMIT)
        assert frame is not None
        return frame

    def adjust(self, focus: float | None, exposure: float | None) -> None:
        """Fixes focus (0..1) and exposure (milliseconds), also after a reopening; None leaves it to the camera.

        Raises:
            CameraError: the camera does not offer this setting, or does not answer.
        """
        self._call(lambda camera: camera.adjust(focus, exposure), 2 * PATIENCE)
        self.settings = focus, exposure

    def reopen(self) -> None:
        """Opens the camera anew, as another one is meant from now on: without the settings of the one before."""
        with self._changed:
            self._openings += 1
            self._frame, self._error, self.abilities, self.name, self.settings = None, None, None, None, (None, None)
            self._gaps.clear()
            self._changed.notify_all()

    def close(self) -> None:
        """Closes the camera for good."""
        with self._changed:
            self._stopped, owner = True, self._owner
            self._changed.notify_all()
        if owner is not None:
            owner.thread.join(PATIENCE)

    def _call(self, call: Callable[[Camera], Frame | None], wait: float) -> Frame | None:
        task = Task(call, Future())
        with self._changed:
            if self._stopped:
                raise CameraError("the camera is closed, as the page is being stopped; start it again")
            self._tasks.append(task)
            self._asked = self._clock()
            self._changed.notify_all()
        end = self._clock() + wait
        while True:
            with self._changed:
                self._asked = self._clock()  # whoever waits still wants it, however long it takes to open
                self._recover()
            try:
                return task.result.result(0.25)
            except FutureTimeout:
                if self._clock() > end:
                    raise CameraError("the camera is not answering; unplug it and plug it in again") from None

    # The next three are called with the lock held.

    def _snapshot(self) -> Snapshot:
        age = self._asked - self._came if self._number else None
        error, frame = self._error, self._frame
        if frame is not None and age is not None and age > self._fresh():
            frame = None
            error = error or f"No picture has come from the camera for {age:.0f} seconds."
        return Snapshot(frame, self._number, age, error)

    def _fresh(self) -> float:
        return max(FRESH, min(1.5 * median(self._gaps), LONGEST_FRESH)) if self._gaps else FRESH

    def _recover(self) -> None:
        """Abandons a thread that hangs in the driver, and starts one where there is none."""
        owner = self._owner
        if owner is not None and owner.deadline is not None and self._clock() > owner.deadline:
            owner.lost = True
            self._lost.append(owner.thread)
            self._owner, self._frame = None, None
            self._error = "The camera stopped answering. Unplug it and plug it in again."
            self._log.begins(self._error)
            if owner.task is not None:
                owner.task.result.set_exception(CameraError(self._error.rstrip(".")))
            self._changed.notify_all()
        self._lost = [thread for thread in self._lost if thread.is_alive()]
        if self._owner is None and len(self._lost) < MAX_LOST and not self._stopped:
            self._owner = Owner(self._run)
            self._owner.thread.start()

    # The rest runs in the camera's thread.

    def _run(self, me: Owner) -> None:
        camera: Camera | None = None
        pause, first = FIRST_PAUSE, True
        check, pace, patience = FrameCheck(), _PACE, PATIENCE
        while self._is_wanted(me):
            try:
                if camera is not None and me.openings != self._openings:
                    close_quietly(camera)
                    camera = None
                if camera is None:
                    me.openings, pause = self._openings, FIRST_PAUSE if me.openings != self._openings else pause
                    with self._time_limit(me, OPEN_LIMIT):
                        camera = self._open()
                        camera.adjust(*self.settings)
                        able, self.name = camera.abilities(), camera.name
                        self.abilities = able
                        check, pace = FrameCheck(able.live, able.fixed_size), _PACE if able.live else _SLOW_PACE
                        self._still_check = FrameCheck(able.live, able.fixed_size)
                        patience, first = able.patience, True
                if not self._run_task(me, camera):
                    start = self._clock()
                    with self._time_limit(me, patience):
                        frame = camera.read()
                    self._publish(me, frame, check.problem(frame), check.usable, start if first else None)
                    pause, first = FIRST_PAUSE, first and not check.usable
                    self._sleep(me, start + pace - self._clock())
            except PhotoError as error:
                self._report(me, error)
                self._sleep(me, FIRST_PAUSE)
            except Exception as error:  # no driver error may end this thread
                self._report(me, error)
                close_quietly(camera)
                camera = None
                self._sleep(me, pause)
                pause = min(pause * 2, LONGEST_PAUSE)
        close_quietly(camera)

    @contextmanager
    def _time_limit(self, me: Owner, seconds: float) -> Iterator[None]:
        """Marks a call of the driver that counts as frozen after ``seconds``."""
        with self._changed:
            me.deadline = self._clock() + seconds
        try:
            yield
        finally:
            with self._changed:
                me.deadline = None

    def _is_wanted(self, me: Owner) -> bool:
        """Whether this thread goes on; where not, it gives up its ownership."""
        with self._changed:
            if me.lost:
                return False
            if self._stopped or (self._clock() - self._asked > IDLE and not self._tasks):
                self._owner, self._frame, self._error = None, None, None
                return False
            return True

    def _run_task(self, me: Owner, camera: Camera) -> bool:
        """Runs the oldest task; False where there is none. Errors go to the task and, except PhotoError, on to the
        caller."""
        with self._changed:
            if not self._tasks or me.lost:
                return False
            me.task = self._tasks.popleft()
        task = me.task
        try:
            with self._time_limit(me, STILL_LIMIT):
                result = task.call(camera)
        except BaseException as error:
            with self._changed:
                me.task = None
                if not me.lost:
                    task.result.set_exception(as_vision_error(error))
                    self._log.begins(sentence_of(as_vision_error(error)))
            if not isinstance(error, PhotoError):
                raise
            return True
        with self._changed:
            me.task = None
            if not me.lost:
                task.result.set_result(result)
        return True

    def _publish(self, me: Owner, frame: Frame, error: str | None, usable: bool, asked: float | None) -> None:
        """Shows a frame; ``asked`` is when it was asked for, where it is the first after the opening."""
        now = self._clock()
        if usable and self._listener is not None and not me.lost:
            self._listener(frame, now)
        with self._changed:
            if me.lost:
                return
            if usable:
                self._gaps.append(now - (self._came if asked is None else asked))
                self._frame, self._came, self._error = frame, now, error
                self._number += 1
            elif now - self._came > FRESH:
                self._error = error
            if self._error is not None:
                self._log.begins(self._error)
            elif usable:
                self._log.ends()
            self._changed.notify_all()

    def _report(self, me: Owner, error: Exception) -> None:
        """Shows an error and fails all waiting tasks with it."""
        known = as_vision_error(error)
        with self._changed:
            if me.lost or me.openings != self._openings:
                return
            self._frame, self._error = None, sentence_of(known)
            self._log.begins(self._error)
            while self._tasks:
                self._tasks.popleft().result.set_exception(known)
            self._changed.notify_all()

    def _sleep(self, me: Owner, seconds: float) -> None:
        """Sleeps, but wakes for a task and for the end."""
        end = self._clock() + seconds
        with self._changed:
            while (
                not (me.lost or self._stopped or self._tasks or me.openings != self._openings)
                and (left := end - self._clock()) > 0
            ):
                self._changed.wait(min(left, 0.25))
