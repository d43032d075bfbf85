"""The relations network is told no rank, only whether it is a joker's sign, and weighs names it is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.layouts import CARD_MM, SceneCard
from datasets.scenes.tables import draw_table
from scorer.faces import Face
from tests.vision.rescore.synthetic import classified
from vision.arrays import Floats, floats, softmax
from vision.cards.dedupe import deduplicate
from vision.crops.pyramid import pyramid
from vision.detect.detections import ROI_EMBEDDING, ClassifiedDetections
from vision.detect.multi_scale import detect
from vision.doubts import ACCEPT
from vision.engines.load import load_detector, load_relations, load_roi_head, load_standard_head
from vision.images.decode import load_photo, photos_in
from vision.reader import load_reader
from vision.rescore.pair_features import NEIGHBOURS
from vision.rescore.relations import (
    EDGE_FEATURES,
    INPUT_NAMES,
    NODE_FEATURES,
    Relations,
    log_shares,
    relation_inputs,
)
from vision.values import Frame
from webui.settings import SAMPLES


def rois() -> ClassifiedDetections:
    corners = [(50.0 + 110 * (n % 4), 40.0 + 160 * (n // 4), 0.9 - 0.1 * n, n) for n in range(7)]
    found, rng = classified(*corners), np.random.default_rng(0)
    ranks = floats(rng.dirichlet(np.ones(14), len(found)))
    return ClassifiedDetections.extend(
        found, ranks=ranks, embedding=floats(rng.normal(size=(len(found), ROI_EMBEDDING)))
    )


def with_ranks(found: ClassifiedDetections, ranks: Floats) -> ClassifiedDetections:
    return ClassifiedDetections.extend(found, ranks=ranks)


def test_other_ranks_in_the_same_relation_are_the_same_to_it() -> None:
    found, order = rois(), [*np.random.default_rng(1).permutation(13), 13]  # a joker stays one
    told, renamed = relation_inputs(found), relation_inputs(with_ranks(found, floats(found.ranks[:, order])))
    assert tuple(told) == INPUT_NAMES
    assert told["told"].shape == (len(found), NODE_FEATURES)
    assert told["between"].shape == (len(found), NEIGHBOURS, EDGE_FEATURES)
    for name in INPUT_NAMES:
        assert np.abs(told[name].astype(float) - renamed[name]).max() < 1e-5, name
    joker = relation_inputs(with_ranks(found, floats(found.ranks[:, [13, *range(13)]])))
    assert np.abs(told["told"] - joker["told"]).max() > 0.1, "but it is told of a sign"


class Fixed:
    """A session that trusts each name twice, and each neighbour's by half."""

    def run(self, names: Any, inputs: dict[str, Any]) -> list[Floats]:
        count = len(inputs["told"])
        each, pairs = np.zeros(count, np.float32), np.zeros((count, NEIGHBOURS), np.float32)
        return [each, pairs, each + 2, pairs + 0.5]


RELATIONS = Relations(Fixed(), (0.0, 1.0, 0.2), (1.0, 0.8, 2.0))


def test_names_are_weighed_and_none_is_made() -> None:
    found = rois()
    scored = RELATIONS.score(found)
    inputs, names = relation_inputs(found), log_shares(found.ranks)
    others = [names[places[there]].sum(0) for places, there in zip(inputs["places"], inputs["there"], strict=True)]
    assert np.abs(scored.final_ranks - softmax(2 * names + 0.5 * floats(others))).max() < 1e-5
    assert np.abs(scored.p_keep - 0.5).max() < 1e-6


def test_no_detections_are_no_trouble() -> None:
    nothing = rois().select(np.zeros(0, int))
    assert relation_inputs(nothing)["told"].shape == (0, NODE_FEATURES)
    assert len(RELATIONS.score(nothing)) == 0


def test_a_card_that_is_surely_there_has_no_surer_name() -> None:
    assert RELATIONS.there_confidence(0.999, 2) > 0.99
    assert RELATIONS.name_confidence(0.23, 2) < 0.5
    assert RELATIONS.card_confidence(0.23, 0.999, 2) < 0.5 < RELATIONS.card_confidence(0.999, 0.999, 1)
    assert RELATIONS.card_confidence(0.9, 0.6, 1) < min(
        RELATIONS.name_confidence(0.9, 1), RELATIONS.there_confidence(0.6, 1)
    )


