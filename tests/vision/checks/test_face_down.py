"""Cards that lie face down are seen by their size and a pattern that is the same upside down."""

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


def seen_on(picture: Pixels, known: list[Floats], wide: float = WIDE) -> list[Floats]:
    """What seems to lie face down there."""
    return find_face_down(find_card_candidates(picture, wide), known)


def with_back(picture: Pixels, quad: Quad, pattern: str = "lattice") -> Pixels:
    """``picture`` with a card's back, or something of its size, at an upright ``quad``."""
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


def test_a_back_is_seen_where_it_lies() -> None:
    (found,) = seen_on(with_back(table(*SPREAD), FREE), KNOWN)
    apart = [np.hypot(*(floats(FREE) - np.roll(found, turn, axis=0)).T).max() for turn in range(4)]
    assert min(apart) < 6


@pytest.mark.parametrize("off", [0.8, 1.25])
def test_it_need_not_be_known_exactly_how_wide_cards_are(off: float) -> None:
    assert len(seen_on(with_back(table(*SPREAD), FREE), KNOWN, off * WIDE)) == 1
    assert not seen_on(table(*SPREAD), KNOWN, off * WIDE)


@pytest.mark.parametrize("turn", [20, 65, 110])
def test_a_back_may_lie_at_any_turn(turn: float) -> None:
    cloth = np.full((480, 640, 3), (60, 90, 40), np.uint8)
    alone, (x, y) = with_back(cloth.copy(), FREE), np.mean(FREE, axis=0)
    onto = cv2.getRotationMatrix2D((float(x), float(y)), turn, 1.0)
    turned = cv2.warpAffine(alone, onto, (640, 480), borderValue=(60, 90, 40))
    picture = table(*SPREAD)
    picture[(turned != cloth).any(2)] = turned[(turned != cloth).any(2)]
    (found,) = seen_on(np.asarray(picture, np.uint8), KNOWN)
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
def test_a_sheet_a_page_or_another_size_is_no_card(what: str, quad: Quad) -> None:
    assert not seen_on(with_back(table(*SPREAD), quad, what), KNOWN)


def test_a_card_that_was_read_is_not_face_down() -> None:
    picture = with_back(table(*SPREAD), SPREAD[1])
    assert not seen_on(picture, KNOWN)
    assert len(seen_on(picture, [KNOWN[0], KNOWN[2]])) == 1


def test_a_person_is_told_where_and_how_many() -> None:
    assert codes(with_back(table(*SPREAD), FREE), *SPREAD) == ["face-down"]
    assert "face-down" not in codes(table(*SPREAD), *SPREAD)


def test_what_was_read_but_counts_elsewhere_is_not_face_down() -> None:
    picture, here = with_back(table(*SPREAD), FREE), [card(quad) for quad in SPREAD]
    assert [notice.code for notice in photo_warnings(picture, here)] == ["face-down"]
    assert not photo_warnings(picture, here, [card(FREE)])


def test_a_picture_is_shrunk_without_losing_its_light() -> None:
    picture = np.asarray(np.random.default_rng(0).integers(0, 255, (301, 403, 3)), np.uint8)
    for width, height in ((403, 301), (282, 211), (125, 93), (40, 30), (600, 450)):
        small = resized(picture, width, height)
        assert small.shape == (height, width, 3)
        assert float(small.mean()) == pytest.approx(float(picture.mean()), abs=4)
