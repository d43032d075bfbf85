"""Hints at cards that may have been missed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scorer.faces import Face
from vision.arrays import Floats, floats
from vision.cards.missed import hint_missed
from vision.doubts import Doubt
from vision.values import SeenCard, as_quad


def quad(x: float, y: float = 0.0) -> Floats:
    return floats([[x, y], [x + 100, y], [x + 100, y + 140], [x, y + 140]])


def card(x: float, doubt: str | None = None) -> SeenCard:
    return SeenCard(Face("8", "H"), 0.99, (), as_quad(quad(x)), doubt)


def doubts(cards: list[SeenCard], *weak: Floats) -> list[str | None]:
    return [card.doubt for card in hint_missed(cards, weak)[0]]


def test_the_card_nearest_to_a_weak_detection_is_in_doubt() -> None:
    row = [card(0), card(120), card(240)]
    assert doubts(row, quad(260)) == [None, None, Doubt.PERHAPS_ANOTHER]
    assert doubts(row, quad(260), quad(20)) == [Doubt.PERHAPS_ANOTHER, None, Doubt.PERHAPS_ANOTHER]
    assert doubts(row) == [None, None, None]


@pytest.mark.parametrize("turn", [0, 2])
def test_a_weak_detection_on_a_card_that_was_read_is_ignored(turn: int) -> None:
    assert doubts([card(0), card(120)], np.roll(quad(123), turn, axis=0)) == [None, None]


def test_a_weak_detection_far_from_every_card_is_told_apart() -> None:
    (alone,), (apart,) = hint_missed([card(0)], [quad(20), quad(900)])
    assert alone.doubt == Doubt.PERHAPS_ANOTHER
    assert apart[0, 0] == 900
    assert doubts([], quad(0)) == []


def test_an_existing_doubt_stays() -> None:
    assert doubts([replace(card(0), doubt=Doubt.LOW_CONFIDENCE)], quad(20)) == [Doubt.LOW_CONFIDENCE]
