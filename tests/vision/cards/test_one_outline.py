"""Two indices on one closed sheet of paper are one card, whatever outlines they predicted."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scorer.faces import RANKS
from vision.arrays import Floats, floats
from vision.cards import pairing
from vision.cards.dedupe import Corner
from vision.cards.one_outline import joined_by_outline, joint_outline
from vision.cards.pairing import pair
from vision.values import Pixels


@pytest.fixture(autouse=True)
def _strict_pairing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairing that forgives no wrong height, so that all is left to the outline."""
    monkeypatch.setattr(pairing, "FORESHORTENED", 1.0)


CARD = floats([[200, 100], [320, 100], [320, 310], [200, 310]])
"""A tall card."""


def predicted(outline: Floats, rank: str, at: int = 0, height: float = 160.0) -> Corner:
    """The index at corner ``at`` of the card, which takes it for one only ``height`` pixels high; on the right where
    ``at`` is odd."""
    right = bool(at % 2)
    quad = np.roll(outline, -2 if at >= 2 else 0, axis=0)
    down = (quad[3] - quad[0]) / np.hypot(*(quad[3] - quad[0])) * height
    quad = floats([quad[0], quad[1], quad[1] + down, quad[0] + down])
    ranks = np.full(14, 0.001, np.float32)
    ranks[RANKS.index(rank)] = 0.987
    return Corner(quad, right, quad[int(right)], 0.9, ranks, np.full(4, 0.25, np.float32), 4.0)


def picture(*sheets: Floats, table: int = 60) -> Pixels:
    """White sheets with a grey rim on a table."""
    pixels = np.full((420, 640, 3), table, np.uint8)
    for sheet in sheets:
        cv2.fillConvexPoly(pixels, np.rint(sheet).astype(np.int32), (225, 225, 225))
        cv2.polylines(pixels, [np.rint(sheet).astype(np.int32)], True, (150, 150, 150), 1)
    return pixels


def cards(pixels: Pixels, *corners: Corner) -> list[set[int]]:
    return sorted(({m.index for m in members} for members in joined_by_outline(pair(corners), pixels)), key=min)


@pytest.mark.parametrize("ends", [(0, 2), (1, 3)])
@pytest.mark.parametrize("height", [150.0, 290.0])
def test_two_indices_on_one_sheet_of_another_height_are_one_card(ends: tuple[int, int], height: float) -> None:
    corners = [predicted(CARD, "7", end, height) for end in ends]
    assert len(pair(corners)) == 2
    (members,) = joined_by_outline(pair(corners), picture(CARD))
    assert np.abs(members[0].corner.quad - CARD).max() < 4
    assert np.abs(np.roll(members[1].corner.quad, 2, axis=0) - CARD).max() < 4


def test_four_indices_on_one_sheet_are_one_card() -> None:
    corners = [predicted(CARD, "7", at) for at in range(4)]
    assert len(pair(corners)) == 2
    assert cards(picture(CARD), *corners) == [{0, 1, 2, 3}]


def test_two_sheets_with_an_edge_between_are_two_cards() -> None:
    upper, lower = CARD + floats([0, -45]), CARD + floats([0, 45])
    corners = [predicted(upper, "7", 0, 250), predicted(lower, "7", 2, 250)]
    assert len(pair(corners)) == 2
    assert cards(picture(upper, lower), *corners) == [{0}, {1}]


def test_two_sheets_askew_are_two_cards() -> None:
    other = CARD + floats([30, 60])
    corners = [predicted(CARD, "7", 0), predicted(other, "7", 2)]
    assert cards(picture(CARD, other), *corners) == [{0}, {1}]
    assert cards(picture(other, CARD), *corners) == [{0}, {1}]


def test_names_and_directions_count_as_well() -> None:
    assert cards(picture(CARD), predicted(CARD, "7"), predicted(CARD, "8", 2)) == [{0}, {1}]
    assert cards(picture(CARD), predicted(CARD, "7"), predicted(CARD + floats([9, 9]), "7")) == [{0}, {1}]


def test_a_joint_outline_follows_both_perspectives() -> None:
    outline = floats([[100, 100], [200, 90], [240, 260], [80, 240]])
    for shift, right in ((0, False), (1, True)):
        a, b = outline.copy(), np.roll(outline, 2, axis=0)
        for index in (a, b):  # each takes the card for two thirds as large, from its own corner
            index += (index[shift] - index) / 3
        assert np.abs(joint_outline(a, b, right) - outline).max() < 0.1
