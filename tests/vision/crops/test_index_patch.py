"""Card corners rectified from the picture, and the geometry of outlines."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import floats
from vision.crops.index_patch import PATCH_HEIGHT, PATCH_SHARE, PATCH_WIDTH, crop_patches
from vision.geometry import (
    UNIT,
    apply_homography,
    corner_region,
    outline_homographies,
    overlap_share,
    plausible,
    position_on_card,
)


def picture(scale: float) -> np.ndarray:
    """A white card of 100 x 140 at (50, 40) times ``scale``: top left corner red, top right blue."""
    across, down = round(100 * PATCH_SHARE[0]), round(140 * PATCH_SHARE[1])
    canvas = np.zeros((round(220 * scale), round(200 * scale), 3), np.uint8)

    def box(x0: int, y0: int, x1: int, y1: int, colour: tuple[int, int, int]) -> None:
        a, b = (round(x0 * scale), round(y0 * scale)), (round(x1 * scale) - 1, round(y1 * scale) - 1)
        cv2.rectangle(canvas, a, b, colour, -1)

    box(50, 40, 150, 180, (255, 255, 255))
    box(50, 40, 50 + across, 40 + down, (0, 0, 255))
    box(150 - across, 40, 150, 40 + down, (255, 0, 0))
    return canvas


@pytest.mark.parametrize("scale", [0.5, 1.0, 6.0])
@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_a_corner_is_rectified_however_the_card_lies(scale: float, turns: int) -> None:
    canvas = picture(scale)
    quad = floats([[50, 40], [150, 40], [150, 180], [50, 180]]) * scale
    for _ in range(turns):
        quad = np.stack([quad[:, 1], canvas.shape[1] - quad[:, 0]], 1)
        canvas = np.ascontiguousarray(np.rot90(canvas))
    (patch,) = crop_patches(canvas, quad[None])
    assert patch.shape == (PATCH_HEIGHT, PATCH_WIDTH, 3)
    inner = patch[4 : round(PATCH_HEIGHT * 0.85), 5:-5].reshape(-1, 3)
    assert np.abs(inner.mean(0) - (0, 0, 255)).max() < 12


def test_a_corner_outside_the_picture_is_cropped_all_the_same() -> None:
    quad = floats([[-500, -500], [-400, -500], [-400, -360], [-500, -360]])
    assert crop_patches(picture(1.0), quad[None]).shape == (1, PATCH_HEIGHT, PATCH_WIDTH, 3)


def test_position_on_a_card() -> None:
    quad = floats([[10, 10], [110, 10], [110, 150], [10, 150]])
    assert position_on_card(quad, floats([60, 80])) == pytest.approx((0.5, 0.5), abs=1e-4)


def test_many_cards_at_once_give_the_same_as_each_alone() -> None:
    rng = np.random.default_rng(4)
    quads = floats(UNIT * floats([100, 140]) + rng.normal(0, 12, (6, 4, 2)) + rng.uniform(0, 400, (6, 1, 2)))
    onto = outline_homographies(quads)
    for one, quad in zip(onto, quads, strict=True):
        assert one == pytest.approx(cv2.getPerspectiveTransform(UNIT, quad), abs=1e-3)
    assert apply_homography(onto, UNIT) == pytest.approx(quads, abs=1e-3)
    points = floats(quads.mean(1))
    rights = np.arange(6) % 2 == 0
    for n in range(6):
        assert position_on_card(quads, points)[n] == pytest.approx(position_on_card(quads[n], points[n]), abs=1e-5)
        alone = corner_region(quads[n], bool(rights[n]), (0.2, 0.3))
        assert corner_region(quads, rights, (0.2, 0.3))[n] == pytest.approx(alone, abs=1e-3)


def test_an_outline_without_area_gives_finite_numbers() -> None:
    line = floats([[[0, 0], [10, 0], [20, 0], [30, 0]], [[5, 5]] * 4])
    assert np.isfinite(outline_homographies(line)).all()
    assert np.isfinite(position_on_card(line, line[:, 0])).all()


def test_small_and_large_patches_are_cropped_together() -> None:
    canvas = picture(6.0)
    quads = floats([[50, 40], [150, 40], [150, 180], [50, 180]]) * floats([6.0, 6.0]) * np.ones((2, 1, 1), np.float32)
    quads[1] = (quads[1] - quads[1, 0]) / 6 + quads[1, 0]
    together = crop_patches(canvas, quads)
    for one, quad in zip(together, quads, strict=True):
        assert np.array_equal(one, crop_patches(canvas, quad[None])[0])
    assert crop_patches(canvas, quads[:0]).shape == (0, PATCH_HEIGHT, PATCH_WIDTH, 3)


def test_mirrored_crossed_and_tiny_outlines_are_implausible() -> None:
    quad = floats([[0, 0], [100, 0], [100, 140], [0, 140]])
    quads = np.stack([quad, quad[::-1], quad[[0, 2, 1, 3]], quad * 0.02])
    assert plausible(quads).tolist() == [True, False, False, False]
    assert plausible(quads[:0]).tolist() == []


def test_overlap_is_a_share_of_the_smaller_outline() -> None:
    quad = floats([[0, 0], [100, 0], [100, 140], [0, 140]])
    assert overlap_share(quad, quad + floats([50, 0])) == pytest.approx(0.5, abs=0.01)
    assert overlap_share(quad, quad + floats([500, 0])) == 0
