"""Pictures of a phone that was turned, or that gives another size now, as they were before: places on the table stay.

A phone that looks straight down may take itself for upright or lying at any moment; its browser then turns the picture.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats, floats
from vision.values import Pixels

_TURNS = {1: cv2.ROTATE_90_CLOCKWISE, 2: cv2.ROTATE_180, 3: cv2.ROTATE_90_COUNTERCLOCKWISE}
_SMALL = (64, 36)
_ALIKE, _UNLIKE = 0.6, 0.3
"""Correlations of small pictures above which they show one table, and below which they do not."""
_MOST_STRETCHED = 1.02


def as_before(pixels: Pixels, before: Pixels) -> Pixels | None:
    """A picture, (height, width, 3) BGR, turned and sized as the one before; None where it is none of the same view.

    A picture of that size which merely shows much that is new stays as it is.
    """
    (height, width), (tall, wide) = pixels.shape[:2], before.shape[:2]
    reference = _features(before)
    if (width, height) == (wide, tall):
        if _alike(pixels, reference) >= _UNLIKE:
            return pixels
        turned = cv2.rotate(pixels, cv2.ROTATE_180)
        return np.asarray(turned, np.uint8) if _alike(np.asarray(turned, np.uint8), reference) > _ALIKE else pixels
    found = None
    most = _ALIKE
    for turn in range(4):
        candidate = np.asarray(cv2.rotate(pixels, _TURNS[turn]) if turn else pixels, np.uint8)
        stretched = candidate.shape[1] * tall / (candidate.shape[0] * wide)
        if not 1 / _MOST_STRETCHED <= stretched <= _MOST_STRETCHED:
            continue
        if (alike := _alike(candidate, reference)) > most:
            found, most = candidate, alike
    return (
        None if found is None else np.asarray(cv2.resize(found, (wide, tall), interpolation=cv2.INTER_AREA), np.uint8)
    )


def _features(pixels: Pixels) -> Floats:
    grey = cv2.cvtColor(cv2.resize(pixels, _SMALL, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    centred = floats(grey) - float(grey.mean())
    return floats(centred / max(float(np.linalg.norm(centred)), 1e-6))


def _alike(pixels: Pixels, reference: Floats) -> float:
    """The correlation with another picture, -1 to 1."""
    return float((_features(pixels) * reference).sum())
