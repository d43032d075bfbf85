"""The paragraphs of the page with Cutting 22 that bear on points; each test is named after its section."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.game import who_starts
from scorer.rules import load_rules
from tests.scorer.tables import CLEAN_8S, CLEAN_9S, DIRTY_4S, DIRTY_5S, codes, meld_codes, side, tally

ID = "cutting-22"
RULES = load_rules(ID)


def test_what_are_things_worth_books() -> None:
    assert side(ID, melds=[CLEAN_8S]).total == 500 + 7 * 10
    assert side(ID, melds=[DIRTY_4S]).total == 300 + 6 * 5 + 20


@pytest.mark.parametrize(
    ("card", "points"),
    [("JK", 50), ("2S", 20), ("AH", 20), ("KC", 10), ("8S", 10), ("7H", 5), ("4C", 5)],
)
def test_what_are_things_worth_cards(card: str, points: int) -> None:
    assert side(ID, melds=[[card]]).total == points
    assert side(ID, left=[[card]]).total == -points


def test_what_are_things_worth_black_3_is_nothing_and_red_3_left_minus_300() -> None:
    assert side(ID, left=[["3S", "3C"]]).total == 0
    assert side(ID, left=[["3H"], ["3D"]]).total == -600


def test_what_are_things_worth_going_out_100() -> None:
    books = [CLEAN_8S, CLEAN_9S, DIRTY_4S, DIRTY_5S]
    assert side(ID, melds=books, went_out=True).total == side(ID, melds=books).total + 100


def test_what_are_things_worth_cutting_22_is_100_each() -> None:
    assert side(ID, exact_deals=2).total == 200


def test_requirements_two_or_more_players_best_in_teams() -> None:
    assert RULES.sides_for(1) == ()
    assert RULES.sides_for(2) == ((1, 1),)
    assert RULES.sides_for(4) == ((2, 2), (1, 1, 1, 1))
    assert RULES.sides_for(5) == ((3, 2), (1, 1, 1, 1, 1))


def test_requirements_teams_need_not_be_equal() -> None:
    three, two = {"exact_deals": 3, "left": [["4S"], ["5S"], []], "went_out": True}, {"left": [["4S"], ["5S"]]}
    books = [CLEAN_8S, CLEAN_9S, DIRTY_4S, DIRTY_5S]
    found = [codes(one) for one in tally(ID, {**three, "melds": books}, two, players=5).sides]
    assert found == [[], []]
    assert codes(tally(ID, {"exact_deals": 4}, {"exact_deals": 2}, players=6).sides[0]) == []


def test_cutting_22_each_player_cuts_once() -> None:
    alone = [{"exact_deals": 1}] * 6
    assert [codes(one) for one in tally(ID, *alone, players=6).sides] == [[]] * 6
    for one in tally(ID, *alone[1:], {"exact_deals": 2}, players=6).sides:
        assert "too-many-exact-deals" in codes(one)


def test_requirements_one_more_deck_than_players() -> None:
    assert [RULES.packs.for_players(players) for players in (2, 3, 6)] == [3, 4, 7]


def test_the_play_no_melds_of_threes_which_must_be_discarded() -> None:
    assert meld_codes(ID, "3H 3S 3D") == ["rank-not-meldable"]
    assert codes(side(ID, laid=["3H"])) == ["not-laid-here"]
    assert codes(side(ID, laid=["3S"])) == ["not-laid-here"]


@pytest.mark.parametrize("cards", ["AH AS 2D", "AH AS AD AC 2H 2S"])
def test_the_play_wild_card_ratio_is_ok(cards: str) -> None:
    assert meld_codes(ID, cards) == []


@pytest.mark.parametrize("cards", ["AH AS 2D 2C", "AH AS AD AC 2H 2S 2D", "AH AS AD 2H 2S"])
def test_the_play_wild_card_ratio_is_illegal(cards: str) -> None:
    assert meld_codes(ID, cards) == ["too-many-wilds"]


def test_the_play_never_more_than_two_wilds_however_many_naturals() -> None:
    naturals = "8H 8S 8D 8C 8H 8S 8D"
    assert meld_codes(ID, f"{naturals} 2H JK") == []
    found = side(ID, melds=[f"{naturals} 2H 2S JK".split()])
    assert (found.total, codes(found)) == (7 * 10 + 20 + 20 + 50, ["too-many-wilds"])


def test_the_play_minimum_is_50_and_goes_up_by_20_each_round() -> None:
    assert [RULES.minimum_first_meld(round) for round in (1, 2, 3, 8)] == [50, 70, 90, 190]


def test_the_play_a_meld_of_seven_is_a_book_and_six_are_none() -> None:
    assert side(ID, melds=[CLEAN_8S[:6]]).total == 6 * 10
    assert side(ID, melds=[DIRTY_4S[1:]]).total == 5 * 5 + 20


def test_the_play_naturals_may_be_added_to_a_book_and_a_new_meld_started() -> None:
    found = side(ID, melds=[[*CLEAN_8S, "8C"], ["8C", "8D", "8H"]])
    assert (found.total, codes(found)) == (500 + 8 * 10 + 3 * 10, [])


def test_the_play_going_out_needs_two_clean_and_two_dirty_books() -> None:
    needed = [CLEAN_8S, CLEAN_9S, DIRTY_4S, DIRTY_5S]
    assert codes(side(ID, melds=needed, went_out=True)) == []
    for missing in range(4):
        books = [book for i, book in enumerate(needed) if i != missing]
        assert codes(side(ID, melds=books, went_out=True)) == ["out-without-books"]


def test_the_play_the_round_ends_when_a_player_has_played_the_last_card_of_the_foot() -> None:
    books = [CLEAN_8S, CLEAN_9S, DIRTY_4S, DIRTY_5S]
    assert codes(side(ID, melds=books, left=[["KD"], []], went_out=True)) == []
    assert codes(side(ID, melds=books, left=[["KD"]], went_out=True)) == ["out-with-cards"]


def test_the_play_as_many_rounds_as_players() -> None:
    assert [RULES.rounds.for_players(players) for players in (2, 5)] == [2, 5]


def test_the_play_eleven_cards_in_hand_and_foot_in_every_round() -> None:
    assert [RULES.hand_size(round) for round in (1, 7)] == [11, 11]
    assert RULES.foot_cards == 11


def test_the_play_there_is_no_book_of_wilds_and_no_improper_meld() -> None:
    found = side(ID, melds=[["2S", "2H", "2D", "2C", "2S", "JK", "JK"]], improper_melds=1)
    assert found.total == 5 * 20 + 2 * 50
    assert codes(found) == ["wild-book-not-allowed", "too-few-naturals", "no-such-event"]


def test_the_play_each_player_is_the_first_to_draw_once() -> None:
    seats = ("Ann", "Ben", "Cyd")
    rounds = range(1, RULES.rounds.for_players(len(seats)) + 1)
    assert {who_starts(RULES, seats, "Ben", round) for round in rounds} == set(seats)


def test_the_play_cards_in_hands_and_feet_are_subtracted() -> None:
    assert side(ID, melds=[CLEAN_8S], left=[["KS", "2H"], ["3D"]]).total == 570 - 10 - 20 - 300


def test_a_side_can_have_as_many_exact_deals_as_the_other_sides_leave_players() -> None:
    def too_many(players: int, cuts: int, sides: int) -> bool:
        others: list[dict[str, Any]] = [{}] * (sides - 1)
        first = tally(ID, {"exact_deals": cuts}, *others, players=players).sides[0]
        return ("too-many-exact-deals", "exact_deals") in [(found.code, found.where) for found in first.violations]

    assert [too_many(5, cuts, 2) for cuts in (4, 5)] == [False, True]
    assert [too_many(5, cuts, 1) for cuts in (4, 5)] == [False, True]
    assert [too_many(5, cuts, 3) for cuts in (3, 4)] == [False, True]
    assert [too_many(6, cuts, 6) for cuts in (1, 2)] == [False, True]


def test_exact_deals_of_all_sides_are_limited_by_the_players() -> None:
    (found,) = tally(ID, {"exact_deals": 2}, {"exact_deals": 2}, players=3).sides[1].violations
    assert (found.code, found.where) == ("too-many-exact-deals", "sides")
    assert found.message == "3 players can have at most 3 exact deals, but 4 are counted."
