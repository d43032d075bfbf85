"""What is told of a find."""

from __future__ import annotations

import numpy as np
import pytest

from scorer.faces import RANKS
from vision.arrays import floats
from vision.detect.detector import Detections
from vision.geometry import BOX_SHARE
from vision.recognise import index_classifier, outline_refiner
from vision.recognise.classify import ClassifiedDetections
from vision.recognise.index_classifier import ClassScores
from vision.rescore.features import BASE_FEATURES, NODE_FEATURES, base_features, card_axes, node_features

WIDTH, HEIGHT = 100.0, 150.0
JOKER = len(RANKS)
SIZE = (640, 400)


def named(*finds: tuple[float, float, float, int], turned: tuple[int, ...] = ()) -> ClassifiedDetections:
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
    found = Detections(
        floats(boxes).reshape(-1, 4), floats([find[2] for find in finds]), floats(quads).reshape(-1, 4, 2)
    )
    suits = np.tile(floats([0.97, 0.01, 0.01, 0.01]), (count, 1))
    names = ClassScores(
        ranks,
        suits,
        np.full(count, 0.05, np.float32),
        np.zeros((count, 2), np.float32),
        np.zeros((count, index_classifier.EMBEDDING_SIZE), np.float32),
    )
    real, windows = np.full(count, 0.9, np.float32), np.zeros((count, outline_refiner.EMBEDDING_SIZE), np.float32)
    return ClassifiedDetections(
        found, range(count), [False] * count, names, real, windows, np.full(count, -9, np.float32), SIZE
    )


def sign(name: str, of: ClassifiedDetections, place: int = 0) -> float:
    return float(base_features(of)[place, BASE_FEATURES.index(name)])


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


def test_no_find_has_nothing_told_of_it() -> None:
    assert base_features(named()).shape == (0, len(BASE_FEATURES)) and node_features(named()).shape == (
        0,
        NODE_FEATURES,
    )


def test_what_is_told_of_a_find_says_which_quarters_of_its_card_are_in_the_picture() -> None:
    finds = named((200, 200, 0.9, 4), (-50, 200, 0.9, 4), (200, 315, 0.9, 4))
    told = node_features(finds)
    assert told.shape == (3, NODE_FEATURES) and np.isfinite(told).all()
    near_high, near_low, far_high, far_low = told[:, -6:-2].T
    assert (near_high[0], near_low[0], far_high[0], far_low[0]) == (1, 1, 1, 1)
    assert near_high[1] < 0.5 and far_high[1] == far_low[1] == 1, "its left half is out"
    assert near_high[2] == far_high[2] == 1 and near_low[2] < 0.5, "its lower half is out"


def test_a_card_seen_in_its_right_hand_corner_is_told_as_in_a_mirror() -> None:
    left = named((100, 100, 0.9, 4))
    right = ClassifiedDetections(
        left.found, left.places, [True], left.names, left.real, left.windows, -left.leans, left.size
    )
    own, along, down = card_axes(right)
    assert own[0] == pytest.approx([200, 100])
    assert along[0] == pytest.approx([-WIDTH, 0]) and down[0] == pytest.approx([0, HEIGHT])
