"""When each place of the table last looked otherwise: what looks the same is the same, whatever was read of it."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Flags, Floats
from vision.live.motion import CHANGED
from vision.values import Pixels

WIDTH = 640
"""Width of the copies that are compared, in pixels: a card is some thirty wide, so that another card of the same suit,
or the same card a little aside, shows."""
_LIGHT_WIDTH, _LIGHT_FIELD = 160, 31
"""Width of the copy in which the light is measured, and of the median filter there: light varies more slowly."""
_DARK_FLOOR = 16.0
"""Added to both values of a ratio, so that noise in the dark does not count."""
_LOG_STEPS = 60.0
"""Steps a unit of the log ratio, for the median filter, which works on bytes."""
TOUCHED = 0.02
"""The share of a card's outline from which it looks otherwise."""


class Places:
    """Compares one still with the next. Keeps a small copy and a map of seconds, so its memory does not grow."""

    def __init__(self) -> None:
        self._before: Pixels | None = None
        self._changed_at = np.zeros((0, 0), np.float32)
        self._scale, self._first, self._seen = 1.0, 0.0, -np.inf

    def see(self, pixels: Pixels, second: float) -> None:
        """Takes the next still, (height, width, 3) BGR; the same again changes nothing."""
        if second == self._seen:
            return
        self._seen = second
        self._scale = WIDTH / pixels.shape[1]
        size = (WIDTH, max(round(pixels.shape[0] * self._scale), 8))
        now = np.asarray(cv2.blur(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), (3, 3)), np.uint8)
        before, self._before = self._before, now
        if before is None or before.shape != now.shape:
            self._changed_at, self._first = np.full(now.shape[:2], np.inf, np.float32), second  # nobody knows
            return
        # nor does anybody know what happened before the first still, such as while the program was off
        self._changed_at[np.isinf(self._changed_at)] = self._first
        self._changed_at[_difference(before, now) > CHANGED] = second

    def changed_since(self, second: float) -> Flags | None:
        """Which pixels of the small copy, (height, width), have looked otherwise in a still after that of ``second``;
        None if nobody knows."""
        return None if np.isinf(self._changed_at).any() else self._changed_at > second

    def same_since(self, outline: Floats, second: float) -> bool:
        """Whether a place, an outline (4, 2) in pixels, has looked the same in all stills after that of ``second``;
        False if nobody knows."""
        if not self._changed_at.size:
            return False
        mask = np.zeros(self._changed_at.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.round(outline * self._scale).astype(np.int32), (1,))
        inside = self._changed_at[mask > 0]
        return bool(inside.size and (inside > second).mean() < TOUCHED)


def _difference(before: Pixels, now: Pixels) -> Floats:
    """How much two copies differ apart from their light, (height, width): log ratio less what varies slowly."""
    ratio = np.log((now.astype(np.float32) + _DARK_FLOOR) / (before.astype(np.float32) + _DARK_FLOOR))
    height, width = now.shape[:2]
    coarse = cv2.resize(
        ratio, (_LIGHT_WIDTH, max(round(height * _LIGHT_WIDTH / width), 2)), interpolation=cv2.INTER_AREA
    )
    scaled = np.clip(coarse * _LOG_STEPS + 128, 0, 255).astype(np.uint8)
    light = (cv2.medianBlur(scaled, _LIGHT_FIELD).astype(np.float32) - 128) / _LOG_STEPS
    blue, green, red = cv2.split(np.abs(ratio - cv2.resize(light, (width, height))))
    return np.asarray(np.maximum(np.maximum(blue, green), red), np.float32)
