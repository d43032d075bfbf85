"""Card backs."""

from __future__ import annotations

import numpy as np

from datasets.decks.backs import patterned_back
from datasets.decks.deck_art import CARD_WIDTH


def test_backs_vary_with_the_seed_and_most_are_symmetric() -> None:
    backs = [patterned_back(np.random.default_rng(seed), 330 + seed) for seed in range(30)]
    assert [back.shape for back in backs] == [(330 + seed, CARD_WIDTH, 3) for seed in range(30)]
    assert all((back.reshape(-1, 3) != back[0, 0]).any() for back in backs)
    turned = sum(float((back == back[::-1, ::-1]).mean()) > 0.95 for back in backs)
    assert 20 < turned < 30
