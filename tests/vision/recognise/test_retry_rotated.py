"""Detections whose cards lie another way up than the detector reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.layouts import CARD_MM, SceneCard
from datasets.scenes.tables import Table, draw_table
from scorer.faces import RANKS, Face
from tests.vision.rescore.synthetic import classified
from vision.crops.pyramid import pyramid
from vision.detect.detections import ClassifiedDetections, Detections
from vision.detect.multi_scale import detect
from vision.engines.load import load_detector, load_index_classifier, load_outline_refiner
from vision.geometry import quad_width
from vision.recognise.pipeline import RefinerAndClassifier
from vision.recognise.retry_rotated import NO_RETRY_DISTANCE, retry_rotated, rotated, rotation_candidates

RANKS_LAID = ("9", "K", "4", "A", "7", "Q")


@dataclass(frozen=True)
class Row:
    """A drawn row of cards, and what the detector reports of it."""

    table: Table
    detections: Detections

    def nearest(self, card: int, detections: Detections) -> int:
        """The index of the detection nearest to a card's own corner."""
        return int(np.hypot(*(detections.quads[:, 0] - self.table.cards[card].quad[0]).T).argmin())

    def classified(self, detections: Detections) -> ClassifiedDetections:
        networks, levels = two_networks(), pyramid(self.table.picture)
        return networks.classify(levels, networks.refine(levels, detections))


def two_networks() -> RefinerAndClassifier:
    return RefinerAndClassifier(load_outline_refiner(), load_index_classifier())


def lay_row(ranks: Sequence[str] = RANKS_LAID) -> Row:
    deck = draw_deck("drawn-11", 11)
    laid = []
    for place, rank in enumerate(ranks):
        face = Face(rank, "HS"[place % 2])
        x = (place - len(ranks) / 2) * 0.4 * CARD_MM
        laid.append(SceneCard(deck, face, deck.faces[face][0], x, 0.0, 0.0, 0, "meld", "row"))
    table = draw_table(
        np.random.default_rng(3), [deck], (900, 500), card_pixels=130, max_tilt=0.01, clean=True, cards=laid
    )
    return Row(table, detect(load_detector(), table.picture).snapped_to_boxes())


@pytest.fixture(scope="module")
def row() -> Row:
    return lay_row()


def retried(row: Row, detections: ClassifiedDetections) -> ClassifiedDetections:
    levels = pyramid(row.table.picture)
    return retry_rotated(two_networks(), levels, detections)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_detection_the_wrong_way_up_is_rotated_until_it_is_confident(row: Row, quarters: int) -> None:
    card = 2
    true, index = row.table.cards[card], row.nearest(card, row.detections)
    quads = row.detections.quads.copy()
    quads[index] = rotated(quads[index, None], np.array([False]), np.array([quarters]))[0]
    centre = row.detections.box_centres()[index]
    wrong = row.classified(replace(row.detections, quads=quads))
    n = int(np.hypot(*(wrong.box_centres() - centre).T).argmin())
    candidates = rotation_candidates(wrong).tolist()
    assert n in candidates
    right = retried(row, wrong)
    assert right.quads[n] == pytest.approx(true.quad, abs=0.09 * quad_width(true.quad))
    assert right.ranks[n].argmax() == RANKS.index(true.face.rank) and right.no_index[n] < 0.1
    assert len(right) == len(wrong) and not right.index_on_right[n] and right.p_index[n] > 0.9
    assert np.array_equal(right.boxes, wrong.boxes) and np.array_equal(right.scores, wrong.scores)
    others = [m for m in range(len(wrong)) if m not in candidates]
    assert np.array_equal(right.quads[others], wrong.quads[others])


def test_confident_detections_stay_as_they_are(row: Row) -> None:
    detections = row.classified(row.detections)
    confident = np.setdiff1d(np.arange(len(detections)), rotation_candidates(detections))
    after = retried(row, detections)
    assert len(confident) >= len(RANKS_LAID)
    assert np.array_equal(after.quads[confident], detections.quads[confident])
    assert np.array_equal(after.ranks[confident], detections.ranks[confident])


def test_nothing_is_rotated_beside_a_confident_detection() -> None:
    apart = 100 * NO_RETRY_DISTANCE
    detections = classified((0, 0, 0.9, 4), (apart - 2, 0, 0.1, 4), (apart + 2, 0, 0.1, 4))
    doubtful = replace(detections, no_index=np.array([0.05, 0.9, 0.9], np.float32))
    assert rotation_candidates(doubtful).tolist() == [2]
    assert rotation_candidates(detections).tolist() == []


def test_what_neither_detector_nor_refiner_takes_for_an_index_is_not_rotated() -> None:
    detections = classified((0, 0, 0.04, 4), (200, 0, 0.04, 4), (400, 0, 0.2, 4))
    doubtful = replace(
        detections, no_index=np.full(3, 0.9, np.float32), p_index=np.array([0.02, 0.5, 0.02], np.float32)
    )
    assert rotation_candidates(doubtful).tolist() == [1, 2]


def test_without_detections_nothing_is_rotated(row: Row) -> None:
    assert len(retried(row, row.classified(Detections.empty()))) == 0


def test_four_quarters_are_a_whole_turn() -> None:
    quad = np.array([[100, 50], [200, 60], [195, 210], [95, 200]], np.float32)
    both, on_right = np.stack([quad, quad]), np.array([False, True])
    around = both
    for _ in range(4):
        around = rotated(around, on_right, np.array([1, 1]))
    assert around == pytest.approx(both, abs=1.5)
    assert rotated(both, on_right, np.array([4, 0])) == pytest.approx(both)
