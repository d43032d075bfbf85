"""In which corner of its card an index stands, where the settler is not sure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.layouts import CARD_MM, SceneCard
from datasets.scenes.tables import draw_table
from scorer.faces import Face
from tests.vision.rescore.test_features import SIZE, named
from vision.arrays import floats
from vision.crops.pyramid import pyramid
from vision.engines.load import load_corner_side
from vision.geometry import beside
from vision.recognise.classify import ClassifiedDetections
from vision.rescore.corner_side import BATCH, BELIEVED, UNSURE, VIEW, OnnxCornerSide, unsure_of
from vision.rescore.relation_model import ScoredDetections

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


def leaning(*leans: float) -> ClassifiedDetections:
    finds = named(*((200.0 * n, 50.0, 0.9, 4) for n in range(len(leans))))
    return replace(finds, leans=floats(leans), rights=[lean > 0 for lean in leans])


def judged_as(*kept: float) -> ScoredDetections:
    count = len(kept)
    return ScoredDetections(
        floats(kept), np.full((count, 14), 1 / 14, np.float32), np.zeros((count, count), np.float32)
    )


def test_only_what_is_believed_and_unsure_is_placed() -> None:
    finds = leaning(-1.0, -UNSURE - 1, 0.5, UNSURE + 1, -1.0)
    assert unsure_of(finds, judged_as(0.9, 0.9, BELIEVED, 0.9, BELIEVED / 2)).tolist() == [0, 2]


def test_an_index_is_put_into_the_corner_where_it_looks_to_be() -> None:
    finds, session = leaning(-1.0, 0.5, -0.5, -9.0), Session(3.0, -3.0, -2.0)
    placed = OnnxCornerSide(session).correct_sides([PIXELS], finds, judged_as(0.9, 0.9, 0.9, 0.9))
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
    assert OnnxCornerSide(session).correct_sides([PIXELS], finds, judged_as(*[0.9] * count)).rights == [True] * count


def test_where_the_settler_is_sure_of_all_nothing_is_shown() -> None:
    finds, session = leaning(-9.0, 9.0), Session()
    assert OnnxCornerSide(session).correct_sides([PIXELS], finds, judged_as(0.9, 0.9)) is finds
    nothing = replace(named(), leans=floats([]))
    assert OnnxCornerSide(session).correct_sides([PIXELS], nothing, judged_as()) is nothing


@pytest.mark.parametrize("leftward", [False, True])
def test_strips_of_cards_show_their_left_edge_or_their_right(leftward: bool) -> None:
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
    named_ = named(*((0.0, 0.0, 0.9, 4) for _ in indices))
    finds = replace(
        named_,
        found=replace(named_.found, quads=np.stack([index.quad for index in indices])),
        rights=[index.right for index in indices],
    )
    leans = load_corner_side().right_logits(pyramid(table.picture), finds, np.arange(len(indices)))
    assert ((leans > 0) == [index.right for index in indices]).all()
