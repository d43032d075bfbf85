"""Drawn households, and what people agree to there."""

from __future__ import annotations

import numpy as np

from datasets.scenes.tables import Table, TrueCard
from models.evaluate.households import agreed, draw_household
from scorer.faces import Face
from vision.arrays import floats
from vision.values import Reading, SeenCard


def card(face: str, x: float) -> SeenCard:
    return SeenCard(Face.parse(face), 0.99, (), ((x, 0), (x + 100, 0), (x + 100, 140), (x, 140)))


def laid(*faces: tuple[str, float]) -> Table:
    cards = tuple(TrueCard(Face.parse(face), floats(card(face, x).quad), 0, "meld") for face, x in faces)
    return Table(np.zeros((1, 1, 3), np.uint8), cards, (), 0)


def test_people_correct_remove_and_add() -> None:
    reading = Reading(900, 200, 0, (card("7H", 0), card("8H", 200), card("JK", 400)), (), ())
    cards, added = agreed(reading, laid(("7H", 0), ("9H", 200), ("KS", 700)), np.random.default_rng(0))
    assert [one.rank for one in cards] == ["7", "9", None]
    assert [one.rank for one in added] == ["K"]
    assert added[0].place in (None, (750.0, 70.0))


def test_people_err_as_often_as_they_are_said_to() -> None:
    reading = Reading(900, 200, 0, (card("7H", 0), card("8H", 200)), (), ())
    table_there = laid(("7H", 0), ("8H", 200))
    ranks = [
        tuple(one.rank for one in agreed(reading, table_there, np.random.default_rng(seed), mistakes=0.5)[0])
        for seed in range(40)
    ]
    wrong = sum(first != "7" for first, _ in ranks) + sum(second != "8" for _, second in ranks)
    assert 8 < wrong < 32  # half of the mistakes hit the right rank: one in four


def test_a_household_keeps_its_deck_and_camera() -> None:
    first, again = draw_household(1, 5, []), draw_household(1, 5, [])
    assert (first.size, first.card_width, first.tilt) == (again.size, again.card_width, again.tilt)
    assert draw_household(1, 6, []).card_width != first.card_width
