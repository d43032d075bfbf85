"""Metrics against the ground truth, and their report."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from datasets.arrays import floats
from datasets.scenes.tables import Table, TrueCard, TrueIndex
from models.evaluate.metrics import Metrics, misread, score_faces, score_table
from models.evaluate.report import as_json, contact_sheet, line, readable
from scorer.faces import Face
from vision.values import Group, Quad, Reading, SeenCard


def reading(*cards: tuple[str, float]) -> Reading:
    seen = tuple(SeenCard(Face.parse(face), 1.0, (), square(x)) for face, x in cards)
    return Reading(640, 480, 0.1, seen, (), ())


def square(x: float) -> Quad:
    return ((x, 0.0), (x + 100, 0.0), (x + 100, 140.0), (x, 140.0))


def true_card(face: str, x: float) -> TrueCard:
    return TrueCard(Face.parse(face), floats(square(x)), 0, "meld")


def test_scores_faces_as_found_wrong_and_missed() -> None:
    metrics = Metrics()
    assert not score_faces(metrics, reading(("8H", 0), ("KC", 200)), ["8H", "9H", "KD"], ranks_only=False)
    assert (metrics.found, metrics.wrong, metrics.missed, metrics.right_suit) == (2, 0, 1, 1)
    assert score_faces(metrics, reading(("8H", 0)), ["8"], ranks_only=True)
    assert metrics.exact == 1


def test_a_named_card_keeps_its_whole_name_as_its_rank() -> None:
    metrics = Metrics()
    assert score_faces(metrics, reading(("LORD", 0), ("8", 100)), ["8", "LORD"], ranks_only=False)
    assert (metrics.found, metrics.missed, metrics.right_suit) == (2, 0, 2)
    table = Table(np.zeros((480, 640, 3), np.uint8), (true_card("LADY", 0), true_card("8", 300)), (), 1)
    ((true, card),) = misread(table, reading(("LORD", 0), ("8", 300)).cards)
    assert (str(true), str(card.face)) == ("LADY", "LORD")


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
    assert (misread.wrong, misread.missed, misread.confused) == (1, 1, Counter({"K>4": 1}))


def test_misplaced_card_still_counts_towards_the_number_of_its_rank() -> None:
    table = Table(np.zeros((480, 640, 3), np.uint8), (true_card("8H", 0), true_card("KC", 300)), (), 1)
    metrics = Metrics()
    assert not score_table(metrics, reading(("8H", 0), ("KC", 390)), table)
    assert (metrics.found, metrics.wrong, metrics.missed, metrics.exact, metrics.counted) == (1, 1, 1, 0, 1)
    for read in (reading(("8H", 0), ("QC", 300)), reading(("8H", 0)), reading(("8H", 0), ("KC", 300), ("KC", 420))):
        score_table(metrics, read, table)
        assert metrics.counted == 1
    assert score_faces(metrics, reading(("8H", 0), ("KC", 0)), ["KC", "8H"], ranks_only=False) and metrics.counted == 2
    assert "exactly right 1 (20.0%), counted right 2;" in line("drawn", metrics)
    assert as_json("drawn", metrics)["counted"] == 2


def test_scores_identical_neighbours_and_ignores_partial_cards() -> None:
    table = Table(
        np.zeros((480, 640, 3), np.uint8),
        (true_card("8H", 0), true_card("8H", 130), true_card("KC", 300)),
        (),
        1,
        partial=(true_card("QC", 450),),
    )
    whole = Metrics()
    assert score_table(whole, reading(("8H", 4), ("8H", 128), ("KC", 300), ("QC", 452)), table)
    assert (whole.identical_pairs, whole.identical_pairs_right, whole.exact, whole.undoubted_wrong) == (1, 1, 1, 0)
    broken = Metrics()
    assert not score_table(broken, reading(("8H", 4), ("9C", 300), ("4C", 450)), table)
    assert (broken.found, broken.wrong, broken.missed, broken.identical_pairs_right) == (1, 2, 2, 0)
    assert broken.confused == Counter({"K>9": 1})
    assert broken.undoubted_wrong == 1


def meld(*cards: str, step: float = 30) -> Table:
    """Cards in one column, each with one readable index 20 pixels high."""
    true_card = tuple(
        TrueCard(Face.parse(face), floats(square(step * i)), 0, "meld", "column") for i, face in enumerate(cards)
    )
    indices = tuple(TrueIndex(i, card.quad, False, 20.0) for i, card in enumerate(true_card))
    return Table(np.zeros((480, 640, 3), np.uint8), true_card, indices, 0)


def grouped(read: Reading, *groups: tuple[int, ...], doubt: str | None = None) -> Reading:
    return replace(read, groups=tuple(Group(members, "meld", "8", None, doubt, "") for members in groups))


def test_counts_cards_by_height_layout_and_kind() -> None:
    metrics = Metrics()
    score_table(metrics, reading(("8H", 0), ("8S", 200), ("9C", 400)), meld("8H", "8S", "JK", step=200))
    assert {sort: (part.found, part.missed) for sort, part in metrics.parts.items()} == {
        "rank 16 to 24 px": (2, 1),
        "column": (2, 1),
        "meld card": (2, 0),
        "joker": (0, 1),
    }


def test_meld_is_grouped_right_with_all_its_cards_and_no_other() -> None:
    table = meld("8H", "8S", "8D", step=200)
    seen = reading(("8H", 0), ("8S", 200), ("8D", 400))
    for groups, right in ((((0, 1, 2),), 1), (((0, 1), (2,)), 0)):
        metrics = Metrics()
        score_table(metrics, grouped(seen, *groups), table)
        assert (metrics.melds, metrics.melds_right) == (1, right)


def test_partly_hidden_card_may_be_in_its_meld_but_in_no_other() -> None:
    whole, more = meld("8H", "8S", "8D", step=150), meld("8C", step=150).cards[0]
    seen = reading(("8H", 0), ("8S", 150), ("8D", 300), ("8C", 450))
    for group, groups, right in (
        (0, ((0, 1, 2, 3),), 1),
        (0, ((0, 1, 2), (3,)), 1),
        (1, ((0, 1, 2, 3),), 0),
        (1, ((0, 1, 2), (3,)), 1),
    ):
        table = replace(whole, partial=(replace(more, quad=floats(square(450)), group=group),))
        metrics = Metrics()
        assert score_table(metrics, grouped(seen, *groups), table)
        assert (metrics.melds, metrics.melds_right) == (1, right)


def test_meld_with_missed_cards_counts_as_not_grouped() -> None:
    metrics = Metrics()
    score_table(metrics, grouped(reading(("8H", 0)), (0,)), meld("8H", "8S", "8D", step=200))
    assert (metrics.melds, metrics.melds_right) == (1, 0)


def test_reliability_and_trade_off_follow_the_confidence() -> None:
    def sure(confidence: float, read: Reading) -> Reading:
        return replace(read, cards=tuple(replace(card, confidence=confidence) for card in read.cards))

    metrics = Metrics()
    score_table(metrics, sure(0.97, reading(("8H", 0))), meld("8H"), "right")
    score_table(metrics, sure(0.85, reading(("9H", 0))), meld("8H"), "wrong")
    by_range = {low: (cards, right) for low, _, cards, right in metrics.reliability()}
    assert by_range[0.95] == (1, 1)
    assert by_range[0.8] == (1, 0)
    curve = {bound: (doubtful_table, silent) for bound, doubtful_table, silent in metrics.trade_off()}
    assert curve[0.8] == (0.0, 0.5)
    assert curve[0.9] == (0.5, 0.0)
    assert curve[0.98] == (1.0, 0.0)


def test_line_json_and_report_agree(tmp_path: Path) -> None:
    metrics, table = Metrics(), meld("8H", "8S", step=200)
    read = reading(("8H", 0), ("9S", 200))
    score_table(metrics, read, table, "one")
    assert "found 1, wrong 1, missed 1" in line("drawn", metrics)
    document = json.loads(json.dumps(as_json("drawn", metrics)))
    assert (document["found"], document["exact"], document["confused"]) == (1, 0, {"8>9": 1})
    assert document["mistakes"] == {"one": 2}
    page = readable("drawn", metrics)
    assert "| column | 1 | 1 | 50.0% |" in page
    sheet = contact_sheet([("one", table.picture, read)])
    assert sheet.shape == (504, 1920, 3)
    assert cv2.imwrite(str(tmp_path / "worst.jpg"), sheet)
