"""Jokers of drawn decks."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from datasets.decks.deck_art import CARD_WIDTH, DeckArt, printed_mask
from datasets.decks.jokers import plain, varied
from datasets.decks.signs import Mask, fonts, glyph
from scorer.faces import Face


def test_joker_words_use_only_ascii_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = set()

    def noted(font: Path, text: str) -> Mask:
        asked.add(text)
        return glyph(font, text)

    monkeypatch.setattr(plain, "glyph", noted)
    monkeypatch.setattr(varied, "glyph", noted)
    font, alpha = fonts(held_out=False)[0], np.full((336, CARD_WIDTH), 255, np.uint8)
    for seed in range(60):
        rng = np.random.default_rng(seed)
        plain.draw_joker(rng, 336, (255, 255, 255), (0, 0, 0), font, [font])
        varied.draw_varied_joker(rng, alpha, (255, 255, 255), [font], [], four_corners=False)
    assert {"JOKER", "JK", "J", "O", "K", "E", "R"} <= asked
    assert "".join(asked).isalpha() and "".join(asked).isascii()


@pytest.mark.parametrize("four", [False, True])
def test_varied_jokers_differ_and_have_equal_ends(deck: DeckArt, four: bool) -> None:
    alpha, font, courts = deck.back[:, :, 3], fonts(held_out=False)[0], [deck.faces[Face("K", "S")][0]]
    drawn = [
        varied.draw_varied_joker(np.random.default_rng(seed), alpha, (250, 250, 250), [font], courts, four)
        for seed in range(40)
    ]
    assert all((one != other).any() for one, other in pairwise(drawn))
    marked = beside_too = 0
    for picture in drawn:
        assert picture.shape == (deck.height, CARD_WIDTH, 4) and (picture[:, :, 3] == alpha).all()
        corner = printed_mask(picture)[: deck.height // 8, : CARD_WIDTH // 6]
        far = printed_mask(picture)[-(deck.height // 8) :, -(CARD_WIDTH // 6) :][::-1, ::-1]
        beside = printed_mask(picture)[: deck.height // 8, -(CARD_WIDTH // 6) :]
        assert corner.mean() == pytest.approx(far.mean(), abs=0.06)
        if corner.mean() > 0.03:  # not printed too pale to tell
            marked += 1
            beside_too += beside.mean() > 0.7 * corner.mean()
    assert marked > 28
    assert beside_too > 0.9 * marked if four else beside_too < 0.4 * marked
