"""Pictures of a phone that was turned, or that gives another size now, as they were before: places on the table stay.

A phone that looks straight down may take itself for upright or lying at any moment; its browser then turns the picture.
One that is really turned on its stand sees the same table in another frame: what both pictures show tells how it lies.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Doubles, Flags, Floats, floats
from vision.live.same_plane import plane_between
from vision.values import Pixels

_TURNS = {1: cv2.ROTATE_90_CLOCKWISE, 2: cv2.ROTATE_180, 3: cv2.ROTATE_90_COUNTERCLOCKWISE}
_SMALL = (64, 36)
_ALIKE, _UNLIKE = 0.6, 0.3
"""Correlations of small pictures above which they show one table, and below which they do not."""
_SURER = 0.03
"""By so much more alike a picture has to be upside down: a bare table under a lamp is nearly alike either way."""
_MOST_STRETCHED = 1.02
_AGAIN = 1.0
"""Seconds until a picture that fits nowhere is looked at closely again; that takes some tenths of a second."""
_STEADY = 0.004
"""Share of the width by which two pictures in a row may lie apart once the phone is no longer being turned."""


def as_before(pixels: Pixels, before: Pixels) -> Pixels | None:
    """A picture, (height, width, 3) BGR, turned and sized as the one before; None where that does not make it fit."""
    (height, width), (tall, wide) = pixels.shape[:2], before.shape[:2]
    if (width, height) == (wide, tall):
        turned = np.asarray(cv2.rotate(pixels, cv2.ROTATE_180), np.uint8)
        alike, alike_turned = _alike(pixels, before), _alike(turned, before)
        if alike_turned > max(_ALIKE, alike + _SURER):
            return turned
        return pixels if alike >= _UNLIKE else None
    found = None
    most = _ALIKE
    for turn in range(4):
        candidate = np.asarray(cv2.rotate(pixels, _TURNS[turn]) if turn else pixels, np.uint8)
        stretched = candidate.shape[1] * tall / (candidate.shape[0] * wide)
        if not 1 / _MOST_STRETCHED <= stretched <= _MOST_STRETCHED:
            continue
        if (alike := _alike(candidate, before)) > most:
            found, most = candidate, alike
    return (
        None if found is None else np.asarray(cv2.resize(found, (wide, tall), interpolation=cv2.INTER_AREA), np.uint8)
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Turned:
    """How pictures of a ``shape`` lie in those before: a homography, and the pixels of those before that they show."""

    shape: tuple[int, ...]
    onto: Doubles
    shows: Flags


class View:
    """The view in which cards were laid, and each further picture as it looks in that.

    Args:
        still: a picture of it, (height, width, 3) BGR, best without hands.

    ``shows`` tells which pixels (height, width) of the view the last picture shows, None: all; what the others hold is
    as it was.
    """

    def __init__(self, still: Pixels) -> None:
        self._still = self._before = still
        self._turned: _Turned | None = None
        self._being_turned: _Turned | None = None
        self._looked_at = -_AGAIN
        self.shows: Flags | None = None

    def keep(self, still: Pixels) -> None:
        """Takes a newer picture in the view, without hands."""
        self._still = still

    def see(self, pixels: Pixels) -> Pixels | None:
        """A picture, (height, width, 3) BGR, in the view; None where it does not fit, or while the phone is turned.

        One of the same size that merely shows much that is new stays as it is.
        """
        found = self._in_view(pixels)
        if found is not None:
            self._before = found
        return found

    def _in_view(self, pixels: Pixels) -> Pixels | None:
        if (found := self._turned_as_known(pixels)) is not None:
            return found
        for before in (self._still, self._before):  # a hand in the last one may have made it look turned
            if (found := as_before(pixels, before)) is not None:
                self._turned = self._being_turned = self.shows = None
                return found
        if self._being_turned or time.monotonic() - self._looked_at >= _AGAIN:
            self._looked_at = time.monotonic()
            if (turned := self._look(pixels)) is not None:
                self._turned, self.shows = turned, turned.shows
                return self._laid(pixels, turned)
        if pixels.shape == self._still.shape and self._being_turned is None:
            self._turned = self.shows = None
            return pixels
        return None

    def _turned_as_known(self, pixels: Pixels) -> Pixels | None:
        """A picture of a phone that is turned as it was in the last one; None where it is not, or fits unturned."""
        known = self._turned
        if known is None or known.shape != pixels.shape:
            return None
        found = self._laid(pixels, known)
        alike = _alike(found, self._before, known.shows)
        if alike < _UNLIKE or (pixels.shape == self._still.shape and _alike(pixels, self._before) > alike):
            return None
        return found

    def _look(self, pixels: Pixels) -> _Turned | None:
        """How a picture lies in the view, by what both show; None also where it lies otherwise than the one before,
        since the phone is still being turned."""
        onto, before = plane_between(pixels, self._still), self._being_turned
        self._being_turned = None
        if onto is None:
            return None
        height, width = self._still.shape[:2]
        shows = cv2.warpPerspective(np.ones(pixels.shape[:2], np.uint8), onto, (width, height)) > 0
        found = _Turned(pixels.shape, onto, shows)
        if _alike(self._laid(pixels, found), self._still, shows) < _ALIKE:
            return None
        if before is not None and before.shape == pixels.shape and _apart(before, found) <= _STEADY * width:
            return found
        self._being_turned = found
        return None

    def _laid(self, pixels: Pixels, turned: _Turned) -> Pixels:
        """A picture laid over the last still of the view."""
        height, width = self._still.shape[:2]
        laid = cv2.warpPerspective(pixels, turned.onto, (width, height), flags=cv2.INTER_LINEAR)
        return np.where(turned.shows[..., None], laid, self._still).astype(np.uint8)


def _apart(one: _Turned, other: _Turned) -> float:
    """How far apart, in pixels of the view, two pictures of one shape put the middles of their sides at most."""
    height, width = one.shape[:2]
    middles = floats([[width / 2, 0], [width, height / 2], [width / 2, height], [0, height / 2]])[None]
    a, b = (cv2.perspectiveTransform(middles, turned.onto)[0] for turned in (one, other))
    return float(np.linalg.norm(a - b, axis=1).max())


def _alike(one: Pixels, other: Pixels, where: Flags | None = None) -> float:
    """The correlation, -1 to 1, of two pictures of one view, or of the part ``where`` that is told by its pixels."""
    shown = None if where is None else cv2.resize(where.astype(np.uint8), _SMALL, interpolation=cv2.INTER_NEAREST) > 0
    a, b = (_centred(pixels, shown) for pixels in (one, other))
    return float((a * b).sum())


def _centred(pixels: Pixels, where: Flags | None) -> Floats:
    grey = cv2.cvtColor(cv2.resize(pixels, _SMALL, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    values = floats(grey if where is None else grey[where])
    values = values - values.mean() if values.size else values
    return floats(values / max(float(np.linalg.norm(values)), 1e-6))
