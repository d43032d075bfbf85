"""Deck profiles match a real box of cards."""

from __future__ import annotations

import pytest

from scorer.deck import list_decks, load_deck
from scorer.errors import RulesError
from scorer.faces import JOKER, STANDARD_FACES


def test_a_standard_pack_has_52_cards_and_two_jokers() -> None:
    deck = load_deck("standard")
    assert set(deck.faces) == set(STANDARD_FACES)
    assert sum(deck.copies.values()) == 54
    assert deck.copies[JOKER] == deck.copies_of_rank("JK") == 2
    assert deck.copies_of_rank("8") == 4


def test_an_unknown_deck_names_the_known_ones() -> None:
    with pytest.raises(RulesError, match=r"one of .*standard.*, got 'tarot'"):
        load_deck("tarot")
    assert "standard" in list_decks()
