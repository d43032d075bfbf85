"""On which side of its card an index stands, told by the cards beside it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.test_pairing import corner
from vision.repeats import Corner
from vision.sides import AGAINST, LEAST, other_side, uncrossed

APART = 82.0
"""How far left of a card the one begins that would have the same index in its right corner, in the cards' pixels."""


def row(placed: float) -> list[Corner]:
    """Five cards that lie to the right over each other, of which but the last show just their left edges; the third is
    taken, so surely, to show its right one."""
    lefts = [corner(25 * n, 0, "8") for n in range(5)]
    lefts[2] = corner(50 - APART, 0, "8", right=True, placed=placed)
    return [*lefts, corner(100, 0, "8", right=True)]


def test_an_index_under_cards_that_lie_under_its_own_stands_on_the_other_side() -> None:
    mended = uncrossed(row(1.5))
    assert [one.right for one in mended] == [False] * 5 + [True]
    assert mended[2].quad == pytest.approx(corner(50, 0, "8").quad, abs=0.01)
    assert mended[2].placed == pytest.approx(2 * AGAINST - 1.5), "two cards spoke against where it stood"


def test_what_is_surer_than_the_others_speak_against_it_stays() -> None:
    sure = 2 * AGAINST + 0.5
    stays = uncrossed(row(sure))[2]
    assert stays.right and stays.placed == pytest.approx(sure - 2 * AGAINST)
    assert uncrossed(row(2 * AGAINST))[2].placed == pytest.approx(LEAST), "it stays, and is not sure"


def test_a_card_lies_under_all_its_own_indices() -> None:
    card = [corner(0, 0, "A", turned=turned, right=right, off=2) for turned in (False, True) for right in (False, True)]
    for before, after in zip(card, uncrossed(card), strict=True):
        assert after.right == before.right and after.placed >= before.placed


def test_decks_with_two_indices_are_left_as_they_are() -> None:
    cards = [corner(25 * n, 0, "8", placed=0.1) for n in range(9)] + [corner(50 - APART, 0, "8", right=True)]
    assert uncrossed(cards) == cards and uncrossed([]) == []


def test_the_other_side_of_the_other_side_is_where_it_began() -> None:
    one = corner(30, 40, "K")
    back = other_side(other_side(one))
    assert not back.right and other_side(one).right
    assert np.abs(back.quad - one.quad).max() < 0.01
