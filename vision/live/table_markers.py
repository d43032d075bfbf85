"""Finds the plane of the table from four printed markers at its corners, and straightens pictures by it.

The markers are square ArUco markers of known size. Where they lie is not known; that each is a square of ``MARKER_MM``
and all lie in one plane is enough for the plane and its scale.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Doubles, floats
from vision.values import Pixels

MARKER_IDS = (0, 1, 2, 3)
MARKER_MM = 60.0
"""Side of a marker."""
DICTIONARY = cv2.aruco.DICT_4X4_50
MARGIN_MM = 20.0
"""Margin around the markers that is kept: their white borders, and cards that lie between two of them."""
MIN_DIAGONAL_MM = 450.0
"""Markers whose rectangle has a shorter diagonal are on an uncut sheet and do not frame a table."""
_MAX_DIAGONAL_MM, _MAX_ERROR = 5000.0, 3.0
"""A longer diagonal, or a larger reprojection error in pixels, is a mistake."""
_LONGEST_SIDE = 2560
"""Longer side of a straightened picture, in pixels, at most."""
_ITERATIONS = 30
_SQUARE: Doubles = np.array([[0.0, 0.0], [MARKER_MM, 0.0], [MARKER_MM, MARKER_MM], [0.0, MARKER_MM]])


@dataclass(frozen=True, slots=True, eq=False)
class TablePlane:
    """The plane of the table in a picture.

    ``onto`` (3, 3) is the homography from millimetres on the table to pixels; ``corners`` (4, 2) the rectangle around
    all markers in millimetres, its corners in the order of the picture's own; ``mm_per_pixel`` the scale at its centre;
    ``error`` the mean reprojection error of the markers' corners in pixels.
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
        """Whether the markers lie flat and as far apart as the corners of a table."""
        return self.lies_flat and MIN_DIAGONAL_MM <= float(np.hypot(*self.size)) <= _MAX_DIAGONAL_MM

    @property
    def lies_flat(self) -> bool:
        """Whether all markers lie in one plane."""
        return self.error <= _MAX_ERROR

    def outline(self) -> Doubles:
        """Corners of the rectangle in the picture, (4, 2) pixels."""
        return np.asarray(cv2.perspectiveTransform(self.corners[None], self.onto)[0], np.float64)


