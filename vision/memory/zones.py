"""Whose part of the table a card lies in: polygons in pixels of the picture, one or more a side."""

from __future__ import annotations

from collections.abc import Sequence

import cv2

from vision.arrays import Floats, floats

Zone = Sequence[Sequence[float]]
"""A polygon, ``[[x, y], …]``, in pixels."""


def zone_of(outline: Floats, zones: Sequence[Zone]) -> int | None:
    """The number of the zone in which the centre of an outline (4, 2) lies; None if it lies in none."""
    x, y = (float(value) for value in outline.mean(0))
    for number, zone in enumerate(zones):
        if cv2.pointPolygonTest(floats(zone), (x, y), False) >= 0:
            return number
    return None
