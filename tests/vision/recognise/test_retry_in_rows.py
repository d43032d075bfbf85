"""Missed cards that the neighbours in their row point to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scorer.faces import RANKS
from tests.vision.recognise.test_retry_rotated import RANKS_LAID, Row, lay_row, two_networks
from tests.vision.rescore.synthetic import HEIGHT, PICTURE_SIZE, WIDTH, classified
from vision.arrays import Floats
from vision.crops.pyramid import pyramid
from vision.detect.detections import ClassifiedDetections, Detections
from vision.geometry import quad_width
from vision.recognise.pipeline import recognise
from vision.recognise.retry_in_rows import GUESS_SCORE, guesses, retry_in_rows


@pytest.fixture(scope="module")
def row() -> Row:
    return lay_row()


def without(detections: Detections, near: np.ndarray, reach: float) -> Detections:
    """All detections but those whose card's own corner lies within ``reach`` pixels of ``near``."""
    return detections.select(np.hypot(*(detections.quads[:, 0] - near).T) > reach)


def retried(row: Row, known: ClassifiedDetections, hints: Floats) -> ClassifiedDetections:
    levels = pyramid(row.table.picture)
    return retry_in_rows(two_networks(), levels, known, hints)


@pytest.mark.parametrize("card", [0, 2, len(RANKS_LAID) - 2])
def test_a_card_of_a_row_that_the_detector_missed_is_read(row: Row, card: int) -> None:
    true = row.table.cards[card]
    known = row.classified(without(row.detections, true.quad[0], 0.2 * quad_width(true.quad)))
    hints = row.detections.box_centres()[[row.nearest(card, row.detections)]]
    after = retried(row, known, hints)
    new = [n for n in range(len(known), len(after)) if after.no_index[n] < 0.1]
    assert [RANKS[after.ranks[n].argmax()] for n in new] == [true.face.rank]
    assert after.quads[new[0]] == pytest.approx(true.quad, abs=0.08 * quad_width(true.quad))
    assert after.scores[new[0]] == pytest.approx(GUESS_SCORE)
    assert not after.index_on_right_by_box()[new[0]] and not after.index_on_right[new[0]]
    assert np.array_equal(after.quads[: len(known)], known.quads), "what was known stays"
    elsewhere = retried(row, known, hints + quad_width(true.quad))
    assert len(elsewhere) == len(known), "nothing is tried where the detector had no hint"


def test_a_complete_row_gains_no_card(row: Row) -> None:
    plain = row.classified(row.detections.split_by_confidence()[0])
    assert len(guesses(plain)[0])
    levels = pyramid(row.table.picture)
    after = recognise(two_networks(), levels, row.detections)
    gained = range(len(plain), len(after))
    assert not [n for n in gained if after.no_index[n] < 0.1 and after.p_index[n] > 0.9]


def guessed_corners(*corners: tuple[float, float, float, int]) -> list[list[float]]:
    quads, on_right = guesses(classified(*corners))
    assert len(quads) == len(on_right) and not on_right.any()
    return sorted(quads[:, 0].tolist())


def test_two_neighbours_point_to_the_next_card_on_either_side() -> None:
    assert guessed_corners((200, 100, 0.9, 4), (220, 100, 0.9, 4)) == [[180, 100], [240, 100]]


def test_neighbours_far_enough_apart_may_have_a_card_between_them() -> None:
    assert guessed_corners((200, 100, 0.9, 4), (260, 100, 0.9, 4)) == [[140, 100], [230, 100], [320, 100]]


def test_no_card_is_guessed_at_a_known_index_or_outside_the_picture() -> None:
    row = guessed_corners((200, 100, 0.9, 4), (240, 100, 0.9, 4), (280, 100, 0.9, 4))
    assert row == [[120, 100], [160, 100], [220, 100], [260, 100], [320, 100], [360, 100]]
    assert guessed_corners((5, 100, 0.9, 4), (25, 100, 0.9, 4)) == [[45, 100]]
    right = PICTURE_SIZE[0] - 10.0
    assert guessed_corners((right - 20, 100, 0.9, 4), (right, 100, 0.9, 4)) == [[right - 40, 100]]


def test_cards_far_apart_or_turned_point_to_none() -> None:
    assert guessed_corners((50, 100, 0.9, 4), (50 + 1.4 * WIDTH, 100, 0.9, 4)) == []
    detections = classified((200, 100, 0.9, 4), (220, 100, 0.9, 4))
    crosswise = detections.quads.copy()
    crosswise[1] = np.array([[220.0, 100.0], [220.0, 100 + WIDTH], [220 - HEIGHT, 100 + WIDTH], [220 - HEIGHT, 100.0]])
    assert not len(guesses(replace(detections, quads=crosswise))[0])


def test_detections_without_confidence_point_to_none() -> None:
    detections = classified((200, 100, 0.9, 4), (220, 100, 0.9, 4))
    doubtful = replace(detections, no_index=np.array([0.05, 0.6], np.float32))
    assert not len(guesses(doubtful)[0])


def test_without_detections_nothing_is_added(row: Row) -> None:
    nothing = row.classified(Detections.empty())
    assert len(retried(row, nothing, row.detections.box_centres())) == 0
