"""Conflicts: cards that cannot lie on the table together."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from scorer.faces import Face
from vision.arrays import Floats, floats
from vision.cards.conflicts import without_conflicts
from vision.values import CornerReading, SeenCard, as_quad

WIDE, TALL = 100.0, 140.0


def quad(x: float, y: float, quarters: int = 0) -> Floats:
    """The outline of a card with its centre at (x, y), turned by quarters of a full turn."""
    angle = quarters * np.pi / 2
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = floats([[-WIDE, -TALL], [WIDE, -TALL], [WIDE, TALL], [-WIDE, TALL]]) / 2
    return floats(corners @ turn + (x, y))


def card(face: str, outline: Floats, sure: float, *indices: tuple[float, float]) -> SeenCard:
    """A card with the confidence ``sure`` and indices at these pixels."""
    seen = tuple(CornerReading((), (x - 8, y - 14, x + 8, y + 14), as_quad(outline), sure) for x, y in indices)
    return SeenCard(Face.parse(face), sure, (), as_quad(outline), corners=seen)


def faces(*cards: SeenCard) -> list[str]:
    return [str(card.face) for card in without_conflicts(cards)[0]]


def test_of_two_cards_in_conflict_the_more_confident_stays() -> None:
    sure = card("8H", quad(100, 100), 0.99, (60, 55))
    misread = card("JK", quad(95, 95), 0.7, (135, 145))
    for pair in ((sure, misread), (misread, sure)):
        kept, left_out = without_conflicts(pair)
        assert kept == [sure]
        assert len(left_out) == 1 and left_out[0] == pytest.approx(quad(95, 95))


def test_a_card_on_another_stays_where_both_indices_show() -> None:
    assert faces(card("8H", quad(100, 100), 0.99, (60, 55)), card("9H", quad(130, 100), 0.7, (90, 55))) == ["8H", "9H"]
    far = card("9H", quad(400, 100), 0.7, (360, 55))
    assert faces(card("8H", quad(100, 100), 0.99, (60, 55)), far) == ["8H", "9H"]
    assert faces() == [] and faces(far) == ["9H"]


def test_one_hidden_index_of_two_is_a_conflict() -> None:
    both = card("8H", quad(100, 100), 0.99, (60, 45), (140, 155))
    other = card("9H", quad(115, 125), 0.8, (75, 75))
    assert faces(both, other) == ["8H"]


def test_cards_of_one_rank_are_never_in_conflict() -> None:
    def both(face: str) -> list[str]:
        return faces(card("8H", quad(100, 100), 0.99, (65, 60)), card(face, quad(95, 95), 0.7, (135, 145)))

    assert both("8H") == ["8H", "8H"] and both("9H") == ["8H"]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_card_is_dropped_only_for_one_that_stays(order: tuple[int, ...]) -> None:
    # the first and the second are in conflict, and so are the second and the third
    three = [
        card("8H", quad(100, 100), 0.7, (80, 145)),
        card("9H", quad(120, 100), 0.9, (82, 55), (155, 145)),
        card("10H", quad(140, 100), 0.99, (105, 60)),
    ]
    assert sorted(faces(*(three[place] for place in order))) == ["10H", "8H"]


def test_cards_without_known_indices_stay() -> None:
    assert faces(card("8H", quad(100, 100), 0.99), card("9H", quad(101, 100), 0.7)) == ["8H", "9H"]


def test_a_joker_read_again_a_quarter_turned_is_one_joker() -> None:
    # its word at the top right, mistaken for one at the left of a card that lies across
    across = card("JK", quad(122, 80, 1), 0.9, (147, 51))
    straight = card("JK", quad(100, 100), 0.99, (58, 51))
    assert faces(straight, across) == ["JK"]
    assert faces(straight, replace(across, face=Face.parse("4D"))) == ["JK", "4D"], (
        "not enough for a conflict between different ranks"
    )


@pytest.mark.parametrize(("x", "left"), [(82, 1), (110, 2)])
def test_a_second_joker_that_shares_a_corner_is_the_same_joker(x: float, left: int) -> None:
    # neither hides an index of the other, but they share a corner, within two pixels or not
    straight = card("JK", quad(100, 100), 0.99, (62, 48))
    across = card("JK", quad(x, 122, 1), 0.9, (x + 61, 160))
    assert faces(straight, across) == faces(across, straight) == ["JK"] * left
    assert faces(straight, replace(across, face=Face.parse("4D"))) == ["JK", "4D"]


def test_a_joker_that_lies_across_another_stays() -> None:
    # the upper one covers an index position of the other, but its own index shows beyond the edge
    across = card("JK", quad(100, 100, 1), 0.9, (155, 60))
    assert faces(card("JK", quad(100, 100), 0.99, (62, 58)), across) == ["JK", "JK"]
