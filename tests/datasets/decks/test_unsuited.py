"""Decks without suits."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.decks.deck_art import CARD_WIDTH, DeckArt, printed_mask
from datasets.decks.index_places import is_light_on_dark
from datasets.decks.unsuited.designs import FAMILIES
from datasets.decks.unsuited.draw import (
    SUITLESS_FACES,
    draw_unsuited_deck,
    fixed_unsuited_decks,
    hand_n_foot_deck,
    quirky_decks,
)
from datasets.decks.unsuited.figures import PERSONS
from datasets.scenes.tables import draw_table
from datasets.scenes.world import VIEWS, World, draw_view
from scorer.deck import load_deck


@pytest.fixture(scope="module")
def six() -> list[DeckArt]:
    return fixed_unsuited_decks()


def test_the_six_fixed_decks_are_whole_and_unlike(six: list[DeckArt]) -> None:
    assert len({deck.name for deck in six}) == 6
    for deck in six[:3]:
        assert set(deck.faces) == set(load_deck("hand-n-foot").faces)
    for deck in six[3:]:
        assert set(deck.faces) == set(SUITLESS_FACES)
    papers = [np.median(next(iter(deck.faces.values()))[0].reshape(-1, 4), axis=0).tolist() for deck in six]
    assert len({str(paper) for paper in papers}) == 6


def test_a_seed_gives_the_same_deck_again_and_no_two_faces_look_alike() -> None:
    one, again = (hand_n_foot_deck("toy", 5) for _ in range(2))
    for face, pictures in one.faces.items():
        assert np.array_equal(pictures[0], again.faces[face][0])
        assert pictures[0].shape == (one.height, CARD_WIDTH, 4)
    assert len({pictures[0].tobytes() for pictures in one.faces.values()}) == len(one.faces)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_index_stands_where_the_deck_says(family: str) -> None:
    for seed in range(3):
        deck = draw_unsuited_deck("toy", seed, family=next(one for one in FAMILIES if one == family))
        for face, (picture,) in deck.faces.items():
            box = deck.index_box(face, picture, turned=False)
            assert box and box == deck.index_box(face, picture, turned=True)
            height, width = picture.shape[:2]
            x0, y0, x1, y1 = (round(v * side) for v, side in zip(box, (width, height) * 2, strict=True))
            inside = picture[y0:y1, x0:x1, :3].astype(int)
            # ink and paper are both in the box
            assert np.ptp(inside.reshape(-1, 3), axis=0).max() > 60, (seed, face)
            assert 0 < box[0] < box[2] < 0.5 and 0 < box[1] < box[3] < 0.4
            assert printed_mask(picture).any()


def test_tables_of_any_view_are_drawn_with_a_deck_without_suits(six: list[DeckArt]) -> None:
    for number, view in enumerate(VIEWS):
        deck = six[number % 6]
        table = draw_view(np.random.default_rng([1, number]), [], World({view: 1.0}), 320, pool=[deck])
        assert {card.face for card in table.cards} <= set(deck.faces)


def test_a_hand_n_foot_table_shows_named_cards_and_says_where_they_are_read(six: list[DeckArt]) -> None:
    seen = set()
    for number in range(4):
        table = draw_table(np.random.default_rng(number), [six[0]], (800, 600), 90, packs=1, joker_share=0.3)
        seen |= {index.face.rank for index in table.indices if index.face}
    assert {"LORD", "JESTER", "LADY", "VILLAIN", "JOKER"} <= seen


def test_a_quirk_changes_its_own_cards_alone_and_no_deck_without_it() -> None:
    plain, bare = hand_n_foot_deck("toy", 5), hand_n_foot_deck("toy", 5, quirks=["bare"])
    changed = {str(face) for face in plain.faces if not np.array_equal(plain.faces[face][0], bare.faces[face][0])}
    assert changed == set(PERSONS)
    assert {str(face) for face, (ends,) in bare.marks.items() if ends == (None, None)} == set(PERSONS)
    bare_decks, boxed = quirky_decks()[:2], quirky_decks()[2]
    assert [deck.play == plain.play for deck in bare_decks] == [True, True]
    for face, (picture,) in boxed.faces.items():
        box = boxed.index_box(face, picture, turned=False)
        assert box
        height, width = picture.shape[:2]
        x, y = round(box[0] * width) - 2, round(box[1] * height) - 2
        middle = picture[height // 2, 8, :3].astype(int)
        assert np.abs(picture[y, x, :3] - middle).max() > 60, "round the number is no paper"


def test_light_print_on_dark_or_colored_ground_is_told_by_the_pictures(six: list[DeckArt]) -> None:
    dark = {deck.name for deck in six if is_light_on_dark([one for some in deck.faces.values() for one in some])}
    assert dark == {deck.name for deck in six if not deck.name.endswith("-pips")}
