"""Backs of cards, and tables where cards lie face down among the others."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.decks.backs import patterned_back
from datasets.decks.deck_art import CARD_WIDTH, DeckArt
from datasets.decks.drawn_decks import draw_deck
from datasets.decks.fonts import NoFontsError, fonts
from datasets.scenes.layouts import SceneCard, lay_table, with_cards_face_down
from datasets.scenes.tables import draw_table
from scorer.faces import Face

try:
    fonts(held_out=False)
except NoFontsError as problem:
    pytest.skip(str(problem), allow_module_level=True)


@pytest.fixture(scope="module")
def deck() -> DeckArt:
    return draw_deck("drawn-5", 5)


def test_backs_differ_with_every_seed_and_most_look_the_same_from_either_end() -> None:
    backs = [patterned_back(np.random.default_rng(seed), 330 + seed) for seed in range(30)]
    assert [back.shape for back in backs] == [(330 + seed, CARD_WIDTH, 3) for seed in range(30)]
    assert all((back.reshape(-1, 3) != back[0, 0]).any() for back in backs)
    turned = sum(float((back == back[::-1, ::-1]).mean()) > 0.95 for back in backs)
    assert 20 < turned < 30


def test_some_cards_lie_face_down_where_they_lay(deck: DeckArt) -> None:
    cards = lay_table(np.random.default_rng(3), [deck], (1500, 1000))
    down = 0
    for seed in range(12):
        made = with_cards_face_down(np.random.default_rng(seed), cards)
        assert [(card.x, card.y, card.turn, card.group) for card in made] == [
            (card.x, card.y, card.turn, card.group) for card in cards
        ]
        turned = [card for card, was in zip(made, cards, strict=True) if card.face is None and was.face is not None]
        assert all(card.picture is card.deck.back for card in turned)
        assert len({card.group for card in turned}) < len({card.group for card in cards})
        down += len(turned)
    assert 0.03 < down / (12 * len(cards)) < 0.3


def test_a_face_down_card_is_no_card_of_the_truth(deck: DeckArt) -> None:
    face = Face("8", "H")
    row = [SceneCard(deck, face, deck.faces[face][0], 30.0 * i, 0.0, 0.0, 0, "meld") for i in range(6)]
    seed = next(
        s for s in range(99) if sum(c.face is None for c in with_cards_face_down(np.random.default_rng(s), row)) == 2
    )
    made = with_cards_face_down(np.random.default_rng(seed), row)
    table = draw_table(np.random.default_rng(1), [deck], (900, 500), 100, 0.0, clean=True, placed=made)
    assert [str(card.face) for card in table.cards] == ["8H"] * 4
    assert table.hidden == 0


def test_tables_without_backs_are_what_they_were(deck: DeckArt) -> None:
    one, two = (draw_table(np.random.default_rng(5), [deck], (320, 320), backs=backs) for backs in (0.0, 1.0))
    again = draw_table(np.random.default_rng(5), [deck], (320, 320))
    assert np.array_equal(one.picture, again.picture)
    assert not np.array_equal(one.picture, two.picture)