class Session:
    """Keeps every detection, and answers for each neighbour how likely it is the same."""

    def __init__(self, same: Sequence[float]) -> None:
        self.same, self.inputs = same, dict[str, Any]()

    def run(self, _names: list[str], inputs: dict[str, Any]) -> list[Floats]:
        self.inputs = inputs
        pairs = np.zeros((len(inputs["told"]), NEIGHBOURS), np.float32)
        pairs[:] = np.reshape(self.same, (-1, 1))
        each = np.full(len(pairs), 2.0, np.float32)
        return [each, pairs, each, pairs * 0]


def model_of(*same: float) -> tuple[Relations, Session]:
    session = Session(same)
    return Relations(session, (0.0, 1.0, 0.2), (1.0, 0.8, 2.0)), session


@pytest.fixture(scope="module")
def sample() -> ClassifiedDetections:
    """The detections of a sample table."""
    pixels = load_photo(photos_in(SAMPLES)[2]).pixels
    looked = load_roi_head().look(pyramid(pixels), detect(load_detector(), pixels).snapped_to_boxes())
    return load_standard_head().named(looked, (pixels.shape[1], pixels.shape[0]))


def test_without_detections_the_network_is_not_run() -> None:
    model, session = model_of(0.0)
    scored = model.score(classified())
    assert scored.p_keep.shape == (0,) and scored.p_same.shape == (0, 0) and not session.inputs


def test_two_neighbours_of_each_other_are_the_same_by_the_mean_of_both_scores() -> None:
    model, session = model_of(100.0, -100.0)
    scored = model.score(classified((0, 0, 0.9, 4), (20, 0, 0.8, 4)))
    assert set(session.inputs) == set(INPUT_NAMES)
    assert scored.p_keep == pytest.approx([0.8808] * 2, abs=1e-3)
    assert scored.p_same == pytest.approx(np.array([[0, 0.5], [0.5, 0]]))


def test_where_only_one_is_a_neighbour_of_the_other_its_score_counts() -> None:
    # the first is crowded: the last is none of its nearest, but it is one of the last one's
    crowd = [(0.5 * place, 0.0, 0.9, 4) for place in range(NEIGHBOURS + 1)]
    model, _ = model_of(*[-100.0] * len(crowd), 100.0)
    scored = model.score(classified(*crowd, (80, 0, 0.9, 4)))
    assert scored.p_same[-1, 0] == scored.p_same[0, -1] == 0
    assert scored.p_same[-1, -2] == pytest.approx(1) and scored.p_same[-2, -1] == pytest.approx(1)


def test_detections_far_apart_are_never_the_same() -> None:
    model, _ = model_of(100.0)
    assert not model.score(classified((0, 0, 0.9, 4), (900, 0, 0.8, 4))).p_same.any()


def test_the_order_of_detections_does_not_matter(sample: ClassifiedDetections) -> None:
    model = load_relations()
    before = model.score(sample)
    order = np.random.default_rng(0).permutation(len(sample))
    after = model.score(sample.select(order))
    assert after.p_keep == pytest.approx(before.p_keep[order], abs=1e-3)
    assert after.final_ranks == pytest.approx(before.final_ranks[order], abs=1e-3)
    assert after.p_same == pytest.approx(before.p_same[np.ix_(order, order)], abs=1e-3)


def test_an_index_detected_twice_counts_once(sample: ClassifiedDetections) -> None:
    """All detections once more, a little weaker and a little off."""
    model, count = load_relations(), len(sample)
    weaker = replace(sample, boxes=sample.boxes + 1, scores=floats(sample.scores * 0.9), quads=sample.quads + 1)
    once, twice = model.score(sample), model.score(ClassifiedDetections.concat([sample, weaker]))
    kept = deduplicate(once.p_keep, once.p_same, ACCEPT)
    both = deduplicate(twice.p_keep, twice.p_same, ACCEPT)
    assert len(kept) > 15 and abs(len(both) - len(kept)) <= 1
    assert len({n % count for n in both}) == len(both), "none counts twice"


@pytest.mark.parametrize("step", [0.2, 0.25, 0.4])
def test_cards_of_one_face_in_a_tight_row_are_all_counted(step: float) -> None:
    """The next card's index lies as near as a second detection of the same one may."""
    deck, five = draw_deck("row", 11), Face("5", "S")
    row = [
        SceneCard(deck, five, deck.faces[five][0], (place - 2) * step * CARD_MM, 0.0, 0.0, 0, "meld")
        for place in range(5)
    ]
    rng = np.random.default_rng(4)
    table = draw_table(rng, [deck], (1000, 700), card_pixels=150, max_tilt=0.0, clean=True, cards=row)
    assert len(table.cards) == 5
    reading = load_reader().read(Frame(table.picture, datetime.now(UTC), "row"))
    assert [str(card.face) for card in reading.cards] == ["5S"] * 5
