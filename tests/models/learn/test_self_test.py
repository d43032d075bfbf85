"""The self-test on drawn tables: which networks read a standard deck, and what people are told of each face."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.tables import Table
from models.learn import self_test
from models.learn.self_test import TABLES, DeckToLearn, DrawnReading, mistakes, read_drawn, sentence
from scorer.faces import JOKER, Face
from vision.doubts import Doubt
from vision.engines.load import load_standard_head
from vision.reader import LearntDecks
from vision.values import SeenCard

QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
DECK = draw_deck("ours", 3)
PICTURES = {face: [one[:, :, :3] for one in ones] for face, ones in DECK.faces.items()}


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


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[frozenset[str]]:
    """Each table shows an eight, a king and a joker. The shipped networks read the king and the joker, what was learned
    all but the joker, the king in doubt. Told are the decks that each reader was to read by itself."""
    asked: list[frozenset[str]] = []

    def load(learnt: LearntDecks) -> SimpleNamespace:
        asked.append(learnt.unlike)
        seen = [*cards("8"), *map(in_doubt, cards("K"))] if learnt.unlike else cards("K", "JK")
        return SimpleNamespace(read=lambda *given: SimpleNamespace(cards=seen))

    monkeypatch.setattr(self_test, "load_reader", load)
    monkeypatch.setattr(self_test, "readable_table", lambda *given: table("8", "8", "K", "JK"))
    return asked


def test_a_standard_deck_shown_whole_is_read_by_whatever_reads_it_better(asked: list[frozenset[str]]) -> None:
    told = read_drawn(DeckToLearn("ours", PICTURES, [DECK]), load_standard_head())
    assert asked == [frozenset(), {"ours"}]
    assert not told.by_itself and told.unseen == () and (told.read, told.there) == (TABLES, TABLES), "jokers count"


def test_a_deck_of_other_faces_is_read_by_what_was_learnt_alone(asked: list[frozenset[str]]) -> None:
    own = replace(DECK, faces={**DECK.faces, Face("LADY"): DECK.faces[JOKER]})
    told = read_drawn(DeckToLearn("ours", {**PICTURES, Face("LADY"): PICTURES[JOKER]}, [own]), load_standard_head())
    assert asked == [{"ours"}] and told.by_itself and (told.read, told.there) == (2 * TABLES, 4 * TABLES)
    assert {face.rank for face in told.unseen} == {"8", "JK"} and {face.rank for face in told.asked} == {"K"}


def test_of_jokers_alone_only_these_are_told(asked: list[frozenset[str]]) -> None:
    told = read_drawn(DeckToLearn("ours", {JOKER: PICTURES[JOKER]}, [DECK]), load_standard_head())
    assert asked == [frozenset()] and told == DrawnReading("ours", False, TABLES, TABLES)


def test_the_result_is_told_in_plain_words() -> None:
    many = tuple(Face(str(number)) for number in range(1, 12))
    assert sentence([DrawnReading("a", True, 230, 240)]) == "On practice tables 230 of 240 cards were read right"
    assert sentence([DrawnReading("a", False, 0, 0)]) == "The camera reads these cards as it did before"
    both = [
        DrawnReading("a", True, 3, 4, asked=(Face("R3"), Face("1"))),
        DrawnReading("b", True, 2, 4, unseen=many, asked=(Face("9"), Face("A"))),
    ]
    assert sentence(both) == (
        "On practice tables 5 of 8 cards were read right. It asks about these often: red 3 and ace. "
        "It hardly finds these, type them: 1, 2, 3, 4, 5, 6, 7, 8 and 3 more"
    )
