"""Overlays: outlines where the cards are, and a card cut out upright."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from scorer.faces import Face
from vision.doubts import Doubt
from vision.images.jpeg import to_jpeg
from vision.images.overlay import annotate, cut_around, cut_marked, cut_out, mark_place
from vision.values import Group, Pixels, Quad, Reading, SeenCard

QUAD: Quad = ((100, 60), (160, 60), (160, 144), (100, 144))


def reading(quad: Quad = QUAD, doubt: str | None = None) -> Reading:
    card = SeenCard(Face("8", "H"), 0.9, (), quad, doubt)
    return Reading(320, 240, 0.1, (card,), (Group((0,), "single"),), ())


def test_a_card_is_outlined_on_a_copy() -> None:
    photo = np.full((240, 320, 3), 90, np.uint8)
    drawn = annotate(photo, reading())
    assert (photo == 90).all(), "the photo itself is unchanged"
    assert drawn.shape == photo.shape
    assert (drawn[100, 98:103] != 90).any() and (drawn[144, 130] != 90).any()
    assert (drawn[90:130, 110:150] == 90).all(), "nothing is drawn over the middle of the card"


def test_a_card_in_doubt_has_another_colour() -> None:
    photo = np.full((240, 320, 3), 90, np.uint8)
    assert (
        annotate(photo, reading())[110, 100] != annotate(photo, reading(doubt=Doubt.LOW_CONFIDENCE))[110, 100]
    ).any()


@pytest.mark.parametrize("shift", [(-150, -120), (280, 200)])
def test_a_card_beyond_the_edge_of_the_photo_is_drawn(shift: tuple[int, int]) -> None:
    a, b, c, d = ((x + shift[0], y + shift[1]) for x, y in QUAD)
    photo = np.full((240, 320, 3), 90, np.uint8)
    assert annotate(photo, reading((a, b, c, d))).shape == (240, 320, 3)


@pytest.mark.parametrize("degrees", [0, 37, 90, 180, 251])
def test_a_card_is_cut_out_upright_at_any_rotation(degrees: int) -> None:
    """The red index corner of the card is at the top left of the cut-out."""
    upright: Pixels = np.full((400, 400, 3), 20, np.uint8)
    cv2.rectangle(upright, (150, 130), (250, 270), (255, 255, 255), -1)
    cv2.rectangle(upright, (150, 130), (180, 170), (0, 0, 255), -1)
    turn = cv2.getRotationMatrix2D((200, 200), degrees, 1.0)
    photo = np.asarray(cv2.warpAffine(upright, turn, (400, 400)), np.uint8)
    corners = [(150, 130, 1), (250, 130, 1), (250, 270, 1), (150, 270, 1)]
    a, b, c, d = ((float(x), float(y)) for x, y in (turn @ corner for corner in np.array(corners, float)))
    cut = cut_out(photo, (a, b, c, d), 200)
    assert cut.shape == (280, 200, 3)
    assert cut[60, 45].argmax() == 2 and cut[60, 45, 0] < 80, "red index"
    assert cut[220, 150].min() > 200, "white card"
    assert cut[5, 5].max() < 60, "its surroundings"


def test_a_cut_out_square_stays_inside_the_photo() -> None:
    photo = np.arange(100 * 150 * 3, dtype=np.uint32).astype(np.uint8).reshape(100, 150, 3)
    assert (cut_around(photo, 2, 98, 40) == photo[60:100, 0:40]).all()
    assert (cut_around(photo, 75, 50, 40) == photo[30:70, 55:95]).all()
    assert cut_around(photo, 75, 50, 1000).shape == (100, 100, 3)


def test_a_jpeg_is_shrunk_to_its_longest_side_and_never_enlarged() -> None:
    photo = np.zeros((300, 600, 3), np.uint8)
    for longest, width in ((200, 200), (5000, 600), (None, 600)):
        shown = cv2.imdecode(np.frombuffer(to_jpeg(photo, longest), np.uint8), cv2.IMREAD_COLOR)
        assert shown is not None and shown.shape[1] == width and math.isclose(shown.shape[0], width / 2)


def test_marked_cards_are_bright_and_outlined_and_nothing_of_them_is_hidden() -> None:
    photo = np.full((400, 600, 3), 100, np.uint8)
    photo[60:144, 100:160] = 200
    cut = cut_marked(photo, [QUAD], 300)
    assert cut.shape == (300, 300, 3)
    assert (cut[150, 150] == 200).all(), "the card in the middle, as it is"
    assert (cut[5, 5] == 62).all(), "its surroundings are dimmed"
    bright = (cut == 200).all(2)
    scale = 300 / 143
    assert bright.sum() == pytest.approx(60 * 84 * scale**2, rel=0.1), "the outline lies around the card"
    amber = (cut == (0, 170, 255)).all(2)
    assert amber.sum() > 400 and (photo[60:144, 100:160] == 200).all()


def test_several_cards_are_marked_together_and_one_at_the_edge_too() -> None:
    photo = np.full((400, 600, 3), 100, np.uint8)
    beyond: Quad = ((-30, -20), (30, -20), (30, 64), (-30, 64))
    cut = cut_marked(photo, [QUAD, beyond], 240)
    assert cut.shape == (240, 240, 3) and (cut == 100).all(2).sum() > 2000
    assert cut_marked(np.full((80, 600, 3), 100, np.uint8), [QUAD], 240).shape == (240, 240, 3)


def test_a_place_is_marked_by_a_ring() -> None:
    photo = np.full((400, 600, 3), 100, np.uint8)
    cut = mark_place(photo, 300, 200, 120)
    assert cut.shape == (120, 120, 3) and (cut[60, 60] == 100).all() and (cut[5, 5] == 100).all()
    assert (cut == (0, 170, 255)).all(2).any()


def test_an_index_is_cut_out_so_large_that_it_can_be_read() -> None:
    photo = np.full((400, 600, 3), 100, np.uint8)
    photo[64:88, 102:112] = 200
    cut = cut_marked(photo, [QUAD], 300, (102, 64, 112, 88))
    height = int((cut == 200).all(2).any(1).sum())
    assert height >= 300 / 3, "a third of the picture and more"
    assert (cut[150, 150] == 200).all(), "in its middle"
