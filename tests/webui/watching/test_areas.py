"""Where each side lays its cards: boxes that are proposed, drawn, kept to the table, and what lies outside them."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.live.test_table_markers import camera, photo
from tests.vision.memory.sequences import card, column
from tests.webui.watching.tables import EIGHTS, KINGS, LEFT, Table
from vision.values import DEFAULT_HOUSE_RULES
from webui.watching.areas import Areas, drawn, marks_in, proposals
from webui.watching.film import Film

SIDES = range(2, 9)


@pytest.mark.parametrize("sides", SIDES)
def test_the_proposed_boxes_lie_apart_and_away_from_the_middle(sides: int) -> None:
    for boxes in proposals(sides):
        assert drawn(json.dumps(boxes), sides) == boxes
        painted = np.zeros((100, 100), np.uint8)
        for box in boxes:
            own = np.zeros_like(painted)
            cv2.fillPoly(own, [np.round(np.asarray(box) * 99).astype(np.int32)], 1)
            assert own.sum() > 300
            painted += own
        assert painted.max() == 1, "no place is two sides'"
        assert not painted[48:52, 48:52].any(), "the draw and discard piles lie in the middle"


@pytest.mark.parametrize("sides", SIDES)
def test_each_turn_gives_every_side_another_box_until_all_had_all(sides: int) -> None:
    firsts = [str(boxes[0]) for boxes in proposals(sides)]
    assert len(set(firsts)) == len(firsts) >= sides


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "[]",
        "[" * 100_000,
        json.dumps(proposals(2)[0][:1]),
        json.dumps([*proposals(2)[0][:1], [[0.6, 0.1], [0.9, 0.9], [0.9, 0.1], [0.6, 0.9]]]),
        json.dumps([*proposals(2)[0][:1], [[0.6, 0.1]] * 4]),
        json.dumps([*proposals(2)[0][:1], [[0.6, 0.1], [0.9, 0.1], [0.9, 0.9], [float("nan"), 0.9]]]),
        json.dumps([*proposals(2)[0][:1], [[0.6, 0.1], [0.9, 0.1], [0.9, 99], [0.6, 99]]]),
        json.dumps([*proposals(2)[0][:1], "abcd"]),
        json.dumps([{}, {}]),
        json.dumps([*proposals(2)[0][:1], [[10**400, 0.1], [0.9, 0.1], [0.9, 0.9], [0.6, 0.9]]]),
    ],
)
def test_what_is_no_box_for_each_side_is_refused(sent: str) -> None:
    with pytest.raises(ValueError):
        drawn(sent, 2)


def test_boxes_keep_to_the_marked_table_when_the_camera_is_moved() -> None:
    table = np.array([[[-300.0, -150], [-50, -150], [-50, 150], [-300, 150]]])
    views = camera(20, 5), camera(28, -8, 4)
    before, after = (photo(view, 3) for view in views)
    there, then = (cv2.perspectiveTransform(table, view)[0] for view in views)
    box = (there / (before.shape[1], before.shape[0])).tolist()
    assert np.abs(np.asarray(Areas([box], marks_in(before)).zones(after)[0]) - then).max() < 25
    assert np.abs(np.asarray(Areas([box]).zones(after)[0]) - there).max() < 1, "without marks they keep to the picture"


def test_of_three_sides_each_has_its_box_and_what_lies_outside_is_not_read(tmp_path: Path) -> None:
    boxes = proposals(3)[0]
    table = Table(tmp_path, Film(1, "2026-11-27T20:00:00+00:00", 1, "Ann", "", areas=Areas(boxes)))
    table.wait()
    table.lay(*EIGHTS, *KINGS, *column("5H 5S 5D", 300, 230), card("4S", 300, 150), card("4D", 302, 152))
    groups = table.film.remembered(DEFAULT_HOUSE_RULES).groups()
    assert [(group["rank"], group["side"]) for group in groups] == [("8", 0), ("K", 1), ("5", 2)]
    assert "4" not in {track.face.rank for track in table.recorder._watching.memory.state.tracks.values()}


def test_boxes_said_before_the_first_picture_after_a_restart_hold(tmp_path: Path) -> None:
    before = Table(tmp_path)
    before.wait()
    before.lay(*EIGHTS)
    after = Table(tmp_path, before.stored())
    after.cards = before.cards
    after.recorder.set_areas(LEFT.boxes[::-1])
    after.wait()
    assert [group["side"] for group in after.film.remembered(DEFAULT_HOUSE_RULES).groups()] == [1]


def test_a_later_round_begins_with_the_boxes_as_they_lie_now(tmp_path: Path) -> None:
    film = Film(1, "", 1, "Ann", "", areas=LEFT, size=[640, 360])
    film.memory = {"zones": [[[64, 36], [320, 36], [320, 180], [64, 180]]] * 2}
    assert film.areas_now is not None
    assert film.areas_now.boxes == [[[0.1, 0.1], [0.5, 0.1], [0.5, 0.5], [0.1, 0.5]]] * 2
