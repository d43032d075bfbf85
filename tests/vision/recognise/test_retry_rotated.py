"""Finds whose cards lie another way up than the finder said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.layouts import CARD_MM, SceneCard
from datasets.scenes.tables import Table, draw_table
from scorer.faces import RANKS, Face
from tests.vision.rescore.test_features import named
from vision.crops.pyramid import pyramid
from vision.detect.detector import Detections
from vision.detect.multi_scale import detect
from vision.engines.load import load_detector, load_index_classifier, load_outline_refiner
from vision.geometry import width_of
from vision.recognise.classify import ClassifiedDetections, classify_detections
from vision.recognise.retry_rotated import THERE, retry_rotated, rotation_candidates, turned

RANKS_LAID = ("9", "K", "4", "A", "7", "Q")


@dataclass(frozen=True)
class Row:
    """A drawn row of cards, and what the finder finds on it."""

    table: Table
    found: Detections

    def find_of(self, card: int) -> int:
        """The place of the find nearest to a card's own corner."""
        return int(np.hypot(*(self.found.quads[:, 0] - self.table.cards[card].quad[0]).T).argmin())

    def named(self, found: Detections) -> ClassifiedDetections:
        return classify_detections(
            load_index_classifier(),
            self.table.picture,
            load_outline_refiner().refine(pyramid(self.table.picture), found),
        )


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


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_find_the_wrong_way_up_is_turned_until_it_makes_sense(row: Row, quarters: int) -> None:
    card = 2
    true, place = row.table.cards[card], row.find_of(card)
    quads = row.found.quads.copy()
    quads[place] = turned(quads[place, None], np.array([False]), np.array([quarters]))[0]
    wrong = row.named(replace(row.found, quads=quads))
    n = list(wrong.places).index(place)
    assert n in rotation_candidates(wrong)
    right = retry_rotated(load_outline_refiner(), load_index_classifier(), pyramid(row.table.picture), wrong)
    assert right.found.quads[place] == pytest.approx(true.quad, abs=0.09 * width_of(true.quad))
    assert right.names.ranks[n].argmax() == RANKS.index(true.face.rank) and right.names.none[n] < 0.1
    assert list(right.places) == list(wrong.places) and not right.rights[n] and right.real[n] > 0.9
    others = [place for place in wrong.places if list(wrong.places).index(place) not in rotation_candidates(wrong)]
    assert np.array_equal(right.found.quads[others], wrong.found.quads[others])


def test_what_makes_sense_as_it_lies_stays(row: Row) -> None:
    seen = row.named(row.found)
    fine = [n for n in range(len(seen.places)) if n not in rotation_candidates(seen)]
    again = retry_rotated(load_outline_refiner(), load_index_classifier(), pyramid(row.table.picture), seen)
    places = [seen.places[n] for n in fine]
    assert len(fine) >= len(RANKS_LAID)
    assert np.array_equal(again.found.quads[places], seen.found.quads[places])
    assert np.array_equal(again.names.ranks[fine], seen.names.ranks[fine])


def test_beside_a_find_that_makes_sense_none_is_turned() -> None:
    apart = 100 * THERE
    finds = named((0, 0, 0.9, 4), (apart - 2, 0, 0.1, 4), (apart + 2, 0, 0.1, 4))
    shy = replace(finds.names, none=np.array([0.05, 0.9, 0.9], np.float32))
    assert rotation_candidates(replace(finds, names=shy)) == [2]
    assert rotation_candidates(finds) == []


def test_what_neither_finder_nor_settler_hopes_of_is_not_turned() -> None:
    finds = named((0, 0, 0.04, 4), (200, 0, 0.04, 4), (400, 0, 0.2, 4))
    shy = replace(finds.names, none=np.full(3, 0.9, np.float32))
    assert rotation_candidates(replace(finds, names=shy, real=np.array([0.02, 0.5, 0.02], np.float32))) == [1, 2]


def test_nothing_found_nothing_turned(row: Row) -> None:
    nothing = row.named(Detections.empty())
    assert (
        len(retry_rotated(load_outline_refiner(), load_index_classifier(), pyramid(row.table.picture), nothing).places)
        == 0
    )


def test_four_quarters_are_a_whole_turn() -> None:
    quad = np.array([[100, 50], [200, 60], [195, 210], [95, 200]], np.float32)
    both, rights = np.stack([quad, quad]), np.array([False, True])
    around = both
    for _ in range(4):
        around = turned(around, rights, np.array([1, 1]))
    assert around == pytest.approx(both, abs=1.5)
    assert turned(both, rights, np.array([4, 0])) == pytest.approx(both)
