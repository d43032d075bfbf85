"""Checks of what a camera delivers: damaged, black and wrongly sized frames, and when a cold camera has settled."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

import numpy as np

from vision.errors import CameraError, PhotoError
from vision.values import Frame, Pixels

_MAX_WRONG_SIZES = 5
"""Frames of a wrong size in a row after which the camera is opened again."""
_BLACK = 12.0
"""Mean brightness (0..255) below which a frame counts as black."""
_GREEN_SHARE = 0.95
"""Share of pure green pixels from which a frame counts as empty; felt and cards are never that pure."""
_SETTLE_SECONDS = 2.0
"""Pictures of a cold camera are passed over for no longer than this."""
_STEADY_SECONDS, _STEADY_FRAMES, _STEADY_SHARE = 0.4, 3, 0.15
"""Brightness is steady where it changed by less than this share over this time, and over this many frames."""
_STILL_TRIES, _STILL_SECONDS = 3, 6.0
"""A still that is black, damaged or of a wrong size is taken again, so often and for so long at most."""
_DAMAGED = "The camera’s pictures are coming in damaged. Check its cable, or plug it in somewhere else."


class FrameCheck:
    """Checks the frames of one open camera in turn; ``usable`` says whether the last one can be shown.

    Cameras that are not ``live`` are not checked: their pictures may differ in size. Those of a live camera may without
    ``fixed_size``.
    """

    def __init__(self, live: bool = True, fixed_size: bool = True) -> None:
        self._live, self._fixed_size, self._shape, self._wrong_sizes = live, fixed_size, (0, 0, 0), 0
        self.usable = True

    def problem(self, frame: Frame) -> str | None:
        """One sentence where something is wrong with the frame, None where it is fine.

        Raises:
            CameraError: the size stays wrong; the camera has to be opened again.
        """
        self.usable = True
        if not self._live:
            return None
        shape = frame.pixels.shape
        if self._shape == (0, 0, 0) or not self._fixed_size:
            self._shape = (shape[0], shape[1], shape[2])
        if shape != self._shape:
            self._wrong_sizes += 1
            if self._wrong_sizes >= _MAX_WRONG_SIZES:
                raise CameraError("the camera changed the size of its pictures; it is opened anew")
            self.usable = False
            return "The camera’s pictures are the wrong size."
        self._wrong_sizes = 0
        if is_half(frame.pixels) or is_empty(frame.pixels):
            self.usable = False
            return _DAMAGED
        if _brightness(frame.pixels) < _BLACK:
            return "The picture is black. Uncover the lens or turn on a lamp."
        return None


def settled(take: Callable[[], Frame]) -> Frame:
    """The first frame that can be trusted of a camera that was just opened, or whose size was just changed.

    Such a camera first gives empty or half frames, and dark or bright ones until its exposure has adapted. They are
    passed over until the brightness is steady, for two seconds at most.

    Args:
        take: waits for the camera's next frame.
    """
    end = time.monotonic() + _SETTLE_SECONDS
    seen: deque[tuple[float, float]] = deque()
    while True:
        frame = take()
        now, brightness = time.monotonic(), _brightness(frame.pixels)
        if is_half(frame.pixels) or is_empty(frame.pixels) or brightness < _BLACK:
            seen.clear()
        else:
            seen.append((now, brightness))
            while len(seen) > _STEADY_FRAMES and now - seen[1][0] >= _STEADY_SECONDS:
                seen.popleft()
            levels = [level for _, level in seen]
            long_enough = len(seen) >= _STEADY_FRAMES and now - seen[0][0] >= _STEADY_SECONDS
            if long_enough and max(levels) - min(levels) <= _STEADY_SHARE * brightness:
                return frame
        if now >= end:
            return frame


def good_still(take: Callable[[], Frame], check: FrameCheck) -> Frame:
    """A still that passes the check of the live picture; one that does not is taken again.

    Args:
        take: takes a still.
        check: of the stills of this camera, which may have another size than its live picture.

    Raises:
        PhotoError: the stills stay black, damaged or of a wrong size; the camera itself works.
        CameraError: as ``take`` and ``check``.
    """
    end, problem = time.monotonic() + _STILL_SECONDS, ""
    for _ in range(_STILL_TRIES):
        frame = take()
        found = check.problem(frame)
        if found is None:
            return frame
        problem = found[0].lower() + found[1:].rstrip(".")
        if time.monotonic() > end:
            break
    raise PhotoError(problem)


def is_half(pixels: Pixels) -> bool:
    """Whether the end of a frame (height, width, 3) BGR never arrived: grey where a JPEG was cut off, green where the
    chroma of a raw frame is missing. No sensor gives eight rows of one exact value."""
    end = pixels[-8:]
    green = not end[..., ::2].any() and bool(end[..., 1].min() >= 120) and int(np.ptp(end[..., 1])) <= 2
    return green or bool((end == 128).all())


def is_empty(pixels: Pixels) -> bool:
    """Whether a frame (height, width, 3) BGR is pure green all over, as a buffer is that the driver never filled."""
    part = pixels[::8, ::8]
    pure = (part[..., 0] <= 16) & (part[..., 1] >= 60) & (part[..., 2] <= 16)
    return float(pure.mean()) >= _GREEN_SHARE


def _brightness(pixels: Pixels) -> float:
    """Mean brightness, 0..255."""
    return float(pixels[::8, ::8].mean())
