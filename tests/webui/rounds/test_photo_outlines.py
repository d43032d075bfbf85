"""Labels over a photo: beside their cards, inside the photo, and readable."""

from __future__ import annotations

import pytest

from scorer.faces import Face
from scorer.rules import load_rules
from vision.values import Group, Quad, Reading, SeenCard
from webui.corrections.apply import apply_corrections
from webui.corrections.side_table import SidePhoto
from webui.rounds.photo_outlines import Outline, outlines
from webui.storage.records import PhotoRecord

WIDTH, HEIGHT = 1600, 1000


def drawn(quad: Quad) -> Outline:
    reading = Reading(WIDTH, HEIGHT, 0.1, (SeenCard(Face("8", "H"), 0.9, (), quad),), (Group((0,), "single"),), ())
    table = apply_corrections([SidePhoto(4, None, reading)], [], 2, load_rules("golden-games"))
    photo = PhotoRecord(4, 0, None, "a.jpg", WIDTH, HEIGHT, "a", "", reading.as_json())
    (one,) = outlines(table, photo)
    assert outlines(table, PhotoRecord(5, 0, None, "b.jpg", WIDTH, HEIGHT, "b", "", None)) == []
    return one


def square(x: float, y: float, width: float, turned: bool = False) -> Quad:
    corners = ((x, y), (x + width, y), (x + width, y + width * 1.4), (x, y + width * 1.4))
    return (corners[2], corners[3], corners[0], corners[1]) if turned else corners


def test_a_label_is_just_outside_the_cards_first_corner() -> None:
    one = drawn(square(500, 400, 120))
    assert one.points == "500.0,400.0 620.0,400.0 620.0,568.0 500.0,568.0"
    assert 460 < one.x < 500 and 360 < one.y < 400
    upside_down = drawn(square(500, 400, 120, turned=True))
    assert 620 < upside_down.x < 660 and 568 < upside_down.y < 608


@pytest.mark.parametrize(("x", "y"), [(-60, -80), (1580, 950)])
def test_the_label_of_a_card_at_the_edge_stays_in_the_photo(x: float, y: float) -> None:
    one = drawn(square(x, y, 120))
    assert one.size <= one.x <= WIDTH - one.size and 0 < one.y < HEIGHT


@pytest.mark.parametrize("width", [15, 120, 900])
def test_the_size_of_a_label_is_bounded(width: float) -> None:
    assert WIDTH / 71 < drawn(square(100, 100, width)).size < WIDTH / 31
