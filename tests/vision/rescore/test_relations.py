"""The relations network is told no rank, only whether it is a joker's sign, and weighs names it is given."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.vision.rescore.synthetic import classified
from vision.arrays import Floats, floats, softmax
from vision.detect.detections import ROI_EMBEDDING, ClassifiedDetections
from vision.rescore.pair_features import NEIGHBOURS
from vision.rescore.relations import (
    EDGE_FEATURES,
    INPUT_NAMES,
    NODE_FEATURES,
    Relations,
    log_shares,
    relation_inputs,
)


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
