"""Which networks read a standard deck that was shown whole: those that learned it, where they make fewer mistakes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

import models.learn.comparison as comparison
from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.tables import Table
from models.learn.comparison import TABLES, DrawnReading, ShownDeck, mistakes, read_drawn
from models.learn.self_test import SelfTest
from scorer.faces import Face
from vision.detect.vocabulary import STANDARD_VOCABULARY
from vision.doubts import Doubt
from vision.reader import LearntDecks
from vision.recognise.deck_head import DeckHead
from vision.values import SeenCard

QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def cards(*ranks: str) -> list[SeenCard]:
    return [SeenCard(Face(rank, "H"), 1.0, (), QUAD, None) for rank in ranks]


def in_doubt(card: SeenCard) -> SeenCard:
    return replace(card, doubt=Doubt.LOW_CONFIDENCE)


def table(*ranks: str, partial: str = "") -> Table:
    true, half = ([SimpleNamespace(face=Face(rank, "H")) for rank in some] for some in (ranks, partial.split()))
    return cast(Table, SimpleNamespace(cards=true, partial=half, picture=np.zeros((4, 4, 3), np.uint8)))


def test_missed_and_added_ranks_are_mistakes_and_hidden_cards_are_none() -> None:
    assert mistakes(table("8", "8", "K"), cards("K", "8", "8")) == 0
    assert mistakes(table("8", "8", "K"), cards("8", "K", "Q")) == 2
    assert mistakes(table("8", partial="Q"), cards("8", "Q")) == 0
    assert mistakes(table("8", partial="Q"), cards("8", "Q", "Q")) == 1


@pytest.mark.parametrize(("by_learnt", "better"), [(("8", "K"), True), (("8",), False)])
def test_a_deck_is_read_whole_by_what_was_learnt_only_if_that_reads_it_better(
    by_learnt: tuple[str, ...], better: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[frozenset[str]] = []

    def load(weights: Path, learnt: LearntDecks) -> SimpleNamespace:
        asked.append(learnt.unlike)
        seen = [*cards(*by_learnt[:-1]), *map(in_doubt, cards(by_learnt[-1]))] if learnt.unlike else cards("K")
        return SimpleNamespace(read=lambda *given: SimpleNamespace(cards=seen))

    def draw(seed: int, number: int, *more: object) -> Table:
        drawn.append(number)
        return table("8", "K")

    drawn: list[int] = []
    monkeypatch.setattr(comparison, "load_reader", load)
    monkeypatch.setattr(comparison, "readable_table", draw)
    deck = ShownDeck("ours", draw_deck("ours", 3), {})
    told = read_drawn(deck, DeckHead(STANDARD_VOCABULARY))
    unseen = () if better else tuple(face for face in deck.art.faces if face.rank == "8")
    doubted = tuple(face for face in deck.art.faces if face.rank == "K") if better else ()
    assert told == DrawnReading("ours", better, TABLES * (2 if better else 1), TABLES * 2, unseen, doubted)
    assert asked == [frozenset(), {"ours"}] and drawn == [*range(TABLES)]


def test_the_result_says_so_where_few_cards_are_found() -> None:
    result = SelfTest(17, 17, None, read=230, there=240)
    assert result.sentence == "17 of 17 told apart"
    assert replace(result, read=98).sentence == (
        "17 of 17 told apart. On practice tables only 98 of 240 cards were found: check them, or type them"
    )
