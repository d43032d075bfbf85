"""What is weighed of a find, and what that makes it worth."""

from __future__ import annotations

import numpy as np
import pytest

from scorer.faces import RANKS
from vision.believing import SIGNS, signs
from vision.finder import Found
from vision.geometry import BOX_SHARE, floats
from vision.judging import load_judges
from vision.namer import Names
from vision.naming import Named
from vision.reader import REAL
from vision.trees import Trees

WIDTH, HEIGHT = 100.0, 150.0
JOKER = len(RANKS)
RISING = ("found", "real", "some", "rank", "suit", "found around", "mate")


def named(*finds: tuple[float, float, float, int], turned: tuple[int, ...] = ()) -> Named:
    """Finds (x, y, score, rank), each in the left corner of an upright card at its place; the ``turned`` ones stand in
    the far corner of the card there, upside down."""
    quads, boxes = [], []
    for place, (x, y, _, _) in enumerate(finds):
        quad = floats([[x, y], [x + WIDTH, y], [x + WIDTH, y + HEIGHT], [x, y + HEIGHT]])
        size = floats([BOX_SHARE[0] * WIDTH, BOX_SHARE[1] * HEIGHT])
        low = quad[2] - size if place in turned else quad[0]
        quads.append(np.roll(quad, 2, axis=0) if place in turned else quad)
        boxes.append(np.concatenate([low, low + size]))
    count = len(finds)
    ranks = np.full((count, JOKER + 1), 0.001, np.float32)
    for place, find in enumerate(finds):
        ranks[place, find[3]] = 1 - 0.001 * JOKER
    found = Found(floats(boxes).reshape(-1, 4), floats([find[2] for find in finds]), floats(quads).reshape(-1, 4, 2))
    suits = np.tile(floats([0.97, 0.01, 0.01, 0.01]), (count, 1))
    names = Names(ranks, suits, np.full(count, 0.05, np.float32), np.zeros((count, 2), np.float32))
    return Named(found, range(count), [False] * count, names)


def sign(name: str, of: Named, place: int = 0) -> float:
    return float(signs(of, np.full(len(of.found), 0.9, np.float32))[place, SIGNS.index(name)])


def test_a_joker_found_in_several_places_is_found_more_than_once() -> None:
    alone, several = named((0, 0, 0.2, JOKER)), named((0, 0, 0.2, JOKER), (15, 0, 0.2, JOKER), (0, 15, 0.2, JOKER))
    assert sign("found", alone) == sign("found", several)
    assert sign("found around", alone) < sign("found around", several)
    assert sign("same rank around", alone) < sign("same rank around", several)
    other = named((0, 0, 0.2, JOKER), (15, 0, 0.2, 3))
    assert sign("found around", other) == sign("found around", alone)
    assert sign("other rank around", other) > sign("other rank around", alone)


def test_the_other_end_of_a_card_speaks_for_an_index() -> None:
    with_mate = named((0, 0, 0.3, 4), (0, 0, 0.9, 4), turned=(1,))
    assert sign("mate", with_mate) == pytest.approx(0.9, abs=0.01)
    assert sign("mate", named((0, 0, 0.3, 4), (0, 0, 0.9, 5), turned=(1,))) == 0
    assert sign("mate", named((0, 0, 0.3, 4), (300, 0, 0.9, 4), turned=(1,))) < 0.01


def test_a_card_of_another_size_than_the_sure_ones_stands_out() -> None:
    row = named((0, 0, 0.3, 4), *((200 * i, 0, 0.9, 4) for i in range(1, 4)))
    assert sign("size", row) == pytest.approx(0, abs=1e-3)
    row.found.quads[0] *= 2
    assert sign("size", row) == pytest.approx(np.log(2), abs=1e-3)


@pytest.fixture(scope="module")
def belief() -> Trees:
    return load_judges().belief


def test_no_find_has_no_signs_and_no_belief(belief: Trees) -> None:
    given = signs(named(), np.zeros(0, np.float32))
    assert given.shape == (0, len(SIGNS)) and belief(given).shape == (0,)


def test_each_word_for_an_index_makes_it_no_less_likely(belief: Trees) -> None:
    finds = named(*[(300 * i, 0, score, 4) for i, score in enumerate((0.05, 0.1, 0.2, 0.4, 0.7))])
    given = signs(finds, np.full(5, 0.95, np.float32))
    before = belief(given)
    assert before[0] < REAL < 0.9 < before[-1] < 1
    for word in RISING:
        better = given.copy()
        better[:, SIGNS.index(word)] += 2
        assert (belief(better) >= before - 1e-6).all(), word
