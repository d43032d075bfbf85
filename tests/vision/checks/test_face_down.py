"""Face-down cards are recognised by their size and a pattern that looks the same upside down."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.checks.test_photo_checks import SPREAD, card, codes, quad_at, table
from vision.arrays import Floats, floats
from vision.checks.face_down import find_card_candidates, find_face_down
from vision.checks.photo_checks import photo_warnings
from vision.crops.pyramid import resized
from vision.geometry import card_widths
from vision.values import Pixels, Quad

KNOWN = [floats(quad) for quad in SPREAD]
FREE = quad_at(240, 280)
WIDE = float(card_widths(np.stack(KNOWN))[0])


def backs_in(picture: Pixels, known: list[Floats], wide: float = WIDE) -> list[Floats]:
    """Outlines of the cards that seem to lie face down."""
    return find_face_down(find_card_candidates(picture, wide), known)


def with_back(picture: Pixels, quad: Quad, pattern: str = "lattice") -> Pixels:
    """Draws a card's back, or something of its size, at an upright ``quad``."""
    (x, y), (right, low) = ((round(at) for at in corner) for corner in (quad[0], quad[2]))
    cv2.rectangle(picture, (x, y), (right, low), (215, 215, 215), -1)
    inner = picture[y + 8 : low - 8, x + 8 : right - 8]
    height, width = inner.shape[:2]
    down, across = np.mgrid[:height, :width]
    if pattern == "lattice":
        inner[((down + across) // 8 + (down - across) // 8) % 2 == 0] = (60, 40, 150)
    elif pattern == "text":
        inner[: height // 2][(down[: height // 2] // 6) % 2 == 0] = (30, 30, 30)
    return picture


def test_a_back_is_found_where_it_lies() -> None:
    (found,) = backs_in(with_back(table(*SPREAD), FREE), KNOWN)
    apart = [np.hypot(*(floats(FREE) - np.roll(found, turn, axis=0)).T).max() for turn in range(4)]
    assert min(apart) < 6


@pytest.mark.parametrize("off", [0.8, 1.25])
def test_an_approximate_card_width_is_enough(off: float) -> None:
    assert len(backs_in(with_back(table(*SPREAD), FREE), KNOWN, off * WIDE)) == 1
    assert not backs_in(table(*SPREAD), KNOWN, off * WIDE)


@pytest.mark.parametrize("turn", [20, 65, 110])
def test_a_back_is_found_at_any_angle(turn: float) -> None:
    cloth = np.full((480, 640, 3), (60, 90, 40), np.uint8)
    alone, (x, y) = with_back(cloth.copy(), FREE), np.mean(FREE, axis=0)
    onto = cv2.getRotationMatrix2D((float(x), float(y)), turn, 1.0)
    turned = cv2.warpAffine(alone, onto, (640, 480), borderValue=(60, 90, 40))
    picture = table(*SPREAD)
    picture[(turned != cloth).any(2)] = turned[(turned != cloth).any(2)]
    (found,) = backs_in(np.asarray(picture, np.uint8), KNOWN)
    assert found.mean(0) == pytest.approx([x, y], abs=8)


@pytest.mark.parametrize(
    ("what", "quad"),
    [
        ("blank", FREE),
        ("text", FREE),
        ("lattice", quad_at(240, 280, wide=80)),
        ("lattice", quad_at(60, 235, wide=170)),
    ],
)
def test_a_blank_sheet_a_text_or_another_size_is_not_a_back(what: str, quad: Quad) -> None:
    assert not backs_in(with_back(table(*SPREAD), quad, what), KNOWN)


def test_a_card_that_was_read_is_not_face_down() -> None:
    picture = with_back(table(*SPREAD), SPREAD[1])
    assert not backs_in(picture, KNOWN)
    assert len(backs_in(picture, [KNOWN[0], KNOWN[2]])) == 1


def test_a_face_down_card_gives_a_warning() -> None:
    assert codes(with_back(table(*SPREAD), FREE), *SPREAD) == ["face-down"]
    assert "face-down" not in codes(table(*SPREAD), *SPREAD)


def test_a_card_that_counts_elsewhere_is_not_face_down() -> None:
    picture, here = with_back(table(*SPREAD), FREE), [card(quad) for quad in SPREAD]
    assert [notice.code for notice in photo_warnings(picture, here)] == ["face-down"]
    assert not photo_warnings(picture, here, [card(FREE)])


def test_a_picture_keeps_its_brightness_when_it_is_resized() -> None:
    picture = np.asarray(np.random.default_rng(0).integers(0, 255, (301, 403, 3)), np.uint8)
    for width, height in ((403, 301), (282, 211), (125, 93), (40, 30), (600, 450)):
        small = resized(picture, width, height)
        assert small.shape == (height, width, 3)
        assert float(small.mean()) == pytest.approx(float(picture.mean()), abs=4)
