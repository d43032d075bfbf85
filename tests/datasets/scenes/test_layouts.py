"""Layouts of cards on the table."""

from __future__ import annotations

import numpy as np

from datasets.decks.deck_art import DeckArt
from datasets.scenes.layouts import CARD_MM, lay_table, tight_group, with_cards_face_down


def test_face_down_cards_keep_their_places(deck: DeckArt) -> None:
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


def test_tight_groups_show_hardly_more_than_the_rank(deck: DeckArt) -> None:
    x0, y0, x1, y1 = deck.rank_box
    tall = CARD_MM * deck.height / deck.back.shape[1]
    steps = {
        "_row": (0, (x1 - x0) * CARD_MM, (x1 + 0.05) * CARD_MM),
        "_column": (1, (y1 - y0) * tall, (y1 + 0.05) * tall),
    }
    seen = set()
    for seed in range(30):
        _, faces, offsets, layout = tight_group(np.random.default_rng(seed), deck)
        if len(faces) > 2 and layout.__name__ in steps:
            axis, least, most = steps[layout.__name__]
            step = (offsets[-1][axis] - offsets[0][axis]) / (len(faces) - 1)
            assert 0.8 * least < step < 1.05 * most
            seen.add(layout.__name__)
    assert seen == set(steps)


def test_tight_tables_have_smaller_steps(deck: DeckArt) -> None:
    def area(tight: bool) -> float:
        cards = lay_table(np.random.default_rng(2), [deck], (900, 600), loose_share=0, tight=tight)
        groups = [[card for card in cards if card.group == group] for group in {card.group for card in cards}]
        spans = [
            np.ptp([(c.x, c.y) for c in group], axis=0).max() / (len(group) - 1) for group in groups if len(group) > 2
        ]
        return float(np.median(spans))

    assert area(tight=True) < 0.7 * area(tight=False)
