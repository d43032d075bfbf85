"""How sharp a picture is."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np

from vision.arrays import Floats
from vision.values import Pixels

_FINE_WIDTH = 640
"""Pixels across the copies that sharpness is measured on."""


def sharpness(pixels: Pixels) -> float:
    """How fine the finest edges are, against edges twice as wide: about 1 where sharp, under 0.5 where blurred."""
    return _finer(_bands(pixels))


def _bands(pixels: Pixels) -> list[Floats]:
    """How strong the finest edges are everywhere, and those twice as wide, (height, width) each."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    steps = [cv2.GaussianBlur(grey.astype(np.float32), (0, 0), sigma) for sigma in (0.8, 1.6, 3.2)]
    return [np.asarray(np.abs(a - b), np.float32) for a, b in pairwise(steps)]


def _finer(bands: list[Floats]) -> float:
    fine, coarse = (float(np.percentile(band, 99.7)) for band in bands)
    return fine / max(coarse, 1.0)


def _whole(pixels: Pixels) -> list[Floats]:
    """The edges of a picture of any size, looked at so small that its size does not matter."""
    shrink = _FINE_WIDTH / max(pixels.shape[1], _FINE_WIDTH)
    return _bands(np.asarray(cv2.resize(pixels, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8))


def fineness(pixels: Pixels) -> float:
    """The ``sharpness`` of a whole picture, whatever its size."""
    return _finer(_whole(pixels))
