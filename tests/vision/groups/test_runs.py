"""Runs of one suit on the table: groups of their own where the rules have them, and hands where they do not."""

from __future__ import annotations

import random

import pytest

from tests.vision.groups.test_grouping import column, placed
from vision.doubts import Doubt
from vision.groups.grouping import group
from vision.groups.relations import PlacedCard
from vision.groups.table_draft import draft_side
from vision.values import Group, HouseRules, Reading

RANKS = ("4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SAMBA = HouseRules(runs=RANKS)
BURRACO = HouseRules(runs=("A", "2", "3", *RANKS), run_wilds=1, threes=frozenset())


def groups(cards: list[PlacedCard], rules: HouseRules = SAMBA) -> list[Group]:
    found = group(cards, rules)
    assert sorted(i for one in found for i in one.cards) == list(range(len(cards)))
    return list(found)


@pytest.mark.parametrize(
    ("faces", "rules", "book"),
    [
        ("4H 5H 6H", SAMBA, None),
        ("QS KS AS", SAMBA, None),
        ("AS KS QS JS 10S 9S 8S", SAMBA, "clean"),
        ("AC 2C 3C 4C 5C 6C 7C", BURRACO, "clean"),
        ("4C 5C JK 7C 8C 9C 10C", BURRACO, "dirty"),
        ("2S KC AC", BURRACO, None),
    ],
)
def test_one_suit_in_a_row_is_a_run(faces: str, rules: HouseRules, book: str | None) -> None:
    (found,) = groups(column(faces, 0), rules)
    assert (found.kind, found.rank, found.book, found.doubt) == ("run", None, book, None)
    draft = draft_side(Reading(100, 100, 0.0, (), (found,), ()))
    assert [one.kind for one in draft.groups] == ["meld"]


@pytest.mark.parametrize("faces", ["4H 5H 6H", "AS KS QS JS 10S 9S 8S", "4C 5C 6C 8D"])
def test_without_runs_in_the_rules_it_is_a_hand_as_before(faces: str) -> None:
    (found,) = groups(column(faces, 0), HouseRules())
    assert (found.kind, found.doubt) == ("hand", None)


@pytest.mark.parametrize("faces", ["4H 5D 6H 7H", "4H 5H 6H 9C", "4H 5H JK 6H", "4H 5H 7H 9C", "4H 5H 6H 7H 8H 9D 10H"])
def test_a_run_but_for_one_card_is_doubted(faces: str) -> None:
    (found,) = groups(column(faces, 0))
    assert (found.kind, found.doubt) == ("hand", Doubt.ODD_ONE_OUT)


@pytest.mark.parametrize("faces", ["4H 5D 6H", "4H 5H 9H JC", "4H 6H 8H", "4H 5H JK"])
def test_cards_far_from_a_run_are_a_hand(faces: str) -> None:
    (found,) = groups(column(faces, 0))
    assert (found.kind, found.doubt) == ("hand", None)


def test_runs_and_melds_that_lie_beside_each_other() -> None:
    cards = [*column("4H 5H 6H 7H", 0), *column("9S 9D 9C", 90), *column("QS KS AS", 180)]
    found = groups(cards)
    assert [(one.kind, one.rank, one.cards) for one in sorted(found, key=lambda one: one.cards)] == [
        ("run", None, (0, 1, 2, 3)),
        ("meld", "9", (4, 5, 6)),
        ("run", None, (7, 8, 9)),
    ]


def test_runs_of_two_suits_in_one_line() -> None:
    found = groups(column("4H 5H 6H 8S 9S 10S", 0))
    assert sorted((one.kind, one.cards) for one in found) == [("run", (0, 1, 2)), ("run", (3, 4, 5))]


def test_the_order_of_the_cards_does_not_matter() -> None:
    cards = [*column("4H 5H 6H 7H 8H 9H 10H", 0), placed("KD", 400, 0), *column("QS KS AS", 180)]
    expected = {(one.kind, frozenset(cards[i].face for i in one.cards)) for one in groups(cards)}
    for seed in range(5):
        mixed = random.Random(seed).sample(cards, len(cards))
        assert {(one.kind, frozenset(mixed[i].face for i in one.cards)) for one in groups(mixed)} == expected
