"""The closer look at each card: its window, and what the settler's answer does to the outline."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from vision.arrays import floats
from vision.crops.card_window import WINDOW, WINDOW_SIZE, crop_windows, moved, shift_to
from vision.crops.pyramid import pyramid
from vision.detect.detector import Detections
from vision.geometry import beside
from vision.recognise.outline_refiner import BATCH, EMBEDDING_SIZE, OnnxOutlineRefiner

CARD = floats([[60, 50], [160, 60], [150, 200], [50, 190]])
TILTED = floats([[60, 50], [160, 55], [165, 200], [40, 180]])
TOO_STEEP = floats([[60, 50], [160, 50], [260, 200], [20, 190]])


def place_in_window(u: float, v: float) -> tuple[int, int]:
    """Row and column of a place on the card (widths, heights)."""
    left, top, right, bottom = WINDOW
    return round((v - top) / (bottom - top) * WINDOW_SIZE), round((u - left) / (right - left) * WINDOW_SIZE)


@pytest.mark.parametrize("quad", [CARD, TILTED])
def test_a_shift_brings_an_outline_onto_the_true_one_and_back(quad: np.ndarray) -> None:
    true = quad + floats([[3, -4], [6, 2], [-5, 9], [8, 8]])
    shift = shift_to(quad, true)
    assert moved(quad, shift) == pytest.approx(true, abs=0.05)
    assert moved(quad, np.zeros((4, 2), np.float32)) == pytest.approx(quad, abs=0.01)


def test_an_outline_no_camera_could_see_is_taken_for_a_parallelogram() -> None:
    straight = moved(TOO_STEEP, np.zeros((4, 2), np.float32))
    assert straight[[0, 1, 3]] == pytest.approx(TOO_STEEP[[0, 1, 3]], abs=0.01)
    assert straight[2] == pytest.approx(TOO_STEEP[1] + TOO_STEEP[3] - TOO_STEEP[0], abs=0.01)
    assert moved(TOO_STEEP, shift_to(TOO_STEEP, CARD)) == pytest.approx(CARD, abs=0.05)


def test_the_card_beside_and_back_again() -> None:
    left = beside(CARD)
    assert left[0] == pytest.approx(CARD[0] + 0.82 * (CARD[1] - CARD[0]), abs=1e-3)
    assert beside(left, back=True) == pytest.approx(CARD, abs=1e-3)


@pytest.mark.parametrize("scale", [0.5, 1, 4, 9])
@pytest.mark.parametrize("turns", [0, 1, 2])
def test_the_window_shows_the_card_upright_at_one_size(scale: float, turns: int) -> None:
    canvas = np.zeros((round(260 * scale), round(240 * scale), 3), np.uint8)
    quad = floats([[80, 60], [180, 60], [180, 200], [80, 200]]) * scale
    cv2.fillPoly(canvas, [quad.astype(np.int32)], (255, 255, 255))
    cv2.rectangle(
        canvas, (round(80 * scale), round(60 * scale)), (round(110 * scale), round(90 * scale)), (0, 0, 255), -1
    )
    for _ in range(turns):
        quad = np.stack([quad[:, 1], canvas.shape[1] - quad[:, 0]], 1)
        canvas = np.ascontiguousarray(np.rot90(canvas))
    window = crop_windows(pyramid(canvas), floats(quad)[None])[0]
    assert window.shape == (WINDOW_SIZE, WINDOW_SIZE, 3)
    for (u, v), colour in {
        (0.15, 0.1): (0, 0, 255),
        (0.8, 0.1): (255, 255, 255),
        (0.5, 0.9): (255, 255, 255),
        (-0.15, 0.5): (0, 0, 0),
        (0.5, -0.1): (0, 0, 0),
        (-0.95, 0.5): (114, 114, 114),  # beyond the picture
    }.items():
        if u > -0.9 or turns == 0:
            assert np.abs(window[place_in_window(u, v)].astype(int) - colour).max() < 40


class Session:
    """Answers every window the same, and keeps what it was shown."""

    def __init__(self, shift: np.ndarray, right: float, real: float) -> None:
        self.shift, self.right, self.real, self.given = shift, right, real, list[np.ndarray]()

    def run(self, _names: list[str], given: dict[str, Any]) -> list[np.ndarray]:
        windows = given["windows"]
        self.given.append(windows)
        return [
            np.tile(self.shift.reshape(1, 8), (len(windows), 1)),
            np.full((len(windows), 1), self.right),
            np.full((len(windows), 1), self.real),
            np.full((len(windows), EMBEDDING_SIZE), 0.5),
        ]


def found(*quads: np.ndarray) -> Detections:
    boxes = floats([[*quad[0], *(quad[0] + 20)] for quad in quads])
    return Detections(boxes, np.full(len(quads), 0.5, np.float32), floats(quads))


def test_each_find_is_moved_as_the_network_says() -> None:
    shift = floats([[0.01, 0.02], [0.05, 0.0], [0.05, 0.05], [0.0, 0.05]])
    picture = np.zeros((300, 300, 3), np.uint8)
    settled = OnnxOutlineRefiner(Session(shift, right=-3.0, real=2.0)).refine([picture], found(CARD, CARD + 30))
    assert settled.found.quads[0] == pytest.approx(moved(CARD, shift), abs=0.01)
    assert settled.found.quads[1] == pytest.approx(moved(CARD + 30, shift), abs=0.01)
    assert settled.real == pytest.approx([0.8808, 0.8808], abs=1e-3)
    assert settled.seen.shape == (2, EMBEDDING_SIZE) and (settled.seen == 0.5).all()


def test_an_index_told_to_stand_on_the_right_moves_its_card_to_the_left() -> None:
    still = np.zeros((4, 2), np.float32)
    picture = np.zeros((300, 300, 3), np.uint8)
    settled = OnnxOutlineRefiner(Session(still, right=1.0, real=0.0)).refine([picture], found(CARD))
    assert settled.found.quads[0] == pytest.approx(beside(CARD, back=True), abs=0.01)
    assert settled.found.index_on_right_by_box()[0]
    # and one that the finder took for the right one, but is not, moves back
    again = OnnxOutlineRefiner(Session(still, right=-1.0, real=0.0)).refine([picture], settled.found)
    assert again.found.quads[0] == pytest.approx(CARD, abs=0.01)


def test_what_was_far_off_is_looked_at_once_more() -> None:
    shift = floats([[0.0, 0.0], [0.2, 0.0], [0.2, 0.0], [0.0, 0.0]])
    session = Session(shift, right=-3.0, real=2.0)
    settled = OnnxOutlineRefiner(session).refine([np.zeros((300, 300, 3), np.uint8)], found(CARD, CARD + 30))
    assert [len(windows) for windows in session.given] == [2, 2]
    assert settled.found.quads[0] == pytest.approx(moved(moved(CARD, shift), shift), abs=0.02)


def test_what_is_hardly_real_gets_no_second_look_where_that_is_asked() -> None:
    shift = floats([[0.0, 0.0], [0.2, 0.0], [0.2, 0.0], [0.0, 0.0]])
    session = Session(shift, right=-3.0, real=-2.0)
    settled = OnnxOutlineRefiner(session).refine([np.zeros((300, 300, 3), np.uint8)], found(CARD), 0.3)
    assert [len(windows) for windows in session.given] == [1]
    assert settled.found.quads[0] == pytest.approx(moved(CARD, shift), abs=0.02)


def test_windows_are_shown_in_red_green_blue_and_many_at_once() -> None:
    picture = np.full((300, 300, 3), (255, 0, 0), np.uint8)  # blue
    session = Session(np.zeros(8, np.float32), 0.0, 0.0)
    OnnxOutlineRefiner(session).refine([picture], found(*[CARD] * (BATCH + 6)))
    assert [len(windows) for windows in session.given] == [BATCH, 6]
    middle = session.given[0][0, :, WINDOW_SIZE // 2, WINDOW_SIZE // 2]
    assert middle == pytest.approx([0, 0, 1], abs=0.01)


def test_outlines_that_are_no_cards_are_left_as_they_are_and_are_not_real() -> None:
    crossed = CARD[[0, 2, 1, 3]]
    session = Session(np.ones(8, np.float32), 0.0, 5.0)
    settled = OnnxOutlineRefiner(session).refine([np.zeros((300, 300, 3), np.uint8)], found(crossed))
    assert (settled.found.quads[0] == crossed).all()
    assert settled.real[0] == 0 and not settled.seen.any()
    assert not session.given
