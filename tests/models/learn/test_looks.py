"""Looks at drawn tables: of what they are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from datasets.decks.deck_art import DeckArt
from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.tables import Table
from datasets.scenes.world import World, draw_view
from models.learn import looks
from models.learn.looks import look_at_table
from models.samples.roi_head import NO_RANK, NOTHING, UNCLEAR, classes_of, shown_by
from models.samples.simulated import box_centre
from vision.arrays import Floats, floats
from vision.detect.detections import ROI_EMBEDDING, Detections, RefinedDetections
from vision.detect.vocabulary import STANDARD_VOCABULARY
from vision.geometry import quad_width


@pytest.fixture(scope="module")
def deck() -> DeckArt:
    return draw_deck("ours", 3)


class _Corrects:
    """In place of the RoI head: what it sees of a detection is the detection's number."""

    def look(self, levels: object, found: Detections) -> RefinedDetections:
        embedding = np.tile(np.arange(len(found), dtype=np.float32)[:, None], (1, ROI_EMBEDDING))
        ones = np.ones(len(found), np.float32)
        return RefinedDetections.extend(found, p_index=ones, right_logit=ones, embedding=embedding)


def _at(centres: Floats) -> Detections:
    quad = floats([[0, 0], [100, 0], [100, 140], [0, 140]])
    return Detections(
        floats(np.concatenate([centres - 5, centres + 5], 1)),
        floats(np.ones(len(centres))),
        floats(centres[:, None] + quad),
    )


def test_a_look_is_of_the_index_that_lies_there(deck: DeckArt, monkeypatch: pytest.MonkeyPatch) -> None:
    tables: list[Table] = []

    def found(rng: object, table: Table, detector: object) -> Detections:
        tables.append(table)
        places = [box_centre(index) for index in [*table.indices, *table.doubtful, *table.covered]]
        return _at(floats(np.stack([*places, floats([-500, -500])])))

    monkeypatch.setattr(looks, "detections_of", found)
    head: Any = _Corrects()
    hidden = 0
    for seed in range(6):
        seen = look_at_table(np.random.default_rng(seed), [deck], head, head, STANDARD_VOCABULARY)
        table, numbers = tables[-1], seen.embeddings[:, 0].astype(int)
        known = [*table.indices, *table.doubtful]
        assert set(range(len(known))) <= set(numbers)
        for row, number in enumerate(numbers):
            if number < len(known):
                assert (seen.ranks[row], seen.suits[row]) == classes_of(known[number].face)
        covered = [number - len(known) for number in numbers if number >= len(known)]
        assert covered.pop() == len(table.covered) and seen.ranks[-1] == NO_RANK
        for number in covered:  # in a pile another index lies there
            here = box_centre(table.covered[number])
            assert min(np.hypot(*(box_centre(index) - here)) / quad_width(index.quad) for index in known) < 0.2
        hidden += len(table.covered) - len(covered)
    assert hidden


def test_beside_an_index_lies_neither_it_nor_nothing(deck: DeckArt) -> None:
    table = draw_view(np.random.default_rng(1), [], World(), pool=[deck])
    one = replace(table, indices=table.indices[:1], doubtful=(), covered=())
    here, width = box_centre(one.indices[0]), quad_width(one.indices[0].quad)
    places = floats([here + share * width * floats([1, 0]) for share in (0.1, 0.18, 0.3)])
    assert shown_by(one, _at(places)).tolist() == [0, UNCLEAR, NOTHING]
