"""The interface of a camera, and what the registry needs to know of each kind of camera."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from vision.cameras.watching.frame_check import settled
from vision.errors import CameraError
from vision.values import Frame

Size = tuple[int, int]
"""Width and height in pixels."""
PATIENCE, SLOW_PATIENCE = 5.0, 15.0
"""Seconds that a read may take with a camera at hand, and with one in the network, which may give few pictures."""


@dataclass(frozen=True, slots=True)
class Abilities:
    """What one camera can do.

    ``preview`` is the size of the frames from ``read``, ``still`` that of the frames from ``still``; ``focus`` and
    ``exposure`` say whether ``adjust`` can fix them; ``live`` whether new frames come by themselves; ``patience`` is
    the seconds that ``read`` may take before it counts as frozen. Without ``fixed_size`` the frames change their shape
    as the camera is turned, and another size is no fault.
    """

    preview: Size
    still: Size
    focus: bool = False
    exposure: bool = False
    live: bool = True
    patience: float = PATIENCE
    fixed_size: bool = True


class Camera:
    """One open camera, used by one thread at a time. A call may take seconds; with a bad driver it may never return.

    A kind gives its ``name`` in messages, without secrets such as a password in its address, ``abilities`` and
    ``_next``, and more where it can do more than show its newest frame.
    """

    name = ""
    _closed = _settled = False

    def abilities(self) -> Abilities:
        """Sizes and settings of this camera."""
        raise NotImplementedError

    def read(self) -> Frame:
        """Waits for the current frame, at preview size.

        Raises:
            CameraError: no frame comes; the camera has to be opened again.
            PhotoError: a picture file cannot be read; the camera itself works.
        """
        self._must_be_open()
        if self._settled:
            return self._newest()
        frame = settled(self._next)
        self._settled = True
        return frame

    def still(self) -> Frame:
        """Takes the best picture that the camera can take now. Raises as ``read`` does."""
        return self.read()

    def adjust(self, focus: float | None, exposure: float | None) -> None:
        """Fixes focus (0 far … 1 near) and exposure (milliseconds); None leaves it to the camera.

        Raises:
            CameraError: the camera does not offer this setting.
        """
        for what, value in (("focus", focus), ("exposure", exposure)):
            if value is not None and not getattr(self.abilities(), what):
                raise CameraError(f"the {what} of {self.name} cannot be set; leave it to the camera")

    def close(self) -> None:
        """Releases the device; may be called twice. Every other call afterwards raises CameraError."""
        self._closed = True

    def _next(self) -> Frame:
        """The next frame, however old."""
        raise NotImplementedError

    def _newest(self) -> Frame:
        """The current frame."""
        return self._next()

    def _must_be_open(self) -> None:
        if self._closed:
            raise CameraError(f"{self.name} is closed; open it again")


@dataclass(frozen=True, slots=True)
class CameraKind:
    """One kind of camera, as ``vision.cameras.KINDS`` needs it.

    ``form`` says how to ask for such a camera, for help texts and errors. ``open`` opens the camera of a spec, or
    returns None where the spec means another kind; it raises CameraError where the camera cannot be opened.
    ``attached`` finds the specs of the cameras that are plugged in, one after the other, since each may take seconds;
    ``lasting`` finds another spec of such a camera that stays when numbers change. ``built_in`` kinds come first where
    no camera was asked for.
    """

    form: str
    open: Callable[[str], Camera | None]
    attached: Callable[[], Iterable[str]] = tuple
    lasting: Callable[[str], str | None] = lambda spec: None
    built_in: bool = False
