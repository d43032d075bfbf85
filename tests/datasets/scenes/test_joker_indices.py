"""Which indices of jokers count as readable."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.decks.deck_art import CARD_WIDTH, DeckArt
from datasets.scenes.layouts import SceneCard
from datasets.scenes.tables import draw_table
from scorer.faces import JOKER, Face


def _joker(deck: DeckArt, *marks: tuple[int, int, int, int]) -> DeckArt:
    """The deck with one joker: paper, with black ``marks`` (x0, y0, x1, y1 in pixels)."""
    picture = np.full((deck.height, deck.back.shape[1], 4), 255, np.uint8)
    for x0, y0, x1, y1 in marks:
        picture[y0:y1, x0:x1, :3] = 0
    return replace(deck, faces={**deck.faces, JOKER: (picture,)}, _level_cache={}, _joker_box_cache={})


@pytest.mark.parametrize(("marks", "readable"), [([(20, 16, 44, 48)], 1), ([(90, 120, 150, 200)], 0)])
def test_joker_without_an_index_counts_as_partial(
    deck: DeckArt, marks: list[tuple[int, int, int, int]], readable: int
) -> None:
    shown = _joker(deck, *marks)
    lying = SceneCard(shown, JOKER, shown.faces[JOKER][0], 0.0, 0.0, 0.0, 0, "single")
    table = draw_table(
        np.random.default_rng(1), [shown], (400, 400), card_pixels=150, max_tilt=0.01, clean=True, cards=[lying]
    )
    assert len(table.indices) == len(table.cards) == readable
    assert len(table.partial) == 1 - readable


@pytest.mark.parametrize("jokers", [False, True])
def test_number_of_joker_indices_is_independent_of_other_cards(deck: DeckArt, jokers: bool) -> None:
    marks = [(20, 16, 44, 48), (CARD_WIDTH - 44, 16, CARD_WIDTH - 20, 48)][: 1 + jokers]
    shown = replace(_joker(deck, *marks), four_corners=not jokers, four_corner_jokers=jokers)
    jack = Face("J", "D")
    for face, indices in ((JOKER, 1 + jokers), (jack, 2 if jokers else 4)):
        lying = SceneCard(shown, face, shown.faces[face][0], 0.0, 0.0, 0.0, 0, "single")
        table = draw_table(
            np.random.default_rng(1), [shown], (400, 400), card_pixels=150, max_tilt=0.01, clean=True, cards=[lying]
        )
        known = [*table.indices, *table.doubtful, *table.covered]
        assert len(table.indices) == len(known) == indices, face


@pytest.mark.parametrize(("grey", "readable"), [(60, 1), (250, 0)])
def test_legibility_depends_on_the_index_alone_not_on_its_surroundings(deck: DeckArt, grey: int, readable: int) -> None:
    """Turned, a box round the mark holds much of what is printed beside it."""
    shown = _joker(deck, (46, 10, 80, 54))
    picture = shown.faces[JOKER][0]
    picture[16:48, 20:44, :3] = grey
    tall, wide = picture.shape[:2]
    shown = replace(shown, joker_box=(20 / wide, 16 / tall, 44 / wide, 48 / tall))
    # its other end lies outside the picture
    lying = SceneCard(shown, JOKER, picture, 35.0, 70.0, np.pi / 4, 0, "single")
    table = draw_table(
        np.random.default_rng(1), [shown], (400, 400), card_pixels=150, max_tilt=0.01, clean=True, cards=[lying]
    )
    assert len(table.indices) == readable
    assert [index.face for index in table.doubtful] == [JOKER] * (1 - readable)
