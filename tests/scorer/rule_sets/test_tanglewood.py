"""The paragraphs of the Tanglewood sheet that bear on points; each test is named after its paragraph."""

from __future__ import annotations

import pytest

from scorer.game import who_starts
from scorer.rules import load_rules
from tests.scorer.tables import CLEAN_8S, CLEAN_9S, DIRTY_4S, DIRTY_5S, DIRTY_6S, codes, meld_codes, side

ID = "tanglewood"
RULES = load_rules(ID)
CLEAN = [CLEAN_8S, CLEAN_9S, [f"10{suit}" for suit in "HSDCHSD"], [f"J{suit}" for suit in "HSDCHSD"]]
DIRTY = [
    DIRTY_4S,
    DIRTY_5S,
    DIRTY_6S,
    ["7H", "7S", "7D", "7C", "7H", "7S", "2H"],
    ["QH", "QS", "QD", "QC", "QH", "QS", "2H"],
]


def test_first_paragraph_one_deck_per_player_up_to_eight() -> None:
    assert [RULES.packs.for_players(players) for players in (4, 6, 8)] == [4, 6, 8]
    assert codes(side(ID, players=8, left=[["JK"] * 16])) == []
    assert codes(side(ID, players=6, left=[["JK"] * 13])) == ["too-many-copies"]
    assert codes(side(ID, players=9)) == ["wrong-players"]


def test_first_paragraph_100_for_each_player_who_takes_exactly_22() -> None:
    assert RULES.hand_size(1) == RULES.hand_size(4) == RULES.foot_cards == 11
    assert side(ID, exact_deals=2).total == 200
    assert codes(side(ID, exact_deals=3)) == ["too-many-exact-deals"]
    assert (side(ID, players=6, exact_deals=3).total, codes(side(ID, players=6, exact_deals=3))) == (300, [])


def test_meld_minimum_by_hand() -> None:
    assert [RULES.minimum_first_meld(round) for round in (1, 2, 3, 4)] == [50, 90, 120, 150]
    assert RULES.rounds.for_players(4) == 4


@pytest.mark.parametrize(
    ("card", "points"),
    [("JK", 50), ("2S", 20), ("4C", 5), ("9H", 5), ("10S", 10), ("KD", 10), ("AC", 20)],
)
def test_card_counts(card: str, points: int) -> None:
    assert side(ID, melds=[[card]]).total == points
    assert side(ID, left=[[card]]).total == -points


def test_card_counts_black_threes_are_5_and_red_threes_500_against() -> None:
    assert side(ID, left=[["3S"], ["3C"]]).total == -10
    assert side(ID, left=[["3H"], ["3D"]]).total == -1000


def test_card_counts_threes_cannot_be_used_in_meld_or_books() -> None:
    assert meld_codes(ID, "3S 3C 3S") == ["rank-not-meldable"]
    assert codes(side(ID, laid=["3H"])) == codes(side(ID, laid=["3S"])) == ["not-laid-here"]


def test_play_who_starts_is_drawn_for() -> None:
    assert who_starts(RULES, ("N", "E", "S", "W"), "E", 1) == "E"
    assert who_starts(RULES, ("N", "E", "S", "W"), "E", 2) is None


@pytest.mark.parametrize("cards", ["8H 8S 2D", "8H 8S 8D 2S 2H", "8H 8S 8D 8C 2S 2H JK"])
def test_play_lay_downs_have_one_more_natural_than_wilds(cards: str) -> None:
    assert meld_codes(ID, cards) == []


@pytest.mark.parametrize("cards", ["8H 8S 2S 2H", "8H 8S 8D 2S 2H JK"])
def test_play_lay_downs_with_as_many_wilds_are_not_legal(cards: str) -> None:
    assert meld_codes(ID, cards) == ["too-many-wilds"]


def test_books_seven_naturals_are_clean_and_with_wilds_dirty() -> None:
    assert side(ID, melds=[CLEAN_9S]).total == 500 + 7 * 5
    assert side(ID, melds=[CLEAN_9S[:6]]).total == 6 * 5
    assert side(ID, melds=[DIRTY_4S]).total == 300 + 6 * 5 + 20


def test_books_no_more_than_three_wilds() -> None:
    eight = "8H 8S 8D 8C 8H 8S 8D 8C"
    assert meld_codes(ID, f"{eight} 2S 2H JK") == []
    assert meld_codes(ID, f"{eight} 2S 2H JK JK") == ["too-many-wilds"]
    assert "wild-book-not-allowed" in meld_codes(ID, "2S 2S 2H 2H 2D 2C JK")


def test_books_required_cards_can_be_buried_for_their_value() -> None:
    found = side(ID, melds=[CLEAN_9S], buried=["9C", "KD", "2S"])
    assert (found.total, codes(found)) == (535 + 5 + 10 + 20, [])
    assert codes(side(ID, buried=["3S"])) == ["not-laid-here"]


def test_books_required_new_books_of_a_rank_may_be_started() -> None:
    assert codes(side(ID, melds=[CLEAN_9S, ["9C", "9C", "2S"]])) == []


@pytest.mark.parametrize(("players", "clean", "dirty"), [(4, 2, 3), (6, 3, 4), (8, 4, 5)])
def test_books_required_by_players(players: int, clean: int, dirty: int) -> None:
    needed = [*CLEAN[:clean], *DIRTY[:dirty]]
    assert codes(side(ID, players=players, melds=needed, went_out=True)) == []
    for missing in range(len(needed)):
        books = [book for i, book in enumerate(needed) if i != missing]
        assert codes(side(ID, players=players, melds=books, went_out=True)) == ["out-without-books"]


def test_going_out_earns_100_and_the_others_may_hold_cards() -> None:
    books = [*CLEAN[:2], *DIRTY[:3]]
    found = side(ID, melds=books, left=[["KS"], []], went_out=True)
    assert (found.total, codes(found)) == (side(ID, melds=books).total + 100 - 10, [])


def test_scoring_cards_left_are_deducted() -> None:
    assert side(ID, melds=[CLEAN_9S], left=[["AS", "4H"], ["JK"]]).total == 535 - 20 - 5 - 50
