"""Cards that lie in a photo and were not read are found by their paper, but nothing else is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import Floats, floats
from vision.checks.face_down import find_card_candidates
from vision.checks.unread import find_unread
from vision.geometry import UNIT
from vision.values import Pixels

CARD = UNIT * floats([80, 112])
READ = [CARD + floats([200, 100]), CARD + floats([320, 220])]
AT_EDGE = CARD + floats([600, 60])
FLAT = floats([[300, 20], [420, 24], [460, 56], [270, 50]])
HINTS = floats([[615, 90], [360, 40], [150, 360], [520, 124]])
"""Centres of unlikely detections."""


def photo(*cards: Floats, cloth: tuple[int, int, int] = (60, 90, 40), printed: bool = True) -> Pixels:
    """White cards, with two pips each, on a cloth."""
    pixels = np.full((420, 640, 3), cloth, np.uint8)
    for card in cards:
        cv2.fillConvexPoly(pixels, np.rint(card).astype(np.int32), (225, 225, 225))
        for share in (0.3, 0.7) if printed else ():
            x, y = card[0] * (1 - share) + card[2] * share
            cv2.circle(pixels, (round(x), round(y)), 6, (20, 20, 160), -1)
    return pixels


def found(pixels: Pixels) -> list[list[int]]:
    return [
        np.rint(centre).astype(int).tolist() for centre in find_unread(find_card_candidates(pixels, 80.0), READ, HINTS)
    ]


def test_all_cards_read_leaves_none() -> None:
    assert found(photo(*READ)) == []


@pytest.mark.parametrize(("card", "centre"), [(AT_EDGE, (620, 116)), (FLAT, (363, 38))])
def test_a_card_at_the_edge_or_seen_flat_is_told(card: Floats, centre: tuple[int, int]) -> None:
    ((x, y),) = found(photo(*READ, card))
    assert np.hypot(x - centre[0], y - centre[1]) < 12


def test_a_card_that_was_read_and_reaches_over_the_edge_is_none() -> None:
    pixels = photo(*READ, AT_EDGE)
    assert find_unread(find_card_candidates(pixels, 80.0), [*READ, AT_EDGE], HINTS) == []


def test_paper_without_a_hint_is_none() -> None:
    pixels = photo(*READ, AT_EDGE)
    assert find_unread(find_card_candidates(pixels, 80.0), READ, floats([[30, 30]])) == []


def test_other_things_are_no_cards() -> None:
    assert found(photo(*READ, AT_EDGE, printed=False)) == [], "a blank sheet"
    assert found(photo(*READ, UNIT * floats([300, 90]) + floats([0, 320]))) == [], "a large sheet"
    assert found(photo(*READ, UNIT * floats([90, 8]) + floats([480, 120]))) == [], "a narrow strip"


def test_on_a_table_as_pale_as_paper_nothing_is_told() -> None:
    assert found(photo(*READ, AT_EDGE, cloth=(215, 220, 225))) == []
