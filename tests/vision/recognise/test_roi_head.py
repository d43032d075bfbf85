"""The RoI head: outlines and sides by its network, names by a deck head that can be another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scorer.faces import STANDARD_FACES
from tests.vision.recognise.test_deck_head import standard
from vision.arrays import Floats, floats
from vision.crops.pyramid import pyramid
from vision.detect.detections import ROI_EMBEDDING, Detections
from vision.recognise.roi_head import LOOKS, MIN_SCORE, OUTPUTS, OnnxRoiHead

CARD = [[40.0, 30.0], [140.0, 30.0], [140.0, 170.0], [40.0, 170.0]]
LEVELS = pyramid(np.full((300, 400, 3), 90, np.uint8))


class Fixed:
    """A session that hardly moves a corner, with these log odds of the right corner and of an index, and an embedding
    that grows with each look."""

    def __init__(self, right: float = -3.0, real: float = 2.0) -> None:
        self.right, self.real, self.looks = right, real, 0

    def run(self, names: Any, inputs: dict[str, Any]) -> list[Floats]:
        assert names == OUTPUTS and inputs["index"].shape[1:] == (3, 112, 80)
        count, self.looks = len(inputs["index"]), self.looks + 1
        columns = [np.full((count, size), value, np.float32) for size, value in ((1, self.right), (1, self.real))]
        moved = np.full((count, 8), 0.01, np.float32)
        return [moved, *columns, np.full((count, ROI_EMBEDDING), self.looks / 10, np.float32)]


def detections(*scores: float, quad: list[list[float]] = CARD) -> Detections:
    quads = np.repeat(floats([quad]), len(scores), 0)
    return Detections(np.repeat(floats([[42, 32, 60, 70]]), len(scores), 0), floats(scores), quads)


def test_an_embedding_is_the_mean_of_all_looks_and_is_named_by_the_deck() -> None:
    looked = OnnxRoiHead(Fixed()).look(LEVELS, detections(0.9, 0.6))
    assert looked.embedding == pytest.approx(np.full((2, ROI_EMBEDDING), (1 + LOOKS) / 20))
    assert looked.p_index == pytest.approx(1 / (1 + np.exp(-2.0)))
    found = standard().named(looked, (400, 300))
    assert not found.index_on_right.any() and found.picture_size == (400, 300)
    assert np.abs(found.ranks - standard().classify(found.embedding)[0]).max() < 1e-6
    few = [face for face in STANDARD_FACES if face.rank in ("4", "9")]
    assert standard().restricted_to(few).named(looked, (400, 300)).vocabulary.ranks == ("4", "9")


def test_an_index_on_the_right_turns_the_outline() -> None:
    found = OnnxRoiHead(Fixed(3.0)).look(LEVELS, detections(0.9))
    assert (found.right_logit > 0).all() and found.quads[0, 0, 0] < 0 < CARD[0][0], "the card lies to the left of it"


def test_what_is_hardly_seen_or_no_card_is_not_looked_at() -> None:
    session = Fixed()
    head = OnnxRoiHead(session)
    assert len(head.look(LEVELS, detections(MIN_SCORE / 2))) == 0
    assert len(head.look(LEVELS, detections(0.9, quad=[[0.0, 0.0]] * 4))) == 0
    assert session.looks == 0


@pytest.mark.parametrize(("real", "looks"), [(-3.0, 1), (2.0, LOOKS)])
def test_where_no_index_is_seen_there_is_one_look(real: float, looks: int) -> None:
    session = Fixed(real=real)
    OnnxRoiHead(session).look(LEVELS, detections(0.4))
    assert session.looks == looks
