"""The numbered rules of the tournament sheet that bear on points; rules 2, 3, 11 and 12 are also in ``events``."""

from __future__ import annotations

import pytest

from scorer.rules import load_rules
from scorer.scoring.first_meld import check_first_meld
from tests.scorer.tables import (
    CLEAN_8S,
    CLEAN_9S,
    DIRTY_4S,
    DIRTY_5S,
    DIRTY_6S,
    codes,
    faces,
    meld_codes,
    side,
)

ID = "tournament-play"
RULES = load_rules(ID)
NEEDED = [CLEAN_8S, CLEAN_9S, DIRTY_4S, DIRTY_5S, DIRTY_6S]


def test_rule_1_four_decks_for_four_people() -> None:
    assert RULES.packs.for_players(4) == 4
    assert codes(side(ID, left=[["JK"] * 8])) == []
    assert codes(side(ID, left=[["JK"] * 9])) == ["too-many-copies"]


def test_rule_2_partners_two_against_two() -> None:
    assert RULES.sides_for(4) == ((2, 2),)
    assert RULES.sides_for(6) == ()


def test_rule_3_a_set_is_two_hands_and_each_person_keeps_their_own_score() -> None:
    assert (RULES.hands_in_set, RULES.rounds.for_players(4), RULES.own_totals) == (2, 2, True)


@pytest.mark.parametrize(
    ("card", "points"),
    [("JK", 50), ("AH", 20), ("2S", 20), ("KC", 10), ("8S", 10), ("7H", 5), ("4C", 5)],
)
def test_rule_4_card_values(card: str, points: int) -> None:
    assert side(ID, melds=[[card]]).total == points
    assert side(ID, left=[[card]]).total == -points


def test_rule_4_a_red_3_caught_costs_300_and_a_black_3_nothing() -> None:
    assert side(ID, left=[["3H"], ["3D"]]).total == -600
    assert side(ID, left=[["3S", "3C"]]).total == 0


@pytest.mark.parametrize("cards", ["3H 3D 3H", "3S 3C 3S", "3H 3S 2D"])
def test_rule_4_neither_red_nor_black_threes_make_books(cards: str) -> None:
    assert meld_codes(ID, cards) == ["rank-not-meldable"]
    assert codes(side(ID, laid=cards.split()[:1])) == ["not-laid-here"]


def test_rule_4_going_out_is_100() -> None:
    assert side(ID, melds=NEEDED, went_out=True).total == side(ID, melds=NEEDED).total + 100


def test_rule_5_two_hands_of_eleven_cards() -> None:
    assert (RULES.hand_size(1), RULES.hand_size(2), RULES.foot_cards) == (11, 11, 11)
    assert codes(side(ID, exact_deals=1)) == ["no-such-event"]


def test_rule_6_cards_may_be_added_to_closed_books_and_wilds_not() -> None:
    assert side(ID, melds=[[*CLEAN_8S, "8C"]]).total == 500 + 8 * 10
    assert side(ID, melds=[[*DIRTY_4S, "4C"]]).total == 300 + 7 * 5 + 20
    three = "8H 8S 8D 8C 8H 8S 8D 2S 2H JK"
    assert meld_codes(ID, three) == []
    assert meld_codes(ID, f"{three} JK") == ["too-many-wilds"]


def test_rule_7_the_first_meld_is_50_in_the_first_hand_and_120_in_the_second_of_each_set() -> None:
    assert [RULES.minimum_first_meld(hand) for hand in (1, 2, 3, 4)] == [50, 120, 50, 120]
    assert check_first_meld([faces("KH KS KD KC 2S")], RULES, 1).enough
    assert not check_first_meld([faces("KH KS KD KC 2S")], RULES, 2).enough


@pytest.mark.parametrize("cards", ["8H 8S 8D", "8H 8S 2D", "8H 8S 8D 2S 2H"])
def test_rule_7_sets_of_three_or_more_with_one_more_natural_than_wild(cards: str) -> None:
    assert meld_codes(ID, cards) == []


@pytest.mark.parametrize(
    ("cards", "code"),
    [("8H 8S", "meld-too-small"), ("8H 8S 2S 2H", "too-many-wilds"), ("8H 2S 2H", "too-few-naturals")],
)
def test_rule_7_anything_less_is_no_set(cards: str, code: str) -> None:
    assert code in meld_codes(ID, cards)


def test_rule_8_going_out_needs_two_natural_and_three_unnatural_books() -> None:
    assert codes(side(ID, melds=NEEDED, went_out=True)) == []
    for missing in range(5):
        books = [book for i, book in enumerate(NEEDED) if i != missing]
        assert codes(side(ID, melds=books, went_out=True)) == ["out-without-books"]


def test_rule_8_one_player_has_played_all_their_cards() -> None:
    assert codes(side(ID, melds=NEEDED, left=[[], ["KS"]], went_out=True)) == []
    assert codes(side(ID, melds=NEEDED, left=[["4C"], ["KS"]], went_out=True)) == ["out-with-cards"]


def test_rule_9_a_natural_book_of_at_least_seven_counts_500() -> None:
    assert side(ID, melds=[CLEAN_8S]).total == 500 + 70
    assert side(ID, melds=[CLEAN_8S[:6]]).total == 60


def test_rule_10_an_unnatural_book_counts_300_and_has_three_wilds_at_most() -> None:
    assert side(ID, melds=[DIRTY_4S]).total == 300 + 6 * 5 + 20
    found = side(ID, melds=[["8H", "8S", "8D", "8C", "8H", "2S", "2H", "2D", "JK"]])
    assert (found.total, codes(found)) == (5 * 10 + 3 * 20 + 50, ["too-many-wilds"])


def test_rule_10_there_is_no_book_of_wilds() -> None:
    assert "wild-book-not-allowed" in meld_codes(ID, "2S 2S 2H 2H 2D JK JK")
