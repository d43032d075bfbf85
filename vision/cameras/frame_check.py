"""Checks whether the frames of a live camera are whole, of constant size and not black."""

from __future__ import annotations

import numpy as np

from vision.errors import CameraError
from vision.images.decode import ends_in_filler
from vision.values import Frame, Pixels

_MAX_WRONG_SIZES = 5
"""Frames of a wrong size in a row after which the camera is opened again."""
_BLACK = 12.0
"""Mean brightness (0..255) below which a frame counts as black."""


class FrameCheck:
    """Checks the frames of one open camera in turn; ``usable`` says whether the last one can be used.

    Cameras that are not ``live`` are not checked: their pictures may differ in size.
    """

    def __init__(self, live: bool = True) -> None:
        self._live, self._shape, self._wrong_sizes = live, (0, 0, 0), 0
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
        if self._shape == (0, 0, 0):
            self._shape = (shape[0], shape[1], shape[2])
        if shape != self._shape:
            self._wrong_sizes += 1
            if self._wrong_sizes >= _MAX_WRONG_SIZES:
                raise CameraError("the camera changed the size of its pictures; it is opened anew")
            self.usable = False
            return "The camera's pictures come in a wrong size."
        self._wrong_sizes = 0
        if is_half(frame.pixels):
            self.usable = False
            return "The camera's pictures arrive damaged; check its cable, or plug it in elsewhere."
        if float(frame.pixels[::8, ::8].mean()) < _BLACK:
            return "The picture is black: is the lens covered, or the lamp off?"
        return None


def is_half(pixels: Pixels) -> bool:
    """Whether the end of a frame (height, width, 3) BGR never arrived: grey where a JPEG was cut off, green where the
    chroma of a raw frame is missing."""
    end = pixels[-8:]
    green = not end[..., ::2].any() and bool(end[..., 1].min() >= 120) and int(np.ptp(end[..., 1])) <= 2
    return green or ends_in_filler(pixels)
