"""A phone that turns its picture, or gives another size, while a table is watched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.memory.sequences import card
from tests.webui.watching.tables import EIGHTS, HEIGHT, KINGS, STEP, WIDTH, Table, picture
from vision.arrays import Doubles
from vision.values import DEFAULT_HOUSE_RULES, Frame, Pixels, Reading, SeenCard
from webui.watching.turned_phone import View, as_before

TABLE = picture([*EIGHTS, *KINGS])
UPRIGHT = np.array([[0.9, 0.02, 60], [-0.01, 0.92, 300], [2e-5, -1e-5, 1]])
"""Pixels of the table's picture to those of a phone that stands upright now, and sees more of the room."""
LOCKED = np.array([[0.0, -0.55, 420], [0.55, 0.0, 4], [0, 0, 1]])
"""To those of a phone that was turned and whose browser does not turn its picture."""
OFF = np.array([[1.0, 0, -20], [0, 1.0, 140], [0, 0, 1]])
"""To those of a phone that sees less than all of the table now."""
TURNS = (cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE)


def clothed(cards: Sequence[SeenCard]) -> Pixels:
    """A table with a patterned cloth, and cards on which their names are written."""
    rng = np.random.default_rng(7)
    cloth = cv2.resize(
        rng.integers(30, 110, (45, 80, 3), dtype=np.uint8), (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC
    )
    pixels = np.where((picture(cards) == picture([])).all(2)[..., None], cloth, picture(cards)).astype(np.uint8)
    for one in cards:
        x, y = np.round(one.quad[0]).astype(int)
        cv2.putText(pixels, str(one.face), (int(x) + 3, int(y) + 13), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (30, 30, 120), 1)
    return pixels


def seen_by(pixels: Pixels, turn: Doubles, size: tuple[int, int]) -> Pixels:
    """A picture as a turned phone gives it, (width, height) of ``size``; around the table lies a floor."""
    return np.asarray(cv2.warpPerspective(pixels, turn, size, borderValue=(70, 80, 90)), np.uint8)


class Clothed(Table):
    """A table on which no two places look alike, seen by a phone that may be turned."""

    turn: Doubles | None = None
    size = (WIDTH, HEIGHT)

    def wait(self, stills: int = 10) -> None:
        pixels = clothed(self.cards)
        if self.turn is not None:
            pixels = seen_by(pixels, self.turn, self.size)
        for _ in range(stills):
            self.at += STEP
            self.recorder.see(pixels, self.at)

    def _read(self, frame: Frame) -> Reading:
        self.readings += 1
        part = cv2.matchTemplate(clothed(self.cards), frame.pixels, cv2.TM_SQDIFF)
        _, _, (left, top), _ = cv2.minMaxLoc(part)
        moved = [replace(one, quad=tuple((x - left, y - top) for x, y in one.quad)) for one in self.cards]  # type: ignore[arg-type]
        low, high = (0, 0), (frame.width, frame.height)
        whole = [one for one in moved if (np.min(one.quad, 0) >= low).all() and (np.max(one.quad, 0) <= high).all()]
        return Reading(frame.width, frame.height, 0.1, tuple(whole), (), ())


@pytest.mark.parametrize("turn", TURNS)
def test_a_turned_picture_is_turned_back(turn: int) -> None:
    found = as_before(np.asarray(cv2.rotate(TABLE, turn), np.uint8), TABLE)
    assert found is not None and np.array_equal(found, TABLE)


def test_one_that_is_upside_down_is_told_though_its_lamp_looks_alike_either_way() -> None:
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH]
    lamp = 2.2 * np.exp(-(((columns - WIDTH / 2) / 200) ** 2 + ((rows - HEIGHT / 2) / 120) ** 2))[..., None]
    lit = np.clip(picture(EIGHTS) * 0.5 * (0.3 + lamp), 0, 255).astype(np.uint8)
    found = as_before(np.asarray(cv2.rotate(lit, cv2.ROTATE_180), np.uint8), lit)
    assert found is not None and np.array_equal(found, lit)
    assert as_before(lit, lit) is lit


