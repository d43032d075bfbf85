"""Table markers: found on drawn pictures; the straightened table has true proportions at 20 to 45 degrees."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.live.table_markers import DICTIONARY, MARKER_IDS, MARKER_MM, find_markers, find_plane, straighten
from vision.values import Pixels

Doubles = NDArray[np.float64]
SIZE = (1920, 1080)
TABLE = (720.0, 430.0)
"""Millimetres between the outer corners of the markers, across and down."""


def camera(tilt: float, turn: float, lean: float = 0.0) -> Doubles:
    """Homography from mm on the table, 0 at its centre, to pixels of a camera with ``tilt`` and ``lean`` in degrees."""
    focal = 1.1 * SIZE[0]
    pose = cv2.Rodrigues(np.array([np.radians(-tilt), np.radians(lean), 0.0]))[0]
    pose = pose @ cv2.Rodrigues(np.array([0, 0, np.radians(turn)]))[0]
    flat = np.column_stack([pose[:, 0], pose[:, 1], [0, 0, 1250.0]])
    lens = np.array([[focal, 0, SIZE[0] / 2], [0, focal, SIZE[1] / 2], [0, 0, 1]])
    return np.asarray(lens @ flat, np.float64)


def photo(
    view: Doubles, seed: int, markers: tuple[int, ...] = MARKER_IDS, table: tuple[float, float] = TABLE
) -> Pixels:
    """Draws a table with one marker in each corner, slightly turned, with blur and noise."""
    rng = np.random.default_rng(seed)
    picture = np.full((SIZE[1], SIZE[0], 3), (70, 110, 140), np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    quiet = MARKER_MM / 6
    for marker in markers:
        cells = np.pad(cv2.aruco.generateImageMarker(dictionary, marker, 480), 80, constant_values=250)
        x = (-1, 1, 1, -1)[marker] * (table[0] - MARKER_MM) / 2
        y = (-1, -1, 1, 1)[marker] * (table[1] - MARKER_MM) / 2
        angle = rng.normal(0, 0.08) + marker * np.pi / 2
        half = MARKER_MM / 2 + quiet
        cos, sin = np.cos(angle), np.sin(angle)
        corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]]) @ [[cos, sin], [-sin, cos]]
        onto = cv2.perspectiveTransform((corners + np.array([x, y]))[None], view)[0]
        source = np.array([[0, 0], [640, 0], [640, 640], [0, 640]], np.float32) - 0.5
        turn = cv2.getPerspectiveTransform(source, onto.astype(np.float32))
        laid = cv2.warpPerspective(cv2.cvtColor(cells, cv2.COLOR_GRAY2BGR), turn, SIZE, flags=cv2.INTER_AREA)
        cover = cv2.warpPerspective(np.full_like(cells, 255), turn, SIZE)
        picture[cover > 127] = laid[cover > 127]
    picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.9), np.uint8)
    return np.asarray(np.clip(picture + rng.normal(0, 4, picture.shape), 0, 255), np.uint8)


@pytest.mark.parametrize("tilt", [20, 27, 33, 39, 45])
@pytest.mark.parametrize("turn", [0, 14])
def test_straightened_pictures_have_true_proportions_within_one_per_cent(tilt: int, turn: int) -> None:
    view = camera(tilt, turn, lean=turn / 2)
    picture = photo(view, seed=tilt + turn)
    plane = find_plane(picture)
    assert plane is not None and plane.frames_a_table and plane.error < 1.0
    # lengths anywhere on the table, measured through the fitted plane
    back = np.linalg.inv(plane.onto)
    points = np.array([[-320.0, -180], [320, -180], [320, 180], [-320, 180], [0, 0], [0, 150], [-120, 0]])
    seen = cv2.perspectiveTransform(cv2.perspectiveTransform(points[None], view), back)[0]
    for a, b in ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3), (4, 5), (4, 6)):
        true, found = np.hypot(*(points[a] - points[b])), np.hypot(*(seen[a] - seen[b]))
        assert found == pytest.approx(true, rel=0.01), (points[a], points[b])
    straight = straighten(picture, plane)
    width, height = plane.size
    assert straight.shape[1] / straight.shape[0] == pytest.approx(width / height, rel=0.002)
    # the markers themselves are squares of one size again, to within a pixel's worth
    sides = [np.hypot(*(np.roll(quad, -1, 0) - quad).T) for quad in find_markers(straight).values()]
    assert len(sides) == 4
    assert np.mean(sides) * width / straight.shape[1] == pytest.approx(MARKER_MM, rel=0.01)


def test_millimetres_a_pixel_are_those_of_the_middle() -> None:
    view = camera(0, 0)
    plane = find_plane(photo(view, 1))
    assert plane is not None
    ends = cv2.perspectiveTransform(np.array([[[0.0, 0], [100, 0]]]), view)[0]
    assert 100 / np.hypot(*(ends[1] - ends[0])) == pytest.approx(plane.mm_per_pixel, rel=0.01)


def test_fewer_than_four_markers_give_no_plane() -> None:
    assert find_plane(photo(camera(20, 0), 1, markers=(0, 1, 2))) is None
    assert find_plane(np.full((200, 300, 3), 90, np.uint8)) is None


def test_an_uncut_sheet_of_markers_frames_no_table() -> None:
    plane = find_plane(photo(camera(20, 0), 1, table=(160.0, 160.0)))
    assert plane is not None and not plane.frames_a_table
