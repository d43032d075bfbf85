"""Metrics against the ground truth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.arrays import floats
from datasets.scenes.tables import Table, TrueCard
from models.evaluate.metrics import Metrics, score_faces, score_table
from scorer.faces import Face
from vision.values import Quad, Reading, SeenCard


def reading(*cards: tuple[str, float]) -> Reading:
    seen = tuple(SeenCard(Face.parse(face), 1.0, (), square(x)) for face, x in cards)
    return Reading(640, 480, 0.1, seen, (), ())


def square(x: float) -> Quad:
    return ((x, 0.0), (x + 100, 0.0), (x + 100, 140.0), (x, 140.0))


def true_card(face: str, x: float) -> TrueCard:
    return TrueCard(Face.parse(face), floats(square(x)), 0, "meld")


def test_scores_faces_as_found_wrong_and_missed() -> None:
    metrics = Metrics()
    assert not score_faces(metrics, reading(("8H", 0), ("KC", 200)), ["8H", "9H", "KD"])
    assert (metrics.found, metrics.wrong, metrics.missed) == (2, 0, 1)
    assert score_faces(metrics, reading(("8H", 0)), ["8"])
    assert metrics.exact == 1


def test_a_named_card_keeps_its_whole_name_as_its_rank() -> None:
    metrics = Metrics()
    assert score_faces(metrics, reading(("LORD", 0), ("8", 100)), ["8", "LORD"])
    assert (metrics.found, metrics.missed) == (2, 0)


def test_reading_of_a_partly_hidden_card_is_no_mistake_beside_a_missed_card() -> None:
    table = Table(
        np.zeros((480, 640, 3), np.uint8),
        (true_card("8H", 0), true_card("KC", 20)),
        (),
        1,
        partial=(true_card("QC", 34),),
    )
    metrics = Metrics()
    assert not score_table(metrics, reading(("8H", 2), ("QC", 25)), table)
    assert (metrics.found, metrics.wrong, metrics.missed) == (1, 0, 1)
    misread = Metrics()
    assert not score_table(misread, reading(("8H", 2), ("4C", 22)), table)
    assert (misread.wrong, misread.missed) == (1, 1)


def test_wrong_and_missed_cards_and_jokers_are_counted_and_partial_cards_ignored() -> None:
    table = Table(
        np.zeros((480, 640, 3), np.uint8),
        (true_card("8H", 0), true_card("JK", 130), true_card("KC", 300)),
        (),
        1,
        partial=(true_card("QC", 450),),
    )
    whole = Metrics()
    assert score_table(whole, reading(("8H", 4), ("JK", 128), ("KC", 300), ("QC", 452)), table)
    assert (whole.exact, whole.undoubted_wrong, whole.jokers, whole.jokers_missed) == (1, 0, 1, 0)
    broken = Metrics()
    assert not score_table(broken, reading(("8H", 4), ("9C", 300), ("4C", 450)), table)
    assert (broken.found, broken.wrong, broken.missed, broken.jokers_missed) == (1, 2, 2, 1)
    assert broken.undoubted_wrong == 1 and "found 1, wrong 2, missed 2" in broken.line("drawn")
    doubted = reading(("8H", 4))
    assert not score_table(broken, replace(doubted, cards=(replace(doubted.cards[0], doubt="unsure"),)), table)
    assert broken.undoubted_wrong == 1
