"""Views of an index and its surroundings."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.rescore.synthetic import HEIGHT, WIDTH
from vision.arrays import floats
from vision.crops.index_view import IndexView
from vision.crops.pyramid import as_input, pyramid
from vision.geometry import BOX_SHARE, UNIT
from vision.rescore import corner_side, crop_verifier
from vision.values import Pixels

QUAD = UNIT * floats([WIDTH, HEIGHT])
SQUARE = 0.2
"""Card widths: size of the square drawn where the index is."""


def picture_of(middle: tuple[float, float], width: int = 640, height: int = 400) -> Pixels:
    """A red square around ``middle`` on white."""
    pixels = np.full((height, width, 3), 255, np.uint8)
    x, y = (round(value) for value in middle)
    half = round(WIDTH * SQUARE / 2)
    cv2.rectangle(pixels, (x - half, y - half), (x + half, y + half), (0, 0, 255), -1)
    return pixels


@pytest.mark.parametrize("view", [crop_verifier.VIEW, corner_side.VIEW])
@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("turned", [0, 1, 2])
def test_the_index_is_at_its_position_in_the_view_however_the_card_lies(
    view: IndexView, right: bool, turned: int
) -> None:
    angle = turned * np.pi / 3
    cos, sin = np.cos(angle), np.sin(angle)
    quad = floats((QUAD - QUAD.mean(0)) @ floats([[cos, sin], [-sin, cos]]) + (320, 200))
    across = 1 - BOX_SHARE[0] / 2 if right else BOX_SHARE[0] / 2
    middle = quad[0] + (quad[1] - quad[0]) * across + (quad[3] - quad[0]) * BOX_SHARE[1] / 2
    levels = pyramid(picture_of((float(middle[0]), float(middle[1]))))
    (shown,) = view.crop(levels, quad[None], np.array([right]))
    assert shown.shape == (view.size, view.size, 3)
    red = shown[..., 0] < 64
    wide = view.size / (2 * view.across)
    assert np.argwhere(red).mean(0) == pytest.approx([view.above * wide - 0.5, view.size / 2 - 0.5], abs=2)
    # as wide as it is tall
    if not turned:
        assert red.any(0).sum() == pytest.approx(SQUARE * wide, abs=3)
        assert red.any(1).sum() == pytest.approx(SQUARE * wide, abs=3)


def test_network_input_is_rgb_from_0_to_1() -> None:
    views = [np.full((4, 4, 3), (0, 51, 255), np.uint8)] * 2
    given = as_input(views)
    assert given.shape == (2, 3, 4, 4) and given.dtype == np.float32 and given.flags.c_contiguous
    assert given[1].mean((1, 2)) == pytest.approx([1, 0.2, 0])
