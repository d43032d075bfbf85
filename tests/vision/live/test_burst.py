"""A burst holds sharp frames of the same scene within the last second, and no others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import cv2
import numpy as np
import pytest

from tests.vision.live.test_motion import noisy, table, with_arm
from vision.live.burst import MAX_FRAMES, FrameBuffer
from vision.values import Frame, Pixels

__all__ = ["table"]
NOW = datetime(2026, 1, 2, 20, tzinfo=UTC)


def at(seconds: float, pixels: Pixels) -> Frame:
    return Frame(pixels, NOW + timedelta(seconds=seconds), "camera 0")


def blurred(pixels: Pixels) -> Pixels:
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), 2.5), np.uint8)


def buffer_after(pictures: list[Frame]) -> FrameBuffer:
    buffer = FrameBuffer()
    for frame in pictures:
        buffer.see(frame, (frame.taken_at - NOW).total_seconds())
    return buffer


def test_frames_of_one_scene_are_returned_sharpest_first(table: Pixels) -> None:
    pictures = [at(number / 12, noisy(table, number)) for number in range(60)]
    taken = at(5, cv2.GaussianBlur(pictures[0].pixels, (0, 0), 0.4).astype(np.uint8))
    found = buffer_after(pictures).burst(taken)
    assert len(found) == MAX_FRAMES and found[0] is not taken
    times = sorted(frame.taken_at for frame in found)
    assert times[0] >= NOW + timedelta(seconds=3.9)
    assert all(later - earlier >= timedelta(seconds=0.25) for earlier, later in pairwise(times))


@pytest.mark.parametrize(
    "other", [with_arm, blurred, lambda pixels: cv2.resize(pixels, (320, 180))], ids=["arm", "blur", "size"]
)
def test_a_frame_that_shows_something_else_is_left_out(other: object, table: Pixels) -> None:
    assert callable(other)
    pictures = [at(0, noisy(table, 1)), at(0.4, np.asarray(other(table), np.uint8))]
    taken = at(0.8, noisy(table, 2))
    assert {frame.taken_at for frame in buffer_after(pictures).burst(taken)} == {NOW, taken.taken_at}


def test_old_frames_are_left_out(table: Pixels) -> None:
    taken = at(60, table)
    assert buffer_after([at(0, noisy(table, 1))]).burst(taken) == (taken,)
