"""In which corner of its card an index stands, where the refiner is not sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.layouts import CARD_MM, SceneCard
from datasets.scenes.tables import draw_table
from scorer.faces import Face
from tests.vision.rescore.synthetic import PICTURE_SIZE, classified, scored
from vision.arrays import floats
from vision.crops.pyramid import pyramid
from vision.detect.detections import ScoredDetections
from vision.engines.load import load_corner_side
from vision.geometry import card_beside
from vision.rescore.corner_side import BATCH, MIN_P_KEEP, UNSURE_LOGIT, VIEW, OnnxCornerSide, unsure_sides

PIXELS = np.full((PICTURE_SIZE[1], PICTURE_SIZE[0], 3), 90, np.uint8)


class Session:
    """Answers with given log odds, in turn."""

    def __init__(self, *answers: float) -> None:
        self.answers, self.asked = list(answers), 0

    def run(self, names: list[str], inputs: dict[str, Any]) -> list[np.ndarray]:
        views = inputs["views"]
        assert names == ["right"] and views.shape[1:] == (3, VIEW.size, VIEW.size) and len(views) <= BATCH
        answers = self.answers[self.asked : self.asked + len(views)]
        self.asked += len(views)
        return [floats(answers)[:, None]]


def refined_to(right_logit: Sequence[float], p_keep: Sequence[float]) -> ScoredDetections:
    detections = classified(*((200.0 * n, 50.0, 0.9, 4) for n in range(len(right_logit))))
    on_right = np.array([logit > 0 for logit in right_logit], bool)
    return scored(replace(detections, right_logit=floats(right_logit), index_on_right=on_right), p_keep)


def test_only_probable_and_unsure_detections_are_checked() -> None:
    detections = refined_to(
        [-1.0, -UNSURE_LOGIT - 1, 0.5, UNSURE_LOGIT + 1, -1.0], [0.9, 0.9, MIN_P_KEEP, 0.9, MIN_P_KEEP / 2]
    )
    assert unsure_sides(detections).tolist() == [0, 2]


def test_an_index_is_moved_to_the_corner_it_is_seen_in() -> None:
    detections, session = refined_to([-1.0, 0.5, -0.5, -9.0], [0.9] * 4), Session(3.0, -3.0, -2.0)
    corrected = OnnxCornerSide(session).correct_sides([PIXELS], detections)
    assert session.asked == 3
    assert corrected.index_on_right.tolist() == [True, False, False, False]
    before, after = detections.quads, corrected.quads
    assert after[0] == pytest.approx(card_beside(before[0], back=True)), "the card lies to the left of where it was"
    assert after[1] == pytest.approx(card_beside(before[1])), "to the right"
    assert np.array_equal(after[2:], before[2:])
    assert detections.index_on_right.tolist() == [False, True, False, False], "the input stays as it was"
    assert np.array_equal(corrected.boxes, detections.boxes)


def test_many_are_run_in_batches() -> None:
    count = 2 * BATCH + 1
    detections, session = refined_to([-1.0] * count, [0.9] * count), Session(*[5.0] * count)
    assert OnnxCornerSide(session).correct_sides([PIXELS], detections).index_on_right.all()


def test_nothing_is_run_where_the_refiner_is_sure_of_all() -> None:
    for detections in (refined_to([-9.0, 9.0], [0.9, 0.9]), refined_to([], [])):
        assert OnnxCornerSide(Session()).correct_sides([PIXELS], detections) is detections


@pytest.mark.parametrize("leftward", [False, True])
def test_strips_of_cards_show_their_left_or_their_right_edge(leftward: bool) -> None:
    deck = next(deck for deck in (draw_deck(f"drawn-{seed}", seed) for seed in range(30, 60)) if deck.four_corners)
    laid = []
    for place in range(8):
        face = Face("9", "HSDC"[place % 4])
        x = (place - 4) * 0.25 * CARD_MM * (-1 if leftward else 1)
        laid.append(SceneCard(deck, face, deck.faces[face][0], x, 0.0, 0.0, 0, "meld", "row"))
    table = draw_table(
        np.random.default_rng(3), [deck], (900, 500), card_pixels=130, max_tilt=0.01, clean=True, cards=laid
    )
    # those of the upper end, as it is drawn, of the cards that are half covered
    upper = [index for index in table.indices if abs(index.quad[0] - table.cards[index.card].quad[0]).max() < 1]
    strips = [index for index in upper if index.right == leftward]
    assert len(strips) == 8
    indices = [*strips, *(index for index in upper if index.right != leftward)]
    on_right = np.array([index.right for index in indices])
    detections = replace(
        classified(*((0.0, 0.0, 0.9, 4) for _ in indices)),
        quads=floats([index.quad for index in indices]),
        index_on_right=on_right,
    )
    logits = load_corner_side().right_logits(pyramid(table.picture), detections, np.arange(len(indices)))
    assert ((logits > 0) == on_right).all()
