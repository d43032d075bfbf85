"""Quadrilaterals in a photo that may be cards, by their paper standing out from what surrounds it.

The photo is cut at many levels of lightness and of two colours (L*a*b*), from both sides, as maximally stable regions
are found (Matas and others, *Robust wide baseline stereo from maximally stable extremal regions*, 2002), and searched
for closed edges. A contour with four straight sides is a candidate, whatever is printed inside.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, floats
from vision.values import Pixels

LEVELS = {0: 26, 1: 14, 2: 14}
"""Number of levels at which each channel of L*a*b* is cut."""
EDGE_THRESHOLDS = (160, 80, 40, 20)
"""Upper thresholds of the edge detector; the lower one is half (Canny, 1986)."""
AREA = (0.0015, 0.6)
"""Least and greatest share of the photo that a candidate covers."""
ASPECT = 3.2
"""Greatest ratio of a candidate's longer side to its shorter one."""
FILL = (0.93, 1.03)
"""Area of a contour as a share of its fitted quadrilateral's; rounded corners take up to a twentieth."""
CORNER = 0.12
"""Share of a side at each end that is left out when its line is fitted, since corners are rounded."""
STRAIGHT = 0.018
"""Greatest mean distance of a contour from its fitted side, as a share of the shorter side."""


def candidate_quads(small: Pixels) -> Floats:
    """Candidates (n, 4, 2) in pixels of ``small`` (height, width, 3) BGR, clockwise from any of their corners."""
    quads = [quad for contour in _contours(small) if (quad := fitted_quad(contour)) is not None]
    return floats(quads).reshape(-1, 4, 2)


def _contours(small: Pixels) -> Iterator[NDArray[np.int32]]:
    """Outer and inner contours of all cuts of the photo, of a possible size."""
    smooth = cv2.GaussianBlur(small, (0, 0), 1.2)
    lab = cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB)
    photo_area = small.shape[0] * small.shape[1]
    for channel, count in LEVELS.items():
        values = np.ascontiguousarray(lab[..., channel])
        low, high = np.percentile(values[::4, ::4], (0.5, 99.5))
        for level in np.unique(np.round(np.linspace(low, high, count + 2)[1:-1])):
            yield from _of_a_size(np.asarray(values > level, np.uint8), photo_area)
    for threshold in EDGE_THRESHOLDS:
        edges = np.max([cv2.Canny(lab[..., c], threshold / 2, threshold) for c in range(3)], axis=0)
        closed = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        yield from _of_a_size(np.asarray(closed, np.uint8), photo_area)


def _of_a_size(mask: NDArray[np.uint8], photo_area: int) -> Iterator[NDArray[np.int32]]:
    for contour in cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)[0]:
        if len(contour) > 60 and AREA[0] * photo_area < cv2.contourArea(contour) < AREA[1] * photo_area:
            yield np.asarray(contour[:, 0], np.int32)


def fitted_quad(contour: NDArray[np.int32]) -> Floats | None:
    """The quadrilateral (4, 2), clockwise, whose sides the ``contour`` (n, 2) follows; None where there is none."""
    hull = np.asarray(cv2.convexHull(contour)[:, 0], np.int32)
    if cv2.contourArea(contour) < 0.9 * cv2.contourArea(hull):
        return None
    rough = _four_corners(hull)
    if rough is None:
        return None
    lines, shorter = [], min(np.hypot(*(rough[n] - rough[n - 1])) for n in range(4))
    for n in range(4):
        start, along = rough[n], rough[(n + 1) % 4] - rough[n]
        length = float(np.hypot(*along))
        if length < 8:
            return None
        offset = contour - start
        position = offset @ along / length**2
        away = np.abs(offset[:, 0] * along[1] - offset[:, 1] * along[0]) / length
        own = contour[(position > CORNER) & (position < 1 - CORNER) & (away < 0.06 * shorter + 1.5)]
        if len(own) < 0.6 * (1 - 2 * CORNER) * length * 0.7:
            return None
        vx, vy, x, y = cv2.fitLine(own.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        miss = np.abs((own[:, 0] - x) * vy - (own[:, 1] - y) * vx)
        if float(miss.mean()) > STRAIGHT * shorter + 0.5:
            return None
        lines.append(np.array([vy, -vx, vx * y - vy * x]))
    meetings = [np.cross(lines[n - 1], lines[n]) for n in range(4)]
    if min(abs(meeting[2]) for meeting in meetings) < 1e-6:
        return None
    quad = floats([meeting[:2] / meeting[2] for meeting in meetings])
    area = cv2.contourArea(quad)
    if not FILL[0] * area < cv2.contourArea(contour) < FILL[1] * area or not cv2.isContourConvex(quad):
        return None
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    longer, shorter = max(sides[0] + sides[2], sides[1] + sides[3]), min(sides[0] + sides[2], sides[1] + sides[3])
    if longer > ASPECT * shorter:
        return None
    return clockwise(quad)


def _four_corners(hull: NDArray[np.int32]) -> Floats | None:
    """The hull (n, 2) simplified to four corners, (4, 2)."""
    length = cv2.arcLength(hull, True)
    for share in (0.02, 0.03, 0.045, 0.06, 0.08):
        corners = cv2.approxPolyDP(hull, share * length, True)
        if len(corners) == 4:
            return floats(corners[:, 0])
        if len(corners) < 4:
            break
    rectangle = cv2.boxPoints(cv2.minAreaRect(hull))
    if cv2.contourArea(hull) > 0.9 * cv2.contourArea(rectangle):
        return floats(rectangle)
    return None


def clockwise(quad: Floats) -> Floats:
    """The corners (4, 2) in clockwise order as the picture is seen (y points down)."""
    x, y = quad.T
    twice_area = float((np.roll(y, -1) * x - np.roll(x, -1) * y).sum())
    return quad if twice_area > 0 else floats(quad[::-1])
