"""Taking a picture by itself: once, when all lies still, never with a hand in it. Films are drawn with their truth."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from datasets.decks.drawn_decks import draw_deck
from datasets.films.film import draw_film
from models.evaluate.auto_capture import watch
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
    grain = np.random.default_rng(seed).normal(0, 4, pixels.shape)
    return np.clip(pixels + grain, 0, 255).astype(np.uint8)


def test_light_changes_nothing_and_a_card_or_an_arm_does(table: Pixels) -> None:
    before = small(table)
    for gains in ((0.6, 0.6), (0.7, 1.0), (1.02, 0.7)):
        assert float((light_invariant_diff(before, small(noisy(lit(table, *gains), 1))) > 0.16).mean()) < 0.002
    card = light_invariant_diff(before, small(with_card(table, 450, 60)))
    assert float((card > 0.16).mean()) > 0.02 and not reaches_in(card)
    assert reaches_in(light_invariant_diff(before, small(with_arm(table))))


def test_blur_is_known(table: Pixels) -> None:
    blurred = np.asarray(cv2.GaussianBlur(table, (0, 0), 2.5), np.uint8)
    assert sharpness(blurred) < 0.6 * sharpness(table)


def ready_at(calm: StillnessDetector, pictures: list[Pixels], begins: float = 0.0) -> list[float]:
    """When, at ten pictures a second, a picture can be taken."""
    seen = [calm.see(noisy(pixels, n), begins + n / 10) for n, pixels in enumerate(pictures)]
    return [begins + n / 10 for n, one in enumerate(seen) if one.ready >= 1]


def test_a_hand_that_rests_holds_the_picture_up_until_it_leaves(table: Pixels) -> None:
    seen = ready_at(StillnessDetector(), [table] * 10 + [with_arm(table)] * 40 + [with_card(table, 450, 60)] * 30)
    assert seen and seen[0] == pytest.approx(7.0, abs=0.15)


def test_a_thing_put_down_at_the_edge_does_not_hold_it_up_for_ever(table: Pixels) -> None:
    assert ready_at(StillnessDetector(), [table] * 10 + [with_arm(table)] * 100)


def test_the_same_cards_are_taken_once_and_new_ones_again(table: Pixels) -> None:
    calm = StillnessDetector()
    assert ready_at(calm, [table] * 25)
    calm.taken(table)
    assert not ready_at(calm, [lit(table, 0.8, 0.7)] * 40, begins=2.5)
    assert not ready_at(calm, [table] * 30, begins=60.0), "nor when somebody comes back to the page"
    assert ready_at(calm, [with_card(table, 450, 60)] * 40, begins=63.0)


@pytest.mark.parametrize("number", range(3))
def test_one_picture_of_a_drawn_film_after_the_last_card(number: int) -> None:
    found = watch(draw_film(np.random.default_rng([5, number]), [draw_deck("film", 0)]))
    assert found.good, found


def test_the_grain_of_an_empty_table_is_no_sharp_picture_and_no_measure_for_cards() -> None:
    plain, watch = np.full((360, 640, 3), 110, np.uint8), StillnessDetector()
    empty = [watch.see(noisy(plain, count), count / 12) for count in range(48)]
    assert all(calm.empty and not calm.ready for calm in empty[1:])
    laid = [watch.see(noisy(with_card(plain, 300, 120), count), count / 12) for count in range(48, 84)]
    assert laid[-1].ready == 1 and not laid[-1].empty