@pytest.mark.parametrize("turn", [None, *TURNS])
def test_one_of_another_size_is_sized_as_before(turn: int | None) -> None:
    larger = np.asarray(cv2.resize(TABLE, (1280, 720)), np.uint8)
    found = as_before(larger if turn is None else np.asarray(cv2.rotate(larger, turn), np.uint8), TABLE)
    assert found is not None and found.shape == TABLE.shape
    assert np.abs(found.astype(int) - TABLE).mean() < 3


def test_what_is_new_in_a_picture_of_the_same_size_turns_nothing() -> None:
    other = np.random.default_rng(1).integers(0, 255, TABLE.shape, np.uint8)
    assert View(TABLE).see(other) is other


def test_another_view_of_another_shape_is_refused() -> None:
    for other in (np.full((720, 960, 3), 90, np.uint8), np.random.default_rng(1).integers(0, 255, (640, 360, 3))):
        assert View(TABLE).see(np.asarray(other, np.uint8)) is None


@pytest.mark.parametrize(("onto", "size"), [(UPRIGHT, (720, 960)), (LOCKED, (640, 360))])
def test_a_phone_that_is_really_turned_goes_on(tmp_path: Path, onto: Doubles, size: tuple[int, int]) -> None:
    table = Clothed(tmp_path)
    table.wait()
    table.lay(*EIGHTS, *KINGS)
    table.turn, table.size = onto, size
    table.wait(20)
    assert table.recorder.trouble is None
    table.lay(card("8C", 60, 102))
    table.turn = None
    table.lay(card("KC", 460, 102))
    history = table.stored().remembered(DEFAULT_HOUSE_RULES).state.history
    assert [(change.what, *change.cards) for change in history][2:] == [("added", "8C"), ("added", "KC")]
    assert [shot.size for shot in table.film.shots] == [[640, 360]] * 4


def test_what_is_out_of_the_picture_of_a_turned_phone_is_told_and_stays_as_it_was(tmp_path: Path) -> None:
    table = Clothed(tmp_path)
    table.wait()
    table.lay(*EIGHTS, *KINGS)
    table.turn, table.size = OFF, (480, 640)
    table.wait(20)
    assert table.recorder.trouble and "Part of the table is out of the picture" in table.recorder.trouble
    table.lay(card("8C", 60, 102))
    table.turn = None
    table.wait()
    assert table.recorder.trouble is None
    history = table.stored().remembered(DEFAULT_HOUSE_RULES).state.history
    assert [change.what for change in history] == ["laid", "laid", "added"]


def test_while_the_phone_is_being_turned_nothing_is_read() -> None:
    table = clothed([*EIGHTS, *KINGS])
    view = View(table)
    for angle in (20, 45, 70, 90):
        turn = np.vstack([cv2.getRotationMatrix2D((320, 180), angle, 0.8), [0, 0, 1]])
        assert view.see(seen_by(table, turn, (640, 640))) is None
    found = view.see(seen_by(table, turn, (640, 640)))
    assert found is not None and np.abs(found.astype(int) - table)[20:-20, 20:-20].mean() < 12


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
        table.recorder.see(np.full((480, 480, 3), 90, np.uint8), table.at)
        assert table.recorder.trouble and "Turn the phone back" in table.recorder.trouble
    assert table.readings == readings
    table.lay(card("8C", 60, 102))
    assert len(table.film.shots) == 2 and table.recorder.trouble is None


def test_after_a_restart_a_phone_that_is_really_turned_goes_on(tmp_path: Path) -> None:
    before = Clothed(tmp_path)
    before.wait()
    before.lay(*EIGHTS, *KINGS)
    after = Clothed(tmp_path, before.stored())
    after.cards, after.turn, after.size = before.cards, UPRIGHT, (720, 960)
    after.wait(20)
    after.lay(card("8C", 60, 102))
    assert len(after.film.shots) == 3 and after.film.size == [640, 360]


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
