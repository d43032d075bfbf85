"""Automatic pictures: one when everything lies still, never with a hand in it."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.images.sharpness import sharpness
from vision.live.motion import StillnessDetector, light_invariant_diff, reaches_in, small
from vision.values import Pixels


@pytest.fixture
def table() -> Pixels:
    rng = np.random.default_rng(3)
    cells = rng.integers(60, 190, (9, 16, 3), dtype=np.uint8)
    pixels = np.asarray(cv2.resize(cells, (640, 360), interpolation=cv2.INTER_CUBIC), np.uint8)
    return with_card(pixels, 200, 120)


def with_card(pixels: Pixels, x: int, y: int) -> Pixels:
    drawn = pixels.copy()
    cv2.rectangle(drawn, (x, y), (x + 70, y + 98), (245, 245, 245), -1)
    cv2.putText(drawn, "8", (x + 6, y + 30), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (30, 30, 200), 3, cv2.LINE_AA)
    return drawn


def with_arm(pixels: Pixels, reach: int = 200) -> Pixels:
    drawn = pixels.copy()
    cv2.line(drawn, (420, 400), (420, 360 - reach), (120, 150, 200), 44)
    return drawn


def lit(pixels: Pixels, left: float, right: float) -> Pixels:
    gain = np.linspace(left, right, pixels.shape[1], dtype=np.float32)[None, :, None]
    return np.asarray(np.clip(pixels * gain, 0, 255), np.uint8)


def noisy(pixels: Pixels, seed: int) -> Pixels:
    """With camera noise of 4 levels: another part of one field for each seed, as new noise takes most of a test."""
    rows, columns = pixels.shape[:2]
    top, left = seed * 37 % rows, seed * 101 % columns
    return np.asarray(cv2.add(pixels, grain()[top : top + rows, left : left + columns], dtype=cv2.CV_8U), np.uint8)


@cache
def grain() -> NDArray[np.int16]:
    """Noise over twice the width and height of a picture."""
    return np.rint(np.random.default_rng(1).normal(0, 4, (720, 1280, 3))).astype(np.int16)


def test_light_makes_no_difference_but_a_card_or_an_arm_does(table: Pixels) -> None:
    before = small(table)
    for gains in ((0.6, 0.6), (0.7, 1.0), (1.02, 0.7)):
        assert float((light_invariant_diff(before, small(noisy(lit(table, *gains), 1))) > 0.16).mean()) < 0.002
    card = light_invariant_diff(before, small(with_card(table, 450, 60)))
    assert float((card > 0.16).mean()) > 0.02 and not reaches_in(card)
    assert reaches_in(light_invariant_diff(before, small(with_arm(table))))


def test_a_glare_that_burns_out_a_spot_is_no_change_but_its_loss_to_the_dark_is(table: Pixels) -> None:
    before, brighter, darker = small(table), small(table), small(table)
    spot = np.s_[20:40, 30:50]
    before[spot], brighter[spot], darker[spot] = 252, 160, 100
    assert light_invariant_diff(before, brighter)[spot].max() == light_invariant_diff(brighter, before)[spot].max() == 0
    assert light_invariant_diff(before, darker)[spot].min() > 0.5


def test_blur_lowers_the_sharpness(table: Pixels) -> None:
    blurred = np.asarray(cv2.GaussianBlur(table, (0, 0), 2.5), np.uint8)
    assert sharpness(blurred) < 0.6 * sharpness(table)


def ready_at(detector: StillnessDetector, pictures: list[Pixels], begins: float = 0.0) -> list[float]:
    """Times at which a picture can be taken, at ten frames a second."""
    seen = [detector.see(noisy(pixels, n), begins + n / 10) for n, pixels in enumerate(pictures)]
    return [begins + n / 10 for n, stillness in enumerate(seen) if stillness.ready >= 1]


def test_a_resting_hand_delays_the_picture_until_it_leaves(table: Pixels) -> None:
    seen = ready_at(StillnessDetector(), [table] * 10 + [with_arm(table)] * 40 + [with_card(table, 450, 60)] * 30)
    assert seen and seen[0] == pytest.approx(7.0, abs=0.15)


def test_a_thing_at_the_edge_does_not_delay_the_picture_forever(table: Pixels) -> None:
    assert ready_at(StillnessDetector(), [table] * 10 + [with_arm(table)] * 100)


def test_the_same_cards_are_taken_once_and_new_cards_again(table: Pixels) -> None:
    detector = StillnessDetector()
    assert ready_at(detector, [table] * 25)
    detector.taken(table)
    assert not ready_at(detector, [lit(table, 0.8, 0.7)] * 40, begins=2.5)
    assert not ready_at(detector, [table] * 30, begins=60.0), "not even when somebody comes back to the page"
    assert ready_at(detector, [with_card(table, 450, 60)] * 40, begins=63.0)


def test_noise_of_an_empty_table_is_not_sharpness_and_does_not_raise_the_bar_for_cards() -> None:
    plain, detector = np.full((360, 640, 3), 110, np.uint8), StillnessDetector()
    empty = [detector.see(noisy(plain, count), count / 12) for count in range(48)]
    assert all(stillness.empty and not stillness.ready for stillness in empty[1:])
    laid = [detector.see(noisy(with_card(plain, 300, 120), count), count / 12) for count in range(48, 84)]
    assert laid[-1].ready == 1 and not laid[-1].empty
