"""When a picture can be taken by itself: the cards lie still, nobody reaches in, and the picture is sharp.

Looked at are small copies of the pictures. Two of them are compared by their ratio, less its slow change over the
picture: so a lamp that is switched on, or an exposure that follows, changes nothing, but a card or a hand does.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats
from vision.images.sharpness import _finer, _whole
from vision.values import Pixels

WIDTH = 160
"""Pixels across the small copies."""
STILL_FOR = 2.0
"""Seconds that everything must lie still; between two cards people pause for less."""
_LEARNS_AFTER = 0.35
_FORGETS_AFTER = 6.0
"""What reaches in and has not moved for so many seconds is a thing on the table, not a hand."""
_DARK_FLOOR = 16.0
_SCALE = 60.0
"""Steps of a ratio's logarithm, for a filter that works on bytes."""
_CROSS = np.ones((3, 3), np.uint8)
_CHANGED, _WEAKLY = 0.16, 0.08
"""Of a ratio's logarithm, beyond its slow change: what counts as changed, and what does where it joins such a place."""
_CLIPPED, _BRIGHT = 248, 150
"""What is burnt out tells nothing of what is merely bright."""
_FIELD = 31
"""Pixels over which light changes slowly."""
_MOVES = 0.002
_ELSEWHERE = 0.5
"""Shares of the picture: from which change on it moves, and from which on the camera looks at something else."""
_CARD = 0.004
"""The least share of the picture that a card covers."""
_CONTACT = 3
SOFTER, _SOFTER_THAN_EVER = 0.85, 0.6
"""Of the sharpest picture since the last movement, and of the sharpest lately: below it a lens is still hunting."""
_MEMORY = 0.995
_GRAIN = 6.0
"""The strongest grain is about five times the median (of a normal distribution); edges of cards are far stronger."""
_GAP = 3.0
"""Seconds without a picture after which nothing is known of what moved."""


@dataclass(frozen=True, slots=True)
class Stillness:
    """What one more picture says: whether something ``moves``, a ``hand`` reaches in, the picture is ``sharp``, and how
    much of the wait is over, ``ready`` 0..1; at 1 the picture can be taken. It stays 0 while the cards are the ``same``
    as in the last picture taken, or a plain table is ``empty``."""

    moves: bool
    hand: bool
    sharp: bool
    ready: float
    same: bool = False
    empty: bool = False


def small(pixels: Pixels) -> Pixels:
    """A copy WIDTH pixels wide."""
    height = max(round(pixels.shape[0] * WIDTH / pixels.shape[1]), 8)
    shrunk = cv2.resize(pixels, (WIDTH, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(shrunk, (3, 3)), np.uint8)


def light_invariant_diff(before: Pixels, now: Pixels) -> Floats:
    """How far two ``small`` pictures differ in more than their light, (height, width), as a ratio's logarithm."""
    ratio = np.log((now.astype(np.float32) + _DARK_FLOOR) / (before.astype(np.float32) + _DARK_FLOOR))
    scaled = np.clip(ratio * _SCALE + 128, 0, 255).astype(np.uint8)
    field = cv2.medianBlur(scaled, _FIELD)
    difference = np.abs(scaled.astype(np.float32) - field) / _SCALE
    burnt = (np.maximum(before, now) >= _CLIPPED) & (np.minimum(before, now) >= _BRIGHT)
    return np.asarray(np.where(burnt, 0, difference).max(2), np.float32)


def moved(before: Pixels, now: Pixels) -> bool:
    """Whether two ``small`` pictures differ by something that moved."""
    return float((light_invariant_diff(before, now) > _CHANGED).mean()) > _MOVES


def reaches_in(difference: Floats) -> bool:
    """Whether a change as large as a card touches the edge of the picture, as every arm does, if only weakly."""
    weak = np.asarray(difference > _WEAKLY, np.uint8)
    count, labels = cv2.connectedComponents(cv2.morphologyEx(weak, cv2.MORPH_CLOSE, _CROSS))
    edge = np.concatenate([labels[0], labels[-1], labels[1:-1, 0], labels[1:-1, -1]])
    contact = np.bincount(edge, minlength=count)
    strong = np.bincount(labels[difference > _CHANGED], minlength=count)
    return bool(((strong[1:] >= _CARD * weak.size) & (contact[1:] >= _CONTACT)).any())


def _only_grain(fine: Floats) -> bool:
    """Whether the finest edges are a sensor's grain alone, and so the table plain and empty."""
    return bool(np.percentile(fine, 99.9) < _GRAIN * max(float(np.median(fine)), 0.1))


class StillnessDetector:
    """Follows a camera's pictures; one taken picture calls for no second one until the cards have changed."""

    def __init__(self) -> None:
        self._before: Pixels | None = None
        self._clear: Pixels | None = None
        self._taken: Pixels | None = None
        self._restless = self._moved = self._seen = 0.0
        self._sharpest = self._sharp_here = 0.0

    def see(self, pixels: Pixels, at: float) -> Stillness:
        """The next picture (height, width, 3) BGR, ``at`` seconds."""
        now, before, rested = small(pixels), self._before, at - self._seen
        self._before, self._seen = now, at
        if before is None or before.shape != now.shape or rested > _GAP:
            self._clear = now
            self._restless = self._moved = at
            return Stillness(moves=True, hand=False, sharp=False, ready=0.0)
        moves = moved(before, now)
        if moves:
            self._moved, self._sharp_here = at, 0.0
        lies = at - self._moved
        hand = self._reaching(now, lies)
        bands = _whole(pixels)
        empty = _only_grain(bands[0])
        sharp = not empty and self._is_sharp(_finer(bands))
        if moves or hand or not sharp:
            self._restless = at
        if not hand and lies >= _LEARNS_AFTER:
            self._clear = now
        ready = min((at - self._restless) / STILL_FOR, 1.0)
        same = self._taken is not None and self._taken.shape == now.shape and not self._differs(self._taken, now)
        return Stillness(moves, hand, sharp, 0.0 if same else ready, same, empty)

    def taken(self, pixels: Pixels) -> None:
        """A picture (height, width, 3) BGR has been taken; until the cards change no second one is called for."""
        self._taken = small(pixels)

    def _reaching(self, now: Pixels, lies: float) -> bool:
        """Whether a hand is in the picture, by what it hides of the last one without."""
        assert self._clear is not None
        difference = light_invariant_diff(self._clear, now)
        if float((difference > _CHANGED).mean()) > _ELSEWHERE or lies > _FORGETS_AFTER:
            return False
        return reaches_in(difference)

    def _is_sharp(self, fine: float) -> bool:
        """Whether the picture is as sharp as others of the same scene, and not much softer than any lately."""
        self._sharp_here = max(self._sharp_here, fine)
        self._sharpest = max(self._sharpest * _MEMORY, fine)
        return fine >= max(SOFTER * self._sharp_here, _SOFTER_THAN_EVER * self._sharpest)

    def _differs(self, taken: Pixels, now: Pixels) -> bool:
        """Whether a card more, or fewer, lies there than when the last picture was taken."""
        mask = np.asarray(light_invariant_diff(taken, now) > _CHANGED, np.uint8)
        opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, _CROSS)
        return float(opened.mean()) > _CARD / 2
