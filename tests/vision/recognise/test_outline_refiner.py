"""The window of each card, and what the outline refiner's answer does to its outline."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from vision.arrays import floats
from vision.crops.card_window import WINDOW, WINDOW_SIZE, apply_shifts, crop_windows, shifts_between
from vision.crops.pyramid import pyramid
from vision.detect.detections import WINDOW_EMBEDDING, Detections
from vision.geometry import card_beside
from vision.recognise.outline_refiner import BATCH, OnnxOutlineRefiner

CARD = floats([[60, 50], [160, 60], [150, 200], [50, 190]])
TILTED = floats([[60, 50], [160, 55], [165, 200], [40, 180]])
TOO_STEEP = floats([[60, 50], [160, 50], [260, 200], [20, 190]])


def pixel_in_window(u: float, v: float) -> tuple[int, int]:
    """Row and column of a point on the card (widths, heights)."""
    left, top, right, bottom = WINDOW
    return round((v - top) / (bottom - top) * WINDOW_SIZE), round((u - left) / (right - left) * WINDOW_SIZE)


@pytest.mark.parametrize("quad", [CARD, TILTED])
def test_a_shift_moves_an_outline_onto_the_true_one(quad: np.ndarray) -> None:
    true = quad + floats([[3, -4], [6, 2], [-5, 9], [8, 8]])
    shift = shifts_between(quad, true)
    assert apply_shifts(quad, shift) == pytest.approx(true, abs=0.05)
    assert apply_shifts(quad, np.zeros((4, 2), np.float32)) == pytest.approx(quad, abs=0.01)


def test_an_impossible_perspective_is_taken_for_a_parallelogram() -> None:
    straight = apply_shifts(TOO_STEEP, np.zeros((4, 2), np.float32))
    assert straight[[0, 1, 3]] == pytest.approx(TOO_STEEP[[0, 1, 3]], abs=0.01)
    assert straight[2] == pytest.approx(TOO_STEEP[1] + TOO_STEEP[3] - TOO_STEEP[0], abs=0.01)
    assert apply_shifts(TOO_STEEP, shifts_between(TOO_STEEP, CARD)) == pytest.approx(CARD, abs=0.05)


def test_the_card_beside_and_back_again() -> None:
    left = card_beside(CARD)
    assert left[0] == pytest.approx(CARD[0] + 0.82 * (CARD[1] - CARD[0]), abs=1e-3)
    assert card_beside(left, back=True) == pytest.approx(CARD, abs=1e-3)


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
            assert np.abs(window[pixel_in_window(u, v)].astype(int) - colour).max() < 40


class Session:
    """Answers every window alike, and records the batches."""

    def __init__(self, shift: np.ndarray, right: float, index: float) -> None:
        self.shift, self.right, self.index, self.batches = shift, right, index, list[np.ndarray]()

    def run(self, _names: list[str], inputs: dict[str, Any]) -> list[np.ndarray]:
        windows = inputs["windows"]
        self.batches.append(windows)
        return [
            np.tile(self.shift.reshape(1, 8), (len(windows), 1)),
            np.full((len(windows), 1), self.right),
            np.full((len(windows), 1), self.index),
            np.full((len(windows), WINDOW_EMBEDDING), 0.5),
        ]


def detections(*quads: np.ndarray) -> Detections:
    boxes = floats([[*quad[0], *(quad[0] + 20)] for quad in quads])
    return Detections(boxes, np.full(len(quads), 0.5, np.float32), floats(quads))


def test_each_outline_is_moved_as_the_network_says() -> None:
    shift = floats([[0.01, 0.02], [0.05, 0.0], [0.05, 0.05], [0.0, 0.05]])
    picture = np.zeros((300, 300, 3), np.uint8)
    refined = OnnxOutlineRefiner(Session(shift, right=-3.0, index=2.0)).refine([picture], detections(CARD, CARD + 30))
    assert refined.quads[0] == pytest.approx(apply_shifts(CARD, shift), abs=0.01)
    assert refined.quads[1] == pytest.approx(apply_shifts(CARD + 30, shift), abs=0.01)
    assert refined.p_index == pytest.approx([0.8808, 0.8808], abs=1e-3)
    assert refined.embedding.shape == (2, WINDOW_EMBEDDING) and (refined.embedding == 0.5).all()


def test_an_index_found_to_stand_on_the_right_moves_its_card_to_the_left() -> None:
    still = np.zeros((4, 2), np.float32)
    picture = np.zeros((300, 300, 3), np.uint8)
    refined = OnnxOutlineRefiner(Session(still, right=1.0, index=0.0)).refine([picture], detections(CARD))
    assert refined.quads[0] == pytest.approx(card_beside(CARD, back=True), abs=0.01)
    assert refined.index_on_right_by_box()[0]
    # and one wrongly taken for the right one moves back
    again = OnnxOutlineRefiner(Session(still, right=-1.0, index=0.0)).refine([picture], refined)
    assert again.quads[0] == pytest.approx(CARD, abs=0.01)


def test_what_was_far_off_gets_a_second_pass() -> None:
    shift = floats([[0.0, 0.0], [0.2, 0.0], [0.2, 0.0], [0.0, 0.0]])
    session = Session(shift, right=-3.0, index=2.0)
    refined = OnnxOutlineRefiner(session).refine([np.zeros((300, 300, 3), np.uint8)], detections(CARD, CARD + 30))
    assert [len(windows) for windows in session.batches] == [2, 2]
    assert refined.quads[0] == pytest.approx(apply_shifts(apply_shifts(CARD, shift), shift), abs=0.02)


def test_improbable_detections_get_no_second_pass() -> None:
    shift = floats([[0.0, 0.0], [0.2, 0.0], [0.2, 0.0], [0.0, 0.0]])
    session = Session(shift, right=-3.0, index=-2.0)
    refined = OnnxOutlineRefiner(session).refine([np.zeros((300, 300, 3), np.uint8)], detections(CARD), 0.3)
    assert [len(windows) for windows in session.batches] == [1]
    assert refined.quads[0] == pytest.approx(apply_shifts(CARD, shift), abs=0.02)


def test_windows_are_given_as_rgb_in_batches() -> None:
    picture = np.full((300, 300, 3), (255, 0, 0), np.uint8)  # blue
    session = Session(np.zeros(8, np.float32), 0.0, 0.0)
    OnnxOutlineRefiner(session).refine([picture], detections(*[CARD] * (BATCH + 6)))
    assert [len(windows) for windows in session.batches] == [BATCH, 6]
    middle = session.batches[0][0, :, WINDOW_SIZE // 2, WINDOW_SIZE // 2]
    assert middle == pytest.approx([0, 0, 1], abs=0.01)


def test_outlines_that_cannot_be_a_card_stay_and_have_no_probability() -> None:
    crossed = CARD[[0, 2, 1, 3]]
    session = Session(np.ones(8, np.float32), 0.0, 5.0)
    refined = OnnxOutlineRefiner(session).refine([np.zeros((300, 300, 3), np.uint8)], detections(crossed))
    assert (refined.quads[0] == crossed).all()
    assert refined.p_index[0] == 0 and not refined.embedding.any()
    assert not session.batches
