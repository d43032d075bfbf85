"""Whether a live camera's pictures are whole, of one size and not black."""

from __future__ import annotations

import numpy as np

from vision.errors import CameraError
from vision.images.decode import ends_in_filler
from vision.values import Frame, Pixels

_WRONG_SIZES = 5
_BLACK = 12.0


class FrameCheck:
    """Whether a camera's pictures are whole, of one size and not black; ``usable`` is its word on the last one."""

    def __init__(self, live: bool = True) -> None:
        self._live, self._shape, self._odd = live, (0, 0, 0), 0
        self.usable = True

    def trouble(self, frame: Frame) -> str | None:
        """One sentence where something is wrong with the picture.

        Raises:
            CameraError: pictures come in another size again and again; the camera is to be opened anew.
        """
        self.usable = True
        if not self._live:
            return None
        shape = frame.pixels.shape
        if self._shape == (0, 0, 0):
            self._shape = (shape[0], shape[1], shape[2])
        if shape != self._shape:
            self._odd += 1
            if self._odd >= _WRONG_SIZES:
                raise CameraError("the camera changed the size of its pictures; it is opened anew")
            self.usable = False
            return "The camera's pictures come in a wrong size."
        self._odd = 0
        if is_half(frame.pixels):
            self.usable = False
            return "The camera's pictures arrive damaged; check its cable, or plug it in elsewhere."
        if float(frame.pixels[::8, ::8].mean()) < _BLACK:
            return "The picture is black: is the lens covered, or the lamp off?"
        return None


def is_half(pixels: Pixels) -> bool:
    """Whether the end of a picture (height, width, 3) never arrived: grey where a JPEG was cut off, green where raw
    colour differences are missing."""
    end = pixels[-8:]
    green = not end[..., ::2].any() and bool(end[..., 1].min() >= 120) and int(np.ptp(end[..., 1])) <= 2
    return green or ends_in_filler(pixels)
