"""Which frames are read."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.live.motion import small
from vision.memory.pictures.stills import LOOKS, StillFinder, changed
from vision.memory.zones import Zone
from vision.values import Pixels


def table(*corners: tuple[int, int]) -> Pixels:
    """A green table with noise and a white card at each corner given."""
    pixels = np.random.default_rng(0).integers(60, 70, (360, 640, 3)).astype(np.uint8)
    for x, y in corners:
        pixels[y : y + 60, x : x + 40] = 230
        pixels[y + 8 : y + 20, x + 6 : x + 14] = 20
    return pixels


CROWDED = [(x, y) for x in range(20, 600, 60) for y in (20, 110, 200)]
BOXES = [[(20, 20), (260, 20), (260, 340), (20, 340)], [(380, 20), (620, 20), (620, 340), (380, 340)]]
"""Where two sides lay their cards; the draw pile lies between."""


def read_at(frames: list[Pixels], zones: Sequence[Zone] = ()) -> list[int]:
    finder = StillFinder()
    return [i for i, pixels in enumerate(frames) if finder.see(pixels, i / 4, zones)]


def with_arm(pixels: Pixels, tip: int, x: int = 320) -> Pixels:
    """An arm that reaches up from the lower edge to a height."""
    drawn = pixels.copy()
    drawn[tip:, x - 30 : x + 30] = 150
    return drawn


def test_each_state_is_read_some_times_and_then_left_alone() -> None:
    before, after = table((200, 100)), table((200, 100), (400, 200))
    read = read_at([before] * 20 + [after] * 20)
    assert [i < 20 for i in read] == [True] * LOOKS + [False] * LOOKS


def test_a_table_over_which_a_hand_was_is_read_again_though_it_looks_the_same() -> None:
    still, hand = table((200, 100)), table((200, 100))
    hand[100:260, :300] = 150
    read = read_at([still] * 20 + [hand] + [still] * 20)
    assert [i < 20 for i in read] == [True] * LOOKS + [False] * LOOKS


def test_a_lamp_is_no_change() -> None:
    before = table((200, 100))
    brighter = np.clip(before.astype(np.float32) * 1.08, 0, 255).astype(np.uint8)
    everywhere = np.ones((90, 160), np.bool_)
    assert not changed(small(before), small(brighter), everywhere)
    assert changed(small(before), small(table((200, 100), (400, 200))), everywhere)


def test_a_table_that_was_bumped_is_read_again_soon() -> None:
    before = table((200, 100), (0, 200), (600, 100))
    after = np.roll(before, 9, axis=(1)).astype(np.uint8)
    read = read_at([before] * 8 + [after] * 10)
    assert any(8 < i <= 8 + 8 for i in read)


def test_a_hand_that_moves_in_is_not_read() -> None:
    still = table((200, 100))
    hands = []
    for i in range(8):
        frame = still.copy()
        frame[150 + 12 * (i % 2) : 260 + 12 * (i % 2), :200] = 150
        hands.append(frame)
    read = read_at([still] * 8 + hands)
    assert all(i < 8 for i in read)


def test_hands_at_the_draw_pile_keep_no_box_from_being_read() -> None:
    before, after = table((200, 100)), table((200, 100), (400, 200))
    busy = [with_arm(after, 100 + 70 * (i % 3)) for i in range(20)]
    assert read_at([before] * 20 + busy, BOXES)[LOOKS:] == read_at([before] * 20 + [after] * 20, BOXES)[LOOKS:]
    assert all(i < 20 for i in read_at([before] * 20 + busy)), "as long as nobody said where the boxes are"


def test_what_lies_outside_the_boxes_makes_no_look() -> None:
    before, after = table((200, 100)), table((200, 100), (300, 200))
    assert all(i < 20 for i in read_at([before] * 20 + [after] * 20, BOXES))


def test_an_arm_over_a_box_or_over_a_card_that_sticks_out_of_it_is_not_read() -> None:
    still = table((200, 100), (246, 200))
    for x in (140, 270):
        arms = [with_arm(still, 150 + 40 * (i % 2), x=x) for i in range(8)]
        rests = [with_arm(still, 150, x=140)] * 4
        assert all(i < 8 for i in read_at([still] * 8 + arms, BOXES)), x
        assert all(i < 8 for i in read_at([still] * 8 + rests, BOXES))


def test_a_camera_that_trembles_on_its_stand_is_read_as_if_it_stood_still() -> None:
    before, after = table(*CROWDED), table(*CROWDED, (440, 290))
    still, trembling = ([before] * 12 + [after] * 12, list[Pixels]())
    for i, pixels in enumerate(still):
        shift = np.array([[1, 0, (i % 3) - 1], [0, 1, 0.5 - (i % 2)]], np.float32)
        trembling.append(np.asarray(cv2.warpAffine(pixels, shift, (640, 360), borderMode=cv2.BORDER_REPLICATE)))
    assert read_at(trembling) == read_at(still)
