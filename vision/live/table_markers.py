"""Printed marks at the corners of the table: where the table's plane lies, how large things on it are, what is covered.

Four square ArUco marks of known size lie anywhere on the table, best at its corners. Where they lie is not known; that
each is a square of MARKER_MM and all lie in one plane is enough to tell the plane and the scale.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Doubles, floats
from vision.values import Pixels

MARKER_IDS = (0, 1, 2, 3)
MARKER_MM = 60.0
DICTIONARY = cv2.aruco.DICT_4X4_50
MARGIN_MM = 20.0
"""What is kept round the marks: their white borders, and cards that lie between two of them."""
LEAST_AREA_MM = 450.0
"""Marks closer together than this, from corner to corner, are a sheet that nobody has cut, and frame no table."""
_MOST_AREA_MM, _MOST_ERROR = 5000.0, 3.0
"""Larger tables, and marks further off than so many pixels, are mistakes."""
_LONGEST_SIDE = 2560
_ROUNDS = 30
_SQUARE: Doubles = np.array([[0.0, 0.0], [MARKER_MM, 0.0], [MARKER_MM, MARKER_MM], [0.0, MARKER_MM]])


@dataclass(frozen=True, slots=True, eq=False)
class TablePlane:
    """The table as the marks tell it.

    ``onto`` (3, 3) takes millimetres on the table to pixels of the picture; ``corners`` (4, 2) are the corners of the
    rectangle round all marks, in millimetres, in the order of the picture's own corners; ``mm_per_pixel`` is at its
    middle; ``error`` the mean distance in pixels between marks found and marks expected.
    """

    onto: Doubles
    corners: Doubles
    mm_per_pixel: float
    error: float

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the rectangle, in millimetres."""
        a, b, c, _ = self.corners
        return float(np.hypot(*(b - a))), float(np.hypot(*(c - b)))

    @property
    def frames_a_table(self) -> bool:
        """Whether the marks lie flat, and round a table rather than side by side."""
        return self.lies_flat and LEAST_AREA_MM <= float(np.hypot(*self.size)) <= _MOST_AREA_MM

    @property
    def lies_flat(self) -> bool:
        return self.error <= _MOST_ERROR

    def outline(self) -> Doubles:
        """The rectangle's corners in the picture, (4, 2) pixels."""
        return np.asarray(cv2.perspectiveTransform(self.corners[None], self.onto)[0], np.float64)


def find_markers(pixels: Pixels) -> dict[int, Doubles]:
    """The marks in a picture: for each its corners (4, 2) in pixels, from its top left clockwise."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), settings)
    corners, ids, _ = detector.detectMarkers(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY))
    if ids is None:
        return {}
    found = zip(np.asarray(ids).ravel(), corners, strict=True)
    return {int(mark): np.asarray(quad, np.float64).reshape(4, 2) for mark, quad in found if int(mark) in MARKER_IDS}


def find_plane(pixels: Pixels) -> TablePlane | None:
    """The table's plane in a picture (height, width, 3) BGR; None where fewer than all four marks can be seen."""
    marks = find_markers(pixels)
    if len(marks) < len(MARKER_IDS):
        return None
    try:
        return fit_plane(np.stack([marks[mark] for mark in MARKER_IDS]))
    except np.linalg.LinAlgError:  # marks that cannot lie on one table
        return None


