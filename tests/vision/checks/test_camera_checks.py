"""Checks of a camera's height, sharpness and light, on drawn pictures with known properties."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from scorer.faces import Face
from vision.checks.camera_checks import Verdict, check_camera
from vision.live.table_markers import fit_plane
from vision.values import Pixels, Quad, Reading, SeenCard


def table(wide: float) -> tuple[Pixels, Reading]:
    """A table with six drawn cards ``wide`` pixels wide, and its reading."""
    pixels = np.full((720, 1280, 3), (60, 110, 90), np.uint8)
    cards = []
    for number in range(6):
        x, y = 60 + number * (wide * 1.2), 80.0
        quad: Quad = ((x, y), (x + wide, y), (x + wide, y + 1.4 * wide), (x, y + 1.4 * wide))
        cv2.fillConvexPoly(pixels, np.array(quad).astype(np.int32), (235, 238, 240))
        size = wide / 90
        for row in range(3):
            place = (round(x + 8 * size), round(y + (30 + 34 * row) * size))
            cv2.putText(pixels, "8S7", place, cv2.FONT_HERSHEY_SIMPLEX, size, (20, 20, 30), max(round(3 * size), 1))
        cards.append(SeenCard(Face("8", "S"), 0.99, (), quad))
    return pixels, Reading(1280, 720, 0.1, tuple(cards), (), ())


def verdicts_by_aspect(pixels: Pixels, reading: Reading) -> dict[str, Verdict]:
    return {one.aspect: one for one in check_camera(pixels, reading, None)}


@pytest.mark.parametrize(
    ("wide", "well", "sentence"),
    [
        (100, "fine", "The numbers in the card corners are 18 pixels tall. Good."),
        (60, "fair", "The numbers in the card corners are 11 pixels tall. That works, but 12 is better"),
        (
            30,
            "bad",
            "The numbers in the card corners are 5 pixels tall, but need at least 10. "
            "Move the camera about 1.8 times closer.",
        ),
    ],
)
def test_height_is_judged_by_the_size_of_the_indices(wide: float, well: str, sentence: str) -> None:
    found = verdicts_by_aspect(*table(wide))["Height"]
    assert found.grade == well and found.sentence.startswith(sentence)


def test_sharpness_and_light_are_judged() -> None:
    pixels, reading = table(115)
    assert {one.grade for name, one in verdicts_by_aspect(pixels, reading).items() if name != "Table"} == {"fine"}
    blurred = np.asarray(cv2.GaussianBlur(pixels, (0, 0), 4), np.uint8)
    assert verdicts_by_aspect(blurred, reading)["Sharpness"].grade == "bad"
    assert verdicts_by_aspect((pixels * 0.15).astype(np.uint8), reading)["Light"].grade == "bad"
    assert verdicts_by_aspect((pixels * 0.28).astype(np.uint8), reading)["Light"].grade == "fair"
    burnt = np.where(pixels > 200, 255, pixels).astype(np.uint8)
    assert "washed out" in verdicts_by_aspect(burnt, reading)["Light"].sentence


def test_markers_give_the_covered_area_and_replace_missing_cards() -> None:
    pixels, reading = table(100)
    square = np.array([[0.0, 0], [60, 0], [60, 60], [0, 60]])
    plane = fit_plane(np.stack([(square + place) * 1.5 + 10 for place in ((0, 0), (640, 0), (640, 440), (0, 440))]))
    empty = replace(reading, cards=())
    found = {one.aspect: one for one in check_camera(pixels, empty, plane)}
    assert found["Height"].sentence == "The numbers in the card corners are 17 pixels tall. Good."
    assert found["Table"].grade == "fine"
    assert found["Table"].sentence.startswith("The marks enclose 29 by 21 inches. Good.")
    assert verdicts_by_aspect(pixels, empty)["Height"].grade == "fair", "nothing to measure with"


def test_markers_that_do_not_lie_flat_are_reported() -> None:
    pixels, reading = table(100)
    square = np.array([[0.0, 0], [60, 0], [60, 60], [0, 60]])
    markers = np.stack([(square + place) * 1.5 + 10 for place in ((0, 0), (640, 0), (640, 440), (0, 440))])
    markers[2, 2] += 30
    plane = fit_plane(markers)
    assert not plane.frames_a_table
    (found,) = [one for one in check_camera(pixels, reading, plane) if one.aspect == "Table"]
    assert found.grade == "bad"
