"""Measures how sharp a picture is, by the strength of its finest edges against edges twice as wide."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np

from vision.arrays import Floats
from vision.values import Pixels

_WIDTH = 640
"""Pictures are shrunk to this width before they are compared, so that their size does not matter."""
_SIGMAS = (0.8, 1.6, 3.2)
"""Blurs in pixels whose differences are the bands."""


def sharpness(pixels: Pixels) -> float:
    """Sharpness of a picture (height, width, 3) BGR at its own scale: about 1 where sharp, below 0.5 where blurred."""
    return band_ratio(_bands(pixels))


def scaled_sharpness(pixels: Pixels) -> float:
    """The ``sharpness`` of a picture at a fixed width, for comparing pictures of different sizes."""
    return band_ratio(scaled_bands(pixels))


def scaled_bands(pixels: Pixels) -> list[Floats]:
    """Strength of the finest edges, and of those twice as wide, at every pixel of the picture at a fixed width."""
    shrink = _WIDTH / max(pixels.shape[1], _WIDTH)
    return _bands(np.asarray(cv2.resize(pixels, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8))


def band_ratio(bands: list[Floats]) -> float:
    """Strength of the strongest fine edges, as a share of that of the strongest coarse ones."""
    fine, coarse = (float(np.percentile(band, 99.7)) for band in bands)
    return fine / max(coarse, 1.0)


def _bands(pixels: Pixels) -> list[Floats]:
    """Two band-pass pictures (height, width), differences of Gaussians."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    steps = [cv2.GaussianBlur(grey.astype(np.float32), (0, 0), sigma) for sigma in _SIGMAS]
    return [np.asarray(np.abs(a - b), np.float32) for a, b in pairwise(steps)]
