"""Cards that their neighbours in a row tell of."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scorer.faces import RANKS
from tests.vision.recognise.test_retry_rotated import RANKS_LAID, Row, lay_row
from tests.vision.rescore.test_features import HEIGHT, SIZE, WIDTH, named
from vision.crops.pyramid import pyramid
from vision.detect.detector import Detections
from vision.engines.load import load_index_classifier, load_outline_refiner
from vision.geometry import width_of
from vision.recognise.pipeline import recognise
from vision.recognise.retry_in_rows import GUESSED, guesses, retry_in_rows


@pytest.fixture(scope="module")
def row() -> Row:
    return lay_row()


def without(found: Detections, near: np.ndarray, reach: float) -> Detections:
    """All finds but those whose card's own corner lies within ``reach`` pixels of ``near``."""
    return found.select(np.hypot(*(found.quads[:, 0] - near).T) > reach)


@pytest.mark.parametrize("card", [0, 2, len(RANKS_LAID) - 2])
def test_a_card_of_a_row_that_the_finder_missed_is_read(row: Row, card: int) -> None:
    true = row.table.cards[card]
    known = row.named(without(row.found, true.quad[0], 0.2 * width_of(true.quad)))
    faint = row.found.box_centres()[[np.hypot(*(row.found.quads[:, 0] - true.quad[0]).T).argmin()]]
    seen = retry_in_rows(load_outline_refiner(), load_index_classifier(), pyramid(row.table.picture), known, faint)
    new = [n for n in range(len(known.places), len(seen.places)) if seen.names.none[n] < 0.1]
    assert [RANKS[seen.names.ranks[n].argmax()] for n in new] == [true.face.rank]
    place = seen.places[new[0]]
    assert seen.found.quads[place] == pytest.approx(true.quad, abs=0.08 * width_of(true.quad))
    assert seen.found.scores[place] == pytest.approx(GUESSED)
    assert not seen.found.index_on_right_by_box()[place] and not seen.rights[new[0]]
    count = len(seen.places)
    assert len(seen.rights) == len(seen.names.ranks) == len(seen.real) == len(seen.windows) == len(seen.leans) == count
    assert np.array_equal(seen.found.quads[: len(known.found)], known.found.quads), "what was found stays"
    unseen = retry_in_rows(
        load_outline_refiner(), load_index_classifier(), pyramid(row.table.picture), known, faint + width_of(true.quad)
    )
    assert len(unseen.places) == len(known.places), "nothing is looked for where the finder saw nothing at all"


def test_a_whole_row_gains_no_card(row: Row) -> None:
    plain = row.named(row.found.split_by_confidence()[0])
    assert len(guesses(plain)[0])
    seen = recognise(load_outline_refiner(), load_index_classifier(), pyramid(row.table.picture), row.found)
    gained = range(len(plain.places), len(seen.places))
    assert not [n for n in gained if seen.names.none[n] < 0.1 and seen.real[n] > 0.9]


def corners(*finds: tuple[float, float, float, int]) -> list[list[float]]:
    quads, rights = guesses(named(*finds))
    assert len(quads) == len(rights) and not rights.any()
    return sorted(quads[:, 0].tolist())


def test_two_neighbours_tell_of_the_next_on_either_side() -> None:
    assert corners((200, 100, 0.9, 4), (220, 100, 0.9, 4)) == [[180, 100], [240, 100]]


def test_where_neighbours_lie_far_enough_apart_one_may_lie_between() -> None:
    assert corners((200, 100, 0.9, 4), (260, 100, 0.9, 4)) == [[140, 100], [230, 100], [320, 100]]


def test_no_card_is_looked_for_where_one_is_found_or_outside_the_picture() -> None:
    row = corners((200, 100, 0.9, 4), (240, 100, 0.9, 4), (280, 100, 0.9, 4))
    assert row == [[120, 100], [160, 100], [220, 100], [260, 100], [320, 100], [360, 100]]
    assert corners((5, 100, 0.9, 4), (25, 100, 0.9, 4)) == [[45, 100]]
    right = SIZE[0] - 10.0
    assert corners((right - 20, 100, 0.9, 4), (right, 100, 0.9, 4)) == [[right - 40, 100]]


def test_cards_far_apart_or_turned_tell_of_none() -> None:
    assert corners((50, 100, 0.9, 4), (50 + 1.4 * WIDTH, 100, 0.9, 4)) == []
    finds = named((200, 100, 0.9, 4), (220, 100, 0.9, 4))
    crosswise = finds.found.quads.copy()
    crosswise[1] = np.array([[220.0, 100.0], [220.0, 100 + WIDTH], [220 - HEIGHT, 100 + WIDTH], [220 - HEIGHT, 100.0]])
    assert not len(guesses(replace(finds, found=replace(finds.found, quads=crosswise)))[0])


def test_finds_that_make_no_sense_tell_of_none() -> None:
    finds = named((200, 100, 0.9, 4), (220, 100, 0.9, 4))
    shy = replace(finds.names, none=np.array([0.05, 0.6], np.float32))
    assert not len(guesses(replace(finds, names=shy))[0])


def test_nothing_found_nothing_more_is_seen(row: Row) -> None:
    nothing = row.named(Detections.empty())
    assert (
        len(
            retry_in_rows(
                load_outline_refiner(),
                load_index_classifier(),
                pyramid(row.table.picture),
                nothing,
                row.found.box_centres(),
            ).places
        )
        == 0
    )
