"""Each photo warning is given where it should be, and not on a good photo."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scorer.faces import Face
from vision.arrays import floats
from vision.checks.photo_checks import photo_warnings
from vision.values import CornerReading, Pixels, Quad, SeenCard

WIDE, TALL = 120, 168


def quad_at(x: float, y: float, wide: float = WIDE) -> Quad:
    tall = wide * TALL / WIDE
    return ((x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall))


def card(quad: Quad) -> SeenCard:
    box = (*quad[0], quad[0][0] + 20, quad[0][1] + 48)
    return SeenCard(
        Face.parse("8H"), 1.0, (), quad, corners=(CornerReading(((Face.parse("8H"), 1.0),), box, quad, 1.0),)
    )


def table(*quads: Quad, paper: int = 215) -> Pixels:
    """Cards with a large 8 in the corner on green cloth, 640 x 480."""
    picture = np.full((480, 640, 3), (60, 90, 40), np.uint8)
    for quad in quads:
        (x, y), (right, low) = (round(quad[0][0]), round(quad[0][1])), (round(quad[2][0]), round(quad[2][1]))
        cv2.rectangle(picture, (x, y), (right, low), (paper,) * 3, -1)
        cv2.putText(picture, "8", (x + 5, y + 30), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (20, 20, 20), 3)
    return picture


def codes(picture: Pixels, *quads: Quad) -> list[str]:
    return [notice.code for notice in photo_warnings(picture, [card(quad) for quad in quads])]


SPREAD = (quad_at(60, 60), quad_at(240, 60), quad_at(420, 200))


def test_a_good_photo_gets_no_warning() -> None:
    assert codes(table(*SPREAD), *SPREAD) == []


def test_a_photo_without_cards_gets_a_warning() -> None:
    assert codes(table()) == ["no-cards"]


def test_the_warning_about_small_cards_says_how_much_closer() -> None:
    quads = [quad_at(60 + 60 * i, 60, wide=40) for i in range(3)]
    (notice,) = [
        one for one in photo_warnings(table(*quads), [card(quad) for quad in quads]) if one.code == "index-too-small"
    ]
    assert "about 1.4 times closer" in notice.message


def test_the_warning_about_slightly_small_cards_has_no_number() -> None:
    quads = [quad_at(60 + 70 * i, 60, wide=53) for i in range(3)]
    (notice,) = photo_warnings(table(*quads), [card(quad) for quad in quads])
    assert notice.code == "index-too-small"
    assert notice.message.endswith("Move a little closer.")


def test_a_dark_photo_gets_a_warning() -> None:
    assert "too-dark" in codes(np.asarray(table(*SPREAD) * 0.15, np.uint8), *SPREAD)


@pytest.mark.parametrize(("blur", "said"), [(0.8, False), (4.0, True)])
def test_a_blurred_photo_gets_a_warning(blur: float, said: bool) -> None:
    picture = np.asarray(cv2.GaussianBlur(table(*SPREAD), (0, 0), blur), np.uint8)
    assert ("blurred" in codes(picture, *SPREAD)) is said


def test_the_warning_about_glare_says_where_and_a_bright_photo_has_none() -> None:
    picture = table(*SPREAD)
    cv2.circle(picture, (480, 300), 30, (255, 255, 255), -1)
    (notice,) = photo_warnings(picture, [card(quad) for quad in SPREAD])
    assert notice.code == "glare"
    assert "right part" in notice.message
    assert codes(table(*SPREAD, paper=255), *SPREAD) == []


@pytest.mark.parametrize("quad", [quad_at(-50, 60), quad_at(240, 400), quad_at(580, -60)])
def test_a_card_that_is_read_may_reach_over_the_edge(quad: Quad) -> None:
    quads = (*SPREAD, quad)
    assert codes(table(*quads), *quads) == []


def test_cards_that_were_not_read_are_told_with_their_place() -> None:
    unread = quad_at(600, 60)
    picture, hints = table(*SPREAD, unread), floats([[615, 90]])
    (notice,) = photo_warnings(picture, [card(quad) for quad in SPREAD], hints=hints)
    assert notice.code == "unread-cards"
    assert "A card in the upper right part of the photo could not be read" in notice.message
    missed = [floats(quad_at(440, -60))]
    (notice,) = photo_warnings(picture, [card(quad) for quad in SPREAD], missed=missed, hints=hints)
    assert "2 cards in the upper right part of the photo could not be read." in notice.message
    assert not photo_warnings(picture, [card(quad) for quad in (*SPREAD, unread)], hints=hints)


def test_places_far_apart_are_each_named_and_not_the_middle_between_them() -> None:
    missed = [floats(quad_at(*place)) for place in ((560, 20), (20, 400), (30, 380), (600, 60))]
    (notice,) = photo_warnings(table(*SPREAD), [card(quad) for quad in SPREAD], missed=missed)
    assert notice.message.startswith(
        "4 cards in the lower left part and the upper right part of the photo could not be"
    )
    assert "another photo of those parts" in notice.message
