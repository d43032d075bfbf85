"""In which corner of its card an index stands, where the settler is not sure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.vision.test_believing import SIZE, named
from vision.geometry import beside, floats
from vision.judging import Judged
from vision.naming import Named
from vision.placer import BATCH, BELIEVED, UNSURE, VIEW, OnnxPlacer, unsure_of

PIXELS = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)


class Session:
    """Says what it is told to, in turn."""

    def __init__(self, *says: float) -> None:
        self.says, self.asked = list(says), 0

    def run(self, names: list[str], given: dict[str, Any]) -> list[np.ndarray]:
        views = given["views"]
        assert names == ["right"] and views.shape[1:] == (3, VIEW.size, VIEW.size) and len(views) <= BATCH
        said = self.says[self.asked : self.asked + len(views)]
        self.asked += len(views)
        return [floats(said)[:, None]]


def leaning(*leans: float) -> Named:
    finds = named(*((200.0 * n, 50.0, 0.9, 4) for n in range(len(leans))))
    return replace(finds, leans=floats(leans), rights=[lean > 0 for lean in leans])


def judged_as(*kept: float) -> Judged:
    count = len(kept)
    return Judged(floats(kept), np.full((count, 14), 1 / 14, np.float32), np.zeros((count, count), np.float32))


def test_only_what_is_believed_and_unsure_is_placed() -> None:
    finds = leaning(-1.0, -UNSURE - 1, 0.5, UNSURE + 1, -1.0)
    assert unsure_of(finds, judged_as(0.9, 0.9, BELIEVED, 0.9, BELIEVED / 2)).tolist() == [0, 2]


def test_an_index_is_put_into_the_corner_where_it_looks_to_be() -> None:
    finds, session = leaning(-1.0, 0.5, -0.5, -9.0), Session(3.0, -3.0, -2.0)
    placed = OnnxPlacer(session).place(PIXELS, finds, judged_as(0.9, 0.9, 0.9, 0.9))
    assert session.asked == 3
    assert placed.rights == [True, False, False, False]
    before, after = finds.found.quads, placed.found.quads
    assert after[0] == pytest.approx(beside(before[0], back=True)), "the card lies to the left of where it was"
    assert after[1] == pytest.approx(beside(before[1])), "to the right"
    assert np.array_equal(after[2:], before[2:])
    assert finds.rights == [False, True, False, False], "what was given stays as it was"
    assert np.array_equal(placed.found.boxes, finds.found.boxes)


def test_many_are_shown_a_few_at_a_time() -> None:
    count = 2 * BATCH + 1
    finds, session = leaning(*[-1.0] * count), Session(*[5.0] * count)
    assert OnnxPlacer(session).place(PIXELS, finds, judged_as(*[0.9] * count)).rights == [True] * count


def test_where_the_settler_is_sure_of_all_nothing_is_shown() -> None:
    finds, session = leaning(-9.0, 9.0), Session()
    assert OnnxPlacer(session).place(PIXELS, finds, judged_as(0.9, 0.9)) is finds
    nothing = replace(named(), leans=floats([]))
    assert OnnxPlacer(session).place(PIXELS, nothing, judged_as()) is nothing
