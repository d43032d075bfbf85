"""A phone that turns its picture, or gives another size, while a table is watched."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.memory.sequences import card
from tests.webui.watching.tables import EIGHTS, KINGS, Table, picture
from vision.errors import VisionError
from vision.values import DEFAULT_HOUSE_RULES
from webui.watching.turned import as_before

TABLE = picture([*EIGHTS, *KINGS])
TURNS = (cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE)


@pytest.mark.parametrize("turn", TURNS)
def test_a_turned_picture_is_turned_back(turn: int) -> None:
    found = as_before(np.asarray(cv2.rotate(TABLE, turn), np.uint8), TABLE)
    assert found is not None and np.array_equal(found, TABLE)


@pytest.mark.parametrize("turn", [None, *TURNS])
def test_one_of_another_size_is_sized_as_before(turn: int | None) -> None:
    larger = np.asarray(cv2.resize(TABLE, (1280, 720)), np.uint8)
    found = as_before(larger if turn is None else np.asarray(cv2.rotate(larger, turn), np.uint8), TABLE)
    assert found is not None and found.shape == TABLE.shape
    assert np.abs(found.astype(int) - TABLE).mean() < 3


def test_what_is_new_in_a_picture_of_the_same_size_turns_nothing() -> None:
    rng = np.random.default_rng(1)
    other = rng.integers(0, 255, TABLE.shape, np.uint8)
    assert as_before(other, TABLE) is other


def test_another_view_of_another_shape_is_refused() -> None:
    assert as_before(np.full((720, 960, 3), 90, np.uint8), TABLE) is None
    assert as_before(np.random.default_rng(1).integers(0, 255, (640, 360, 3), np.uint8), TABLE) is None


def test_a_phone_that_turns_while_they_play_changes_nothing_on_the_table(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.wait()
    table.lay(*EIGHTS, *KINGS)
    upright = picture(table.cards)
    for turn in TURNS:
        for _ in range(12):
            table.at += 0.25
            table.recorder.see(np.asarray(cv2.rotate(upright, turn), np.uint8), table.at)
    table.lay(card("8C", 60, 102))
    history = table.stored().remembered(DEFAULT_HOUSE_RULES).state.history
    assert [change.what for change in history] == ["laid", "laid", "added"]


def test_before_anything_was_laid_the_phone_may_be_turned_and_boxes_follow(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.recorder.see(np.full((640, 360, 3), 90, np.uint8), table.at)
    table.wait()
    table.lay(*EIGHTS, *KINGS)
    assert [group["side"] for group in table.film.remembered(DEFAULT_HOUSE_RULES).groups()] == [0, 1]


def test_a_view_that_does_not_fit_is_told_and_not_read(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.wait()
    table.lay(*EIGHTS)
    readings = table.readings
    for _ in range(10):
        table.at += 0.25
        with pytest.raises(VisionError, match="turn it back"):
            table.recorder.see(np.full((480, 480, 3), 90, np.uint8), table.at)
    assert table.readings == readings
    table.lay(card("8C", 60, 102))
    assert len(table.film.shots) == 2


def test_after_a_restart_the_last_picture_tells_how_it_was(tmp_path: Path) -> None:
    before = Table(tmp_path)
    before.wait()
    before.lay(*EIGHTS, *KINGS)
    after = Table(tmp_path, before.stored())
    after.cards = before.cards
    turned = np.asarray(cv2.rotate(picture(after.cards), cv2.ROTATE_90_CLOCKWISE), np.uint8)
    for _ in range(12):
        after.at += 0.25
        after.recorder.see(turned, after.at)
    assert len(after.film.shots) == 2 and after.readings
