"""Decides when a picture can be taken automatically: nothing moves, no hand reaches in, and the picture is sharp.

Small copies of the frames are compared by the logarithm of their ratio, less its slow variation over the picture, so
that a lamp or an automatic exposure changes nothing, but a card or a hand does.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Flags, Floats
from vision.images.sharpness import band_ratio, scaled_bands
from vision.values import Pixels

WIDTH = 160
"""Width of the small copies, in pixels."""
STILL_FOR = 2.0
"""Seconds without motion after which a picture is taken; people pause for less between two cards."""
CHANGED, _WEAKLY_CHANGED = 0.16, 0.08
"""Log ratio from which a pixel counts as changed, and from which it does where it joins such pixels (hysteresis)."""
SOFTER, _MUCH_SOFTER = 0.85, 0.6
"""Shares of the best sharpness since the last motion, and of the best lately; below one the lens is still focusing."""
_LEARN_AFTER = 0.35
"""Seconds without motion after which the frame becomes the background that hands are compared with."""
_FORGET_AFTER = 6.0
"""Seconds after which something at the edge that does not move counts as a thing on the table, not as a hand."""
_DARK_FLOOR = 16.0
"""Added to both values of a ratio, so that noise in the dark does not count."""
_LOG_STEPS = 60.0
"""Steps a unit of the log ratio, for the median filter, which works on bytes."""
_LIGHT_FIELD = 31
"""Width of that filter in pixels: light varies more slowly than this."""
_CLIPPED, _BRIGHT = 248, 150
"""A pixel that is burnt out in one frame and at least bright in the other counts as unchanged."""
MOTION = 0.002
"""Share of changed pixels above which something moves."""
_SCENE_CHANGE = 0.5
"""Share of changed pixels above which the camera shows another scene, so that no hand can be told."""
_CARD = 0.004
"""Least share of the picture that a card covers."""
_MIN_CONTACT = 3
"""Pixels at the edge of the picture that a reaching hand covers at least."""
_FADING = 0.995
"""Factor a frame by which the best sharpness is forgotten."""
_GRAIN = 6.0
"""Fine edges below this many times their median are sensor noise: a normal distribution's extremes are about five times
its median, edges of cards far more."""
_MAX_GAP = 3.0
"""Seconds without a frame after which the state is reset."""
_TREMBLES = 0.25
"""Share of the contrast around a pixel by which it may differ, since the camera moved by up to half a pixel."""
_CROSS = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True)
class Stillness:
    """What one more frame shows.

    ``moves``, ``hand`` and ``sharp`` say whether something moves, a hand reaches in, and the picture is sharp;
    ``ready`` is the share 0..1 of the wait that is over: at 1 a picture can be taken. It stays 0 while the cards are
    the ``same`` as in the last picture taken, or the table is ``empty``.
    """

    moves: bool
    hand: bool
    sharp: bool
    ready: float
    same: bool = False
    empty: bool = False


def small(pixels: Pixels) -> Pixels:
    """A slightly blurred copy, ``WIDTH`` pixels wide."""
    height = max(round(pixels.shape[0] * WIDTH / pixels.shape[1]), 8)
    shrunk = cv2.resize(pixels, (WIDTH, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(shrunk, (3, 3)), np.uint8)


def light_invariant_diff(before: Pixels, now: Pixels) -> Floats:
    """Difference of two ``small`` frames apart from their light, (height, width): absolute log ratio less its local
    median."""
    ratio = np.log((now.astype(np.float32) + _DARK_FLOOR) / (before.astype(np.float32) + _DARK_FLOOR))
    scaled = np.clip(ratio * _LOG_STEPS + 128, 0, 255).astype(np.uint8)
    light = cv2.medianBlur(scaled, _LIGHT_FIELD)
    difference = np.abs(scaled.astype(np.float32) - light) / _LOG_STEPS
    burnt = (np.maximum(before, now) >= _CLIPPED) & (np.minimum(before, now) >= _BRIGHT)
    return np.asarray(np.where(burnt, 0, difference).max(2), np.float32)


def beyond_trembling(before: Pixels, now: Pixels) -> Floats:
    """As ``light_invariant_diff``, less what a camera that trembles by up to half a pixel of the ``small`` frames makes
    of the edges in them: a phone on a stand does, as often as somebody leans on the table."""
    light = np.log(before.astype(np.float32) + _DARK_FLOOR)
    contrast = (cv2.dilate(light, _CROSS) - cv2.erode(light, _CROSS)).max(2)
    return np.asarray(light_invariant_diff(before, now) - _TREMBLES * contrast, np.float32)


def moved(before: Pixels, now: Pixels) -> bool:
    """Whether something moved between two ``small`` frames."""
    return float((light_invariant_diff(before, now) > CHANGED).mean()) > MOTION


def reaches_in(difference: Floats, where: Flags | None = None) -> bool:
    """Whether a changed region touches the edge of the picture, as an arm does, and is as large as a card, counting
    only what lies ``where``; the contact may be weak (hysteresis thresholds)."""
    weak = np.asarray(difference > _WEAKLY_CHANGED, np.uint8)
    count, labels = cv2.connectedComponents(cv2.morphologyEx(weak, cv2.MORPH_CLOSE, _CROSS))
    edge = np.concatenate([labels[0], labels[-1], labels[1:-1, 0], labels[1:-1, -1]])
    contact = np.bincount(edge, minlength=count)
    strong = np.bincount(labels[(difference > CHANGED) & (True if where is None else where)], minlength=count)
    return bool(((strong[1:] >= _CARD * weak.size) & (contact[1:] >= _MIN_CONTACT)).any())


def _is_only_grain(fine_edges: Floats) -> bool:
    """Whether the finest edges are nothing but sensor noise, which means an empty table."""
    return bool(np.percentile(fine_edges, 99.9) < _GRAIN * max(float(np.median(fine_edges)), 0.1))


class StillnessDetector:
    """Follows the frames of a camera; after a picture was taken it asks for the next once the cards have changed."""

    def __init__(self) -> None:
        self._before: Pixels | None = None
        self._background: Pixels | None = None
        self._taken: Pixels | None = None
        self._disturbed_at = self._moved_at = self._seen_at = 0.0
        self._best_lately = self._best_here = 0.0

    def see(self, pixels: Pixels, at: float) -> Stillness:
        """Takes the next frame, (height, width, 3) BGR, at the time ``at`` in seconds."""
        now, before, gap = small(pixels), self._before, at - self._seen_at
        self._before, self._seen_at = now, at
        if before is None or before.shape != now.shape or gap > _MAX_GAP:
            self._background = now
            self._disturbed_at = self._moved_at = at
            return Stillness(moves=True, hand=False, sharp=False, ready=0.0)
        moves = moved(before, now)
        if moves:
            self._moved_at, self._best_here = at, 0.0
        still_for = at - self._moved_at
        hand = self._hand_reaches_in(now, still_for)
        bands = scaled_bands(pixels)
        empty = _is_only_grain(bands[0])
        sharp = not empty and self._is_sharp(band_ratio(bands))
        if moves or hand or not sharp:
            self._disturbed_at = at
        if not hand and still_for >= _LEARN_AFTER:
            self._background = now
        ready = min((at - self._disturbed_at) / STILL_FOR, 1.0)
        same = self._taken is not None and self._taken.shape == now.shape and not self._cards_differ(self._taken, now)
        return Stillness(moves, hand, sharp, 0.0 if same else ready, same, empty)

    def taken(self, pixels: Pixels) -> None:
        """Tells that a picture (height, width, 3) BGR was taken; no other is asked for until the cards change."""
        self._taken = small(pixels)

    def _hand_reaches_in(self, now: Pixels, still_for: float) -> bool:
        """Whether a hand hides a part of the background."""
        assert self._background is not None
        difference = light_invariant_diff(self._background, now)
        if float((difference > CHANGED).mean()) > _SCENE_CHANGE or still_for > _FORGET_AFTER:
            return False
        return reaches_in(difference)

    def _is_sharp(self, sharpness: float) -> bool:
        """Whether a frame is about as sharp as the best of this scene, and not much softer than any lately."""
        self._best_here = max(self._best_here, sharpness)
        self._best_lately = max(self._best_lately * _FADING, sharpness)
        return sharpness >= max(SOFTER * self._best_here, _MUCH_SOFTER * self._best_lately)

    def _cards_differ(self, taken: Pixels, now: Pixels) -> bool:
        """Whether cards were added or removed since the last picture taken."""
        mask = np.asarray(light_invariant_diff(taken, now) > CHANGED, np.uint8)
        opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, _CROSS)
        return float(opened.mean()) > _CARD / 2
