"""Finds the moments at which a table can be read: all lies still, no hand is in, and something differs."""

from __future__ import annotations

import cv2
import numpy as np

from vision.live.motion import CHANGED, StillnessDetector, light_invariant_diff, small
from vision.values import Pixels

STILL_FOR = 0.45
"""Seconds without motion after which a frame is a still."""
LOOKS = 2
"""Stills that are read of each state of the table, so that a card misread once is outvoted."""
BETWEEN = 0.45
"""Seconds between two looks at one state."""
EVERY = 30.0
"""Seconds after which the table is read again though nothing seems to have changed."""
_LEAST = 5
"""Changed pixels of the small copies that make a change: a third of a card at usual sizes."""

Region = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels of the frame."""


class StillFinder:
    """Follows frames and says which to read. Keeps two small copies, so its memory does not grow."""

    def __init__(self) -> None:
        self._detector = StillnessDetector()
        self._read: Pixels | None = None
        self._moved_at = self._read_at = -1e9
        self._looks = 0

    def see(self, pixels: Pixels, at: float) -> bool:
        """Takes the next frame, (height, width, 3) BGR, at ``at`` seconds; whether it is to be read."""
        seen = self._detector.see(pixels, at)
        if seen.moves or seen.hand:
            self._moved_at = at
        if at - self._moved_at < STILL_FOR or at - self._read_at < BETWEEN:
            return False
        now = small(pixels)
        if self._read is None or changed_regions(self._read, now, pixels.shape):
            self._looks = 0
        elif self._looks >= LOOKS and at - self._read_at < EVERY:
            return False
        self._read, self._read_at = now, at
        self._looks += 1
        return True


def changed_regions(before: Pixels, now: Pixels, shape: tuple[int, ...]) -> list[Region]:
    """The regions of a frame of that ``shape`` in which two ``small`` copies differ apart from the light."""
    if before.shape != now.shape:
        return [(0, 0, shape[1], shape[0])]
    mask = np.asarray(light_invariant_diff(before, now) > CHANGED, np.uint8)
    joined = cv2.dilate(mask, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
    inside = np.bincount(labels[mask > 0], minlength=count)
    scale = shape[1] / now.shape[1]
    return [
        (round(x * scale), round(y * scale), round((x + w) * scale), round((y + h) * scale))
        for (x, y, w, h, _), pixels in zip(stats[1:], inside[1:], strict=True)
        if pixels >= _LEAST
    ]
