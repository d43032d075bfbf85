"""Outlines over a photo, and where the indices of a card are."""

from __future__ import annotations

from dataclasses import replace

from scorer.faces import Face
from scorer.rules import load_rules
from vision.values import CornerReading, Group, Quad, Reading, SeenCard
from webui.corrections.apply import apply_corrections
from webui.corrections.side_table import SidePhoto, TableCard
from webui.rounds.overlay.outlines import Box, indices_of, outlines
from webui.rounds.stored_reading import parse_reading, reading_document
from webui.storage.records import PhotoRecord

WIDTH, HEIGHT = 1600, 1000
PHOTO = PhotoRecord(4, 0, None, "a.jpg", WIDTH, HEIGHT, "a", "", None)
QUAD: Quad = ((500, 400), (620, 400), (620, 568), (500, 568))


def reading(*boxes: Box) -> Reading:
    corners = tuple(CornerReading((), box, QUAD, 1) for box in boxes)
    cards = (SeenCard(Face("8", "H"), 0.9, (), QUAD, corners=corners),)
    return Reading(WIDTH, HEIGHT, 0.1, cards, (Group((0,), "single"),), ())


def card_with(*boxes: Box) -> TableCard:
    """A card as a page gets it, through the store."""
    stored = parse_reading(reading_document(reading(*boxes)))
    table = apply_corrections([SidePhoto(4, None, stored)], [], 2, load_rules("golden-games"))
    (one,) = outlines(table, PHOTO)
    assert outlines(table, replace(PHOTO, id=5)) == []
    assert one.points == "500.0,400.0 620.0,400.0 620.0,568.0 500.0,568.0"
    return one.card


def test_the_indices_that_were_read_are_stored_with_the_card() -> None:
    assert indices_of(card_with((504, 408, 520, 440)), PHOTO) == ((504, 408, 520, 440),)


def test_of_a_card_stored_without_them_each_corner_may_be_one() -> None:
    corners = indices_of(card_with(), PHOTO)
    assert len(corners) == 4 and corners[0][:2] == (500, 400) and corners[2][2:] == (620, 568)


def test_an_index_of_another_picture_of_the_burst_is_none_of_this_photo() -> None:
    assert len(indices_of(card_with((104, 108, 120, 140)), PHOTO)) == 4


def test_a_card_that_was_pointed_at_stays_in_sight_there() -> None:
    ((x0, y0, x1, y1),) = indices_of(TableCard("a7", Face("8", "H"), photo=4, point=(80, 60)), PHOTO)
    assert x0 < 80 < x1 and y0 < 60 < y1
