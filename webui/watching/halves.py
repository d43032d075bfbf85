"""Whose part of the picture is where, as polygons for the table's memory.

Where the printed marks show, the straightened table between them is divided, else the picture. Along the line between
the sides a band belongs to nobody: there people lay the draw and discard piles.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Doubles
from vision.live.table_markers import find_plane
from vision.memory.zones import Zone
from vision.values import Pixels
from webui.reading.zones import Box, Zones

BAND = 0.14
"""Width of the band between the sides, as a share of the table's."""
_WHOLE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def sides_parts(half: str | None, pixels: Pixels, strip: bool, factor: float = 1.0) -> tuple[Zone, ...]:
    """The part of the first side and that of the second, in pixels; none while nobody has said whose half is which.

    Args:
        half: the half of the first side, a key of ``HALVES``.
        pixels: the picture, (height, width, 3) BGR.
        strip: whether the lowest fifth of the marked table is for left-over cards, which are not remembered.
        factor: how much larger the picture is in which the parts are meant.
    """
    if half is None:
        return ()
    plane = find_plane(pixels)
    height, width = pixels.shape[:2]
    is_marked = plane is not None and plane.frames_a_table
    outline = plane.outline() if plane is not None and is_marked else _WHOLE * (width, height)
    zones = Zones(half, strip and is_marked)
    boxes = (_without_band(zones.box(side, left=False), half, side) for side in (0, 1))
    return tuple(_polygon(box, outline * factor) for box in boxes)


def _without_band(box: Box, half: str, side: int) -> Box:
    left, top, right, bottom = box
    is_first = (half in ("left", "top")) == (side == 0)
    if half in ("left", "right"):
        return (left, top, right - BAND / 2, bottom) if is_first else (left + BAND / 2, top, right, bottom)
    return (left, top, right, bottom - BAND / 2) if is_first else (left, top + BAND / 2, right, bottom)


def _polygon(box: Box, outline: Doubles) -> Zone:
    left, top, right, bottom = box
    onto = cv2.getPerspectiveTransform(_WHOLE.astype(np.float32), np.asarray(outline, np.float32))
    corners = np.array([[[left, top], [right, top], [right, bottom], [left, bottom]]])
    found: list[list[float]] = cv2.perspectiveTransform(corners, onto)[0].round(1).tolist()
    return found
