"""Finds how one picture of a table lies in another that was taken from elsewhere, by what both show."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Doubles, Floats, doubles, floats
from vision.values import Pixels

_SIDE = 960
"""The longer side at which pictures are compared."""
_MOST_FEATURES = 2500
_CLEARLY = 0.75
"""A feature belongs to one whose distance is below this share of the distance to the next best."""
_LEAST, _LEAST_SHARE = 24, 0.25
"""Pairs that must agree, and their least share of all pairs."""
_PRECISION = 3.0
"""Pixels of the compared pictures by which a pair that agrees may miss."""
_MOST_ZOOMED = 2.5
"""Pictures of one camera over one table differ in scale by no more."""


def plane_between(pixels: Pixels, reference: Pixels) -> Doubles | None:
    """The homography, (3, 3), from pixels of one picture to those of another, both (height, width, 3) BGR.

    None where too little of what they show agrees.
    """
    (points, described), (others, known) = _features(pixels), _features(reference)
    if len(points) < _LEAST or len(others) < _LEAST:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(described, known, k=2)
    clear = [one for one, *rest in pairs if rest and one.distance < _CLEARLY * rest[0].distance]
    if len(clear) < _LEAST:
        return None
    here = floats([points[pair.queryIdx] for pair in clear])
    there = floats([others[pair.trainIdx] for pair in clear])
    precision = _PRECISION * max(reference.shape[:2]) / _SIDE
    found, agree = cv2.findHomography(here, there, cv2.USAC_MAGSAC, precision, maxIters=5000, confidence=0.999)
    if found is None or agree.sum() < max(_LEAST, _LEAST_SHARE * len(clear)):
        return None
    return doubles(found) if _is_likely(doubles(found), pixels.shape) else None


def _features(pixels: Pixels) -> tuple[Floats, Floats]:
    """Places (n, 2) in pixels of the picture and their descriptions (n, 128)."""
    scale = min(1.0, _SIDE / max(pixels.shape[:2]))
    grey = cv2.cvtColor(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    points, described = cv2.SIFT.create(_MOST_FEATURES).detectAndCompute(grey, np.ones_like(grey))
    if described is None:
        return floats(np.zeros((0, 2))), floats(np.zeros((0, 128)))
    return floats([point.pt for point in points]) / scale, floats(described)


def _is_likely(onto: Doubles, shape: tuple[int, ...]) -> bool:
    """Whether a camera that is turned or moved makes that of a picture: nothing folded, mirrored, or far away."""
    height, width = shape[:2]
    corners = doubles([[0, 0], [width, 0], [width, height], [0, height]])
    moved = cv2.perspectiveTransform(corners[None], onto)[0]
    zoomed = np.sqrt(cv2.contourArea(floats(moved), oriented=True) / (height * width))
    return bool(cv2.isContourConvex(floats(moved)) and 1 / _MOST_ZOOMED <= zoomed <= _MOST_ZOOMED)
