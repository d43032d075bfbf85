"""Drawn tables and their ground truth."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest

from datasets.decks.deck_art import DeckArt
from datasets.decks.unsuited.draw import hand_n_foot_deck
from datasets.scenes.card_render import card_tones
from datasets.scenes.layouts import SceneCard, with_cards_face_down
from datasets.scenes.tables import draw_table
from scorer.faces import Face


def _row(deck: DeckArt, step: float) -> list[SceneCard]:
    face = Face("8", "H")
    return [SceneCard(deck, face, deck.faces[face][0], step * i, 0.0, 0.0, 0, "meld") for i in range(4)]


def test_identical_neighbours_each_have_their_index(deck: DeckArt) -> None:
    table = draw_table(np.random.default_rng(1), [deck], (900, 500), 100, 0.0, clean=True, cards=_row(deck, 30))
    assert [str(card.face) for card in table.cards] == ["8H"] * 4
    assert table.hidden == 0
    # every card shows its left index; only the last one its far one
    assert Counter(index.card for index in table.indices) == {0: 1, 1: 1, 2: 1, 3: 2} or deck.four_corners


def test_covered_cards_count_as_hidden_with_covered_indices(deck: DeckArt) -> None:
    table = draw_table(np.random.default_rng(1), [deck], (600, 500), 100, 0.0, clean=True, cards=_row(deck, 0))
    assert (len(table.cards), table.hidden) == (1, 3)
    assert len(table.covered) >= 6


def test_outline_matches_the_drawn_card(deck: DeckArt) -> None:
    table = draw_table(np.random.default_rng(2), [deck], (600, 500), 120, 0.4, clean=True, cards=_row(deck, 0)[:1])
    quad = table.cards[0].quad
    assert np.hypot(*(quad[1] - quad[0])) == pytest.approx(120, rel=0.25)
    mask = np.zeros(table.picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, quad.astype(np.int32), 1)
    inside, outside = table.picture[mask == 1].mean(), table.picture[mask == 0].mean()
    assert abs(inside - outside) > 5


def test_uneven_light_is_optional_and_in_range(deck: DeckArt) -> None:
    one, again, uneven = (
        draw_table(np.random.default_rng(6), [deck], (320, 320), uneven_light_share=share) for share in (0.0, 0.0, 1.0)
    )
    plain = draw_table(np.random.default_rng(6), [deck], (320, 320))
    assert np.array_equal(one.picture, plain.picture) and np.array_equal(one.picture, again.picture)
    assert not np.array_equal(one.picture, uneven.picture)
    drawn = card_tones(np.random.default_rng(1), 500)
    assert drawn.shape == (500, 4) and 0.25 <= drawn[:, :3].min() < 0.5 < 1 < drawn[:, :3].max() <= 1.3


def test_face_down_cards_are_not_in_the_truth(deck: DeckArt) -> None:
    face = Face("8", "H")
    row = [SceneCard(deck, face, deck.faces[face][0], 30.0 * i, 0.0, 0.0, 0, "meld") for i in range(6)]
    seed = next(
        s for s in range(99) if sum(c.face is None for c in with_cards_face_down(np.random.default_rng(s), row)) == 2
    )
    made = with_cards_face_down(np.random.default_rng(seed), row)
    table = draw_table(np.random.default_rng(1), [deck], (900, 500), 100, 0.0, clean=True, cards=made)
    assert [str(card.face) for card in table.cards] == ["8H"] * 4
    assert table.hidden == 0


def test_face_down_share_of_zero_changes_nothing(deck: DeckArt) -> None:
    one, two = (draw_table(np.random.default_rng(5), [deck], (320, 320), face_down_share=backs) for backs in (0.0, 1.0))
    again = draw_table(np.random.default_rng(5), [deck], (320, 320))
    assert np.array_equal(one.picture, again.picture)
    assert not np.array_equal(one.picture, two.picture)


def test_one_ended_deck_has_one_index_per_card(deck: DeckArt) -> None:
    one_ended = replace(deck, one_ended=True, four_corners=False, _level_cache={}, _joker_box_cache={})
    seven = Face("7", "C")
    picture = one_ended.faces[seven][0]
    assert one_ended.index_box(seven, picture, turned=True) is None
    lying = SceneCard(one_ended, seven, picture, 0.0, 0.0, 0.0, 0, "single")
    table = draw_table(
        np.random.default_rng(1), [one_ended], (400, 400), card_pixels=150, max_tilt=0.01, clean=True, cards=[lying]
    )
    assert len(table.cards) == len(table.indices) == 1


def test_a_card_without_an_index_must_be_read_where_half_of_it_shows() -> None:
    bare, lady, five = hand_n_foot_deck("bare", 5, family="pips", quirks=["bare"]), Face("LADY"), Face("5")

    def seen(step: float) -> tuple[list[str], list[str], set[str]]:
        laid = [
            SceneCard(bare, face, bare.faces[face][0], n * step, 0.0, 0.0, 0, "meld")
            for n, face in enumerate([lady, five])
        ]
        table = draw_table(np.random.default_rng(1), [bare], (900, 500), 100, 0.0, clean=True, cards=laid)
        cards, partial = ([str(card.face) for card in some] for some in (table.cards, table.partial))
        return cards, partial, {str(index.face) for index in table.indices}

    assert seen(45) == (["LADY", "5"], [], {"5"})
    assert seen(25) == (["5"], ["LADY"], {"5"})
    assert seen(6) == (["5"], [], {"5"})
