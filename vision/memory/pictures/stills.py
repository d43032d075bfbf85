"""Finds the moments at which a table can be read: all lies still, no hand is in, and something differs.

Only what lies where cards are read counts: a hand at the draw pile keeps nothing from being read.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Flags, floats
from vision.live.motion import CHANGED, MOTION, beyond_trembling, light_invariant_diff, reaches_in, small
from vision.memory.zones import Zone
from vision.values import Pixels

STILL_FOR = 0.45
"""Seconds without motion after which a frame is a still."""
RESTS_FOR = 1.4
"""Seconds after which what reaches in and does not move is taken for a part of the picture: a sleeve that was left
there, or the table itself after a bump. A card that a resting hand hides is missed for a few stills, which the memory
bears."""
LOOKS = 4
"""Stills that are read of each state of the table, so that a card misread once is outvoted."""
BETWEEN = 0.45
"""Seconds between two looks at one state."""
EVERY = 30.0
"""Seconds after which the table is read again though nothing seems to have changed."""
_LEAST = 5
"""Changed pixels of the small copies that make a change: a third of a card at usual sizes."""

_MARGIN = 3
"""Pixels of the small copies around where cards are read that count with it: a third of a card, which may stick out."""


class StillFinder:
    """Follows frames and says which to read. Keeps three small copies, so its memory does not grow.

    ``settled``: whether the last frame lay still, and what it shows was read often enough.
    """

    def __init__(self) -> None:
        self._before: Pixels | None = None
        self._background: Pixels | None = None
        self._read: Pixels | None = None
        self._moved_at, self._read_at = 0.0, -1e9
        self._looks = 0
        self.settled = False

    def see(self, pixels: Pixels, at: float, zones: Sequence[Zone] = ()) -> bool:
        """Takes the next frame, (height, width, 3) BGR, at ``at`` seconds; whether it is to be read.

        ``zones`` are where cards are read; without them everywhere.
        """
        now, before = small(pixels), self._before
        self._before, self.settled = now, False
        where = _where(now, zones, now.shape[1] / pixels.shape[1])
        if before is None or before.shape != now.shape or _moved(before, now, where):
            self._moved_at = at
            return False
        still_for = at - self._moved_at
        if still_for < STILL_FOR or at - self._read_at < BETWEEN or self._hand_is_in(now, still_for, where):
            return False
        self._background = now
        came = self._moved_at > self._read_at  # a hand that was in may have laid a card on its like, which shows little
        if self._read is None or came or changed(self._read, now, where):
            self._looks = 0
        elif self._looks >= LOOKS and at - self._read_at < EVERY:
            self.settled = True  # all of it has been read
            return False
        self._read, self._read_at = now, at
        self._looks += 1
        return True

    def _hand_is_in(self, now: Pixels, still_for: float, where: Flags) -> bool:
        """Whether something that came reaches in from the edge; what rests there for a while is no hand."""
        if self._background is None or self._background.shape != now.shape or still_for >= RESTS_FOR:
            return False
        return reaches_in(light_invariant_diff(self._background, now), where)


def _where(now: Pixels, zones: Sequence[Zone], scale: float) -> Flags:
    """Which pixels of a small copy, ``scale`` times as large as the frame, count."""
    if not zones:
        return np.ones(now.shape[:2], np.bool_)
    mask = np.zeros(now.shape[:2], np.uint8)
    for zone in zones:
        cv2.fillPoly(mask, [np.round(floats(zone) * scale).astype(np.int32)], (1,))
    return np.asarray(cv2.dilate(mask, np.ones((2 * _MARGIN + 1, 2 * _MARGIN + 1), np.uint8)), np.bool_)


def _moved(before: Pixels, now: Pixels, where: Flags) -> bool:
    """Whether something moved between two small copies."""
    return float(((beyond_trembling(before, now) > CHANGED) & where).mean()) > MOTION


def changed(before: Pixels, now: Pixels, where: Flags) -> bool:
    """Whether two ``small`` copies differ apart from the light, in those pixels of them that count."""
    if before.shape != now.shape:
        return True
    differs = np.asarray((beyond_trembling(before, now) > CHANGED) & where, np.uint8)
    labels = cv2.connectedComponents(cv2.dilate(differs, np.ones((3, 3), np.uint8)))[1]
    return bool((np.bincount(labels[differs > 0], minlength=1) >= _LEAST).any())
