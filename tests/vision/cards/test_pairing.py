"""Pairing: which indices stand on one card."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scorer.faces import RANKS
from vision.arrays import floats
from vision.cards.dedupe import Corner
from vision.cards.pairing import Member, outlines, pair

CARD = floats([[0, 0], [100, 0], [100, 140], [0, 140]])


def corner(
    x: float, y: float, rank: str, turned: bool = False, right: bool = False, off: float = 0.0, placed: float = 4.0
) -> Corner:
    """The top left (or, turned, bottom right) index of a card with its top left corner at (x, y).

    ``off`` shifts the far corners of its outline; ``placed`` is its ``side_log_odds``.
    """
    quad = CARD + floats([x, y])
    quad = np.roll(quad, 2, axis=0) if turned else quad
    quad = quad + floats([[0.0, 0.0], [off, 0.0], [off, off], [0.0, off]])
    ranks = np.full(14, 0.001, np.float32)
    ranks[RANKS.index(rank)] = 0.987
    middle = quad[1 if right else 0] * 0.9 + quad.mean(0) * 0.1
    suits = np.full(4, 0.25, np.float32)
    return Corner(quad.astype(np.float32), right, middle.astype(np.float32), 0.9, ranks, suits, placed)


def cards(corners: list[Corner]) -> list[set[int]]:
    return sorted(({member.index for member in members} for members in pair(corners)), key=min)


def test_two_opposite_indices_are_one_card() -> None:
    assert cards([corner(0, 0, "8"), corner(0, 0, "8", turned=True, off=6)]) == [{0, 1}]


def test_identical_cards_half_a_card_apart_are_two() -> None:
    assert cards([corner(0, 0, "8"), corner(50, 0, "8")]) == [{0}, {1}]


def test_two_indices_that_claim_one_position_are_two_cards() -> None:
    assert cards([corner(0, 0, "8"), corner(9, 9, "8")]) == [{0}, {1}]


def test_different_ranks_are_two_cards() -> None:
    assert cards([corner(0, 0, "8"), corner(0, 0, "K", turned=True)]) == [{0}, {1}]


def test_the_far_index_of_a_cascade_belongs_to_the_top_card() -> None:
    tops = [corner(0, 25 * i, "9") for i in range(4)]
    far = corner(0, 75, "9", turned=True, off=3)
    assert cards([*tops, far]) == [{0}, {1}, {2}, {3, 4}]


def test_the_cheapest_link_gives_way_to_two_others() -> None:
    row = [corner(0, 0, "9"), corner(20, 0, "9", turned=True), corner(26, 0, "9"), corner(46, 0, "9", turned=True)]
    assert cards(row) == [{0, 1}, {2, 3}]


def test_four_indices_are_one_card() -> None:
    all_four = [corner(0, 0, "A", turned=t, right=r, off=2) for t in (False, True) for r in (False, True)]
    assert cards(all_four) == [{0, 1, 2, 3}]


def test_with_four_indices_a_card_an_index_on_the_wrong_side_is_moved() -> None:
    known = [corner(0, 0, "A"), corner(0, 0, "A", right=True), corner(0, 0, "A", turned=True)]
    left = corner(0, 300, "5")
    mistaken = corner(82, 300, "5", off=2)  # the right index of the same card, mistaken for a left one
    assert cards([*known, left, mistaken]) == [{0, 1, 2}, {3, 4}]


def test_with_two_indices_a_card_no_index_changes_sides() -> None:
    assert cards([corner(0, 0, "5"), corner(82, 0, "5"), corner(164, 0, "5")]) == [{0}, {1}, {2}]


def test_an_outline_takes_each_corner_from_the_nearest_index() -> None:
    near, far = corner(0, 0, "8", off=20), corner(0, 0, "8", turned=True)
    alone = Member(2, corner(300, 0, "8"), 0)
    quad, other = outlines([[Member(0, near, 0), Member(1, far, 1)], [alone]])
    assert np.abs(quad[0] - CARD[0]).max() < 1.5
    assert np.abs(quad[2] - CARD[2]).max() < 4
    assert other == pytest.approx(alone.corner.quad) and len(outlines([])) == 0


def test_an_index_changes_sides_only_where_its_own_side_is_uncertain() -> None:
    # a deck with four indices a card; one index of the third card has the wrong side
    known = [corner(x, 0, "A", right=right) for x in (0, 300) for right in (False, True)]
    for placed, expected in ((0.5, {4, 5}), (6.0, {4})):
        wrong = corner(600 + 82, 0, "A", placed=placed)
        found = cards([*known, corner(600, 0, "A"), wrong])
        assert expected in found


def _end(quad: list[list[float]]) -> Corner:
    return replace(corner(0, 0, "5"), quad=floats(quad), centre=floats(quad[0]))


def test_two_ends_of_a_card_whose_height_is_guessed_wrong_are_one_card() -> None:
    upper = _end([[0.0, 0.0], [100.0, 0.0], [100.0, 95.0], [0.0, 95.0]])
    low, beside = ([[x, 140.0], [x - 100, 140.0], [x - 100, 45.0], [x, 45.0]] for x in (100.0, 145.0))
    assert cards([upper, _end(low)]) == [{0, 1}]
    assert cards([upper, _end(beside)]) == [{0}, {1}], "but not one that lies beside it"