def fit_plane(seen: Doubles) -> TablePlane:
    """The plane in which squares of MARKER_MM best look like ``seen`` (4, 4, 2), the marks' corners in pixels.

    Unknown are the plane (8 numbers) and where the other marks lie beside the first (place and turn of each); the
    squared distances in pixels are made least by Gauss and Newton's method, damped as Levenberg and Marquardt do.
    """
    onto = np.asarray(cv2.getPerspectiveTransform(floats(_SQUARE), floats(seen[0])), np.float64)
    onto /= onto[2, 2]
    places = []
    for mark in seen[1:]:  # as the first mark alone would have it
        flat = cv2.perspectiveTransform(mark[None], np.linalg.inv(onto))[0]
        along = flat[1] - flat[0]
        places.append([*(flat.mean(0)), float(np.arctan2(along[1], along[0]))])
    guess = np.concatenate([onto.ravel()[:8], np.ravel(places)])
    scale = np.maximum(np.abs(guess), [1, 1, 100, 1, 1, 100, 1e-3, 1e-3, *([100, 100, 1] * 3)]) * 1e-6
    damping, off = 1e-3, _off(guess, seen)
    for _ in range(_ROUNDS):
        slopes = np.stack([(_off(guess + step, seen) - off) / step.sum() for step in np.diag(scale)], 1)
        square, down = slopes.T @ slopes, slopes.T @ off
        step = np.linalg.solve(square + damping * np.diag(np.diag(square)), -down)
        nearer = _off(guess + step, seen)
        if (nearer**2).sum() < (off**2).sum():
            guess, off, damping = guess + step, nearer, damping / 5
            if np.abs(step / scale).max() < 1:
                break
        else:
            damping *= 5
    onto, flat = _plane(guess), _squares(guess)
    corners = _rectangle(flat, onto)
    middle = corners.mean(0)
    cross = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
    ends = cv2.perspectiveTransform((middle + cross)[None], onto)[0]
    per_mm = float(np.sqrt(np.hypot(*(ends[1] - ends[0])) * np.hypot(*(ends[3] - ends[2]))))
    return TablePlane(onto, corners, 1 / per_mm, float(np.hypot(*off.reshape(-1, 2).T).mean()))


def straighten(pixels: Pixels, plane: TablePlane) -> Pixels:
    """The rectangle round the marks seen from straight above, no finer than the picture shows it anywhere."""
    outline, (width, height) = plane.outline(), plane.size
    sides = np.hypot(*(np.roll(outline, -1, 0) - outline).T)
    per_mm = max(sides[0] / width, sides[2] / width, sides[1] / height, sides[3] / height)
    per_mm = min(per_mm, _LONGEST_SIDE / max(width, height))
    size = round(width * per_mm), round(height * per_mm)
    target = floats([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]])
    turn = cv2.getPerspectiveTransform(floats(outline), target)
    return np.asarray(cv2.warpPerspective(pixels, turn, size, flags=cv2.INTER_CUBIC), np.uint8)


def _plane(guess: Doubles) -> Doubles:
    return np.append(guess[:8], 1.0).reshape(3, 3)


def _squares(guess: Doubles) -> Doubles:
    """The marks' corners on the table, (4, 4, 2) millimetres."""
    squares = [_SQUARE]
    for x, y, turn in guess[8:].reshape(3, 3):
        cos, sin = np.cos(turn), np.sin(turn)
        squares.append((_SQUARE - MARKER_MM / 2) @ np.array([[cos, sin], [-sin, cos]]) + (x, y))
    return np.stack(squares)


def _off(guess: Doubles, seen: Doubles) -> Doubles:
    expected = cv2.perspectiveTransform(_squares(guess).reshape(1, -1, 2), _plane(guess))
    return np.asarray((expected.reshape(-1, 2) - seen.reshape(-1, 2)).ravel(), np.float64)


def _rectangle(flat: Doubles, onto: Doubles) -> Doubles:
    """The smallest rectangle round all marks, with a margin; its corners from the picture's top left, clockwise."""
    middle, (across, down), turn = cv2.minAreaRect(floats(flat.reshape(-1, 2)))
    grown = (across + 2 * MARGIN_MM, down + 2 * MARGIN_MM)
    box = np.asarray(cv2.boxPoints((middle, grown, turn)), np.float64)
    shown = cv2.perspectiveTransform(box[None], onto)[0]
    angles = np.arctan2(*(shown - shown.mean(0)).T[::-1])
    order = np.argsort(angles)  # with y downwards this goes clockwise
    ordered = box[order]
    first = int(np.argmin(shown[order].sum(1)))
    return np.roll(ordered, -first, axis=0)
