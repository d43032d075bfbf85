"""Sampling of training decks."""

from __future__ import annotations

import numpy as np

from datasets.decks.deck_art import DeckArt
from datasets.decks.splits import NEW_SHARE, sample_deck
from scorer.faces import Face


def test_most_sampled_decks_are_newly_drawn(deck: DeckArt) -> None:
    given = [sample_deck([deck], np.random.default_rng(seed)) for seed in range(24)]
    own = [one for one in given if one.faces[Face("8", "S")] is deck.faces[Face("8", "S")]]
    assert 0 < len(own) < 24 * (1.5 - NEW_SHARE)
    assert len({one.name for one in given}) == 24 - len(own) + 1
    assert sum(one is not deck for one in own) > 0
    assert sample_deck([], np.random.default_rng(2)).name != deck.name
