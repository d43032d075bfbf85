"""Drawn households, what people agree to there, and the evaluation of their rounds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.tables import Table, TrueCard
from models.evaluate.households.__main__ import kept_results, table
from models.evaluate.households.drawn import Household, agreed, draw_household
from models.evaluate.households.rounds import RoundResult, read_rounds
from scorer.faces import Face
from vision.arrays import floats
from vision.reader import load_reader
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


@pytest.mark.by_hand
def test_what_a_round_teaches_changes_how_the_next_ones_are_read() -> None:
    household, reader = Household(draw_deck("d", 3), (1280, 960), 70.0, 0.5, (1, 1)), load_reader()
    learned = list(read_rounds(reader, household, 3))
    nothing = list(read_rounds(reader, household, 3, learns=False))
    assert [one.number for one in learned] == [1, 2, 3]
    assert learned[0] == nothing[0] and learned != nothing


def test_results_are_counted_by_rounds() -> None:
    results = [
        RoundResult(0, 1, 20, 0, 0, 1, 0, {"low-confidence": 2}),
        RoundResult(0, 2, 20, 0, 0, 1, 0, {}),
        RoundResult(0, 3, 20, 1, 2, 1, 1, {}),
    ]
    assert [one.is_quiet for one in results] == [False, True, False]
    assert [one.is_silent for one in results] == [False, False, True]
    lines = table(results).splitlines()
    assert lines[2] == (
        "| 1 to 1 | 1 | 0.000 (0.000 to 0.000) | 1.000 (1.000 to 1.000) | 0.000 (0.000 to 0.000) "
        "| 0.000 (0.000 to 0.000) | 2.000 (2.000 to 2.000) | 0 of 1 |"
    )
    assert lines[3].startswith("| 2 to 3 | 2 | 0.500 (0.500 to 0.500) |") and lines[3].endswith("| 1 of 2 |")


def test_the_difference_to_other_results_is_of_the_same_households() -> None:
    results = [RoundResult(home, 1, 20, home, 0, 1, 0, {}) for home in range(10)]
    others = [RoundResult(home, 1, 20, home + 1, 0, 1, 0, {"low-confidence": home % 2}) for home in range(10)]
    figures = table(results, others).splitlines()[2].split(" | ")
    assert figures[2].startswith("0.100 (0.000 to 0.3"), "household 0 is right, and was not"
    assert figures[5] == "-1.000 (-1.000 to -1.000)" and figures[6].startswith("-0.500 (-0.8")


def test_results_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    assert kept_results(path) == []
    path.write_text("no result\n")
    with pytest.raises(ValueError, match="expected results of households"):
        kept_results(path)