def find_markers(pixels: Pixels) -> dict[int, Doubles]:
    """Detects the markers: the corners (4, 2) in pixels by marker, from its top left clockwise."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), settings)
    corners, ids, _ = detector.detectMarkers(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY))
    if ids is None:
        return {}
    found = zip(np.asarray(ids).ravel(), corners, strict=True)
    return {int(marker): np.asarray(quad, np.float64).reshape(4, 2) for marker, quad in found if marker in MARKER_IDS}


def find_plane(pixels: Pixels) -> TablePlane | None:
    """The plane of the table in a picture (height, width, 3) BGR; None where not all four markers are visible."""
    markers = find_markers(pixels)
    if len(markers) < len(MARKER_IDS):
        return None
    try:
        return fit_plane(np.stack([markers[marker] for marker in MARKER_IDS]))
    except np.linalg.LinAlgError:  # markers that cannot lie on one table
        return None


def fit_plane(seen: Doubles) -> TablePlane:
    """Fits the plane to the markers' corners ``seen`` (4, 4, 2) in pixels.

    The unknowns are the homography (8 numbers) and position and turn of the other three markers relative to the first.
    The squared reprojection error is minimised by Gauss-Newton steps with Levenberg-Marquardt damping.
    """
    onto = np.asarray(cv2.getPerspectiveTransform(floats(_SQUARE), floats(seen[0])), np.float64)
    onto /= onto[2, 2]
    poses = []
    for marker in seen[1:]:  # starting values from the first marker's homography alone
        flat = cv2.perspectiveTransform(marker[None], np.linalg.inv(onto))[0]
        top = flat[1] - flat[0]
        poses.append([*(flat.mean(0)), float(np.arctan2(top[1], top[0]))])
    guess = np.concatenate([onto.ravel()[:8], np.ravel(poses)])
    scale = np.maximum(np.abs(guess), [1, 1, 100, 1, 1, 100, 1e-3, 1e-3, *([100, 100, 1] * 3)]) * 1e-6
    damping, residuals = 1e-3, _residuals(guess, seen)
    for _ in range(_ITERATIONS):
        jacobian = np.stack([(_residuals(guess + step, seen) - residuals) / step.sum() for step in np.diag(scale)], 1)
        hessian, gradient = jacobian.T @ jacobian, jacobian.T @ residuals
        step = np.linalg.solve(hessian + damping * np.diag(np.diag(hessian)), -gradient)
        new_residuals = _residuals(guess + step, seen)
        if (new_residuals**2).sum() < (residuals**2).sum():
            guess, residuals, damping = guess + step, new_residuals, damping / 5
            if np.abs(step / scale).max() < 1:
                break
        else:
            damping *= 5
    onto, flat = _homography(guess), _squares(guess)
    corners = _rectangle(flat, onto)
    centre = corners.mean(0)
    unit_steps = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
    ends = cv2.perspectiveTransform((centre + unit_steps)[None], onto)[0]
    pixels_per_mm = float(np.sqrt(np.hypot(*(ends[1] - ends[0])) * np.hypot(*(ends[3] - ends[2]))))
    return TablePlane(onto, corners, 1 / pixels_per_mm, float(np.hypot(*residuals.reshape(-1, 2).T).mean()))


def straighten(pixels: Pixels, plane: TablePlane) -> Pixels:
    """The rectangle around the markers seen from straight above, at the finest resolution the picture has of it."""
    outline, (width, height) = plane.outline(), plane.size
    sides = np.hypot(*(np.roll(outline, -1, 0) - outline).T)
    pixels_per_mm = max(sides[0] / width, sides[2] / width, sides[1] / height, sides[3] / height)
    pixels_per_mm = min(pixels_per_mm, _LONGEST_SIDE / max(width, height))
    size = round(width * pixels_per_mm), round(height * pixels_per_mm)
    target = floats([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]])
    matrix = cv2.getPerspectiveTransform(floats(outline), target)
    return np.asarray(cv2.warpPerspective(pixels, matrix, size, flags=cv2.INTER_CUBIC), np.uint8)


def _homography(guess: Doubles) -> Doubles:
    return np.append(guess[:8], 1.0).reshape(3, 3)


def _squares(guess: Doubles) -> Doubles:
    """Corners of all markers on the table, (4, 4, 2) millimetres."""
    squares = [_SQUARE]
    for x, y, turn in guess[8:].reshape(3, 3):
        cos, sin = np.cos(turn), np.sin(turn)
        squares.append((_SQUARE - MARKER_MM / 2) @ np.array([[cos, sin], [-sin, cos]]) + (x, y))
    return np.stack(squares)


def _residuals(guess: Doubles, seen: Doubles) -> Doubles:
    """Reprojection errors (32,) of all corners, x and y in pixels."""
    expected = cv2.perspectiveTransform(_squares(guess).reshape(1, -1, 2), _homography(guess))
    return np.asarray((expected.reshape(-1, 2) - seen.reshape(-1, 2)).ravel(), np.float64)


def _rectangle(flat: Doubles, onto: Doubles) -> Doubles:
    """Smallest rectangle around all markers, with a margin, (4, 2) millimetres; clockwise from the corner that is the
    picture's top left."""
    centre, (width, height), turn = cv2.minAreaRect(floats(flat.reshape(-1, 2)))
    with_margin = (width + 2 * MARGIN_MM, height + 2 * MARGIN_MM)
    box = np.asarray(cv2.boxPoints((centre, with_margin, turn)), np.float64)
    shown = cv2.perspectiveTransform(box[None], onto)[0]
    angles = np.arctan2(*(shown - shown.mean(0)).T[::-1])
    order = np.argsort(angles)  # clockwise, as y points down
    ordered = box[order]
    first = int(np.argmin(shown[order].sum(1)))
    return np.roll(ordered, -first, axis=0)
