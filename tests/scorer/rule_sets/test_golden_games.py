"""The paragraphs of the Golden Games sheet that bear on points; each test is named after its paragraph."""

from __future__ import annotations

import pytest

from scorer.game import who_starts
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
    tally,
)

ID = "golden-games"
RULES = load_rules(ID)
WILD_BOOK = ["2S", "2H", "2D", "2C", "2S", "JK", "JK"]


def test_play_2_and_5_two_teams_of_two_with_five_decks() -> None:
    assert RULES.sides_for(4) == ((2, 2),)
    assert RULES.sides_for(6) == ()
    assert RULES.packs.for_players(4) == 5


def test_play_7_a_game_is_four_rounds() -> None:
    assert RULES.rounds.for_players(4) == 4


@pytest.mark.parametrize("cards", ["4H 4S 4D", "AH AS AD", "8H 8S 2D", "8H 8S JK", "KH KS KD KC"])
def test_what_are_melds_three_naturals_or_two_naturals_and_one_wild_from_4_to_ace(cards: str) -> None:
    assert meld_codes(ID, cards) == []


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("8H 8S", "meld-too-small"),
        ("8H 8S 9D", "mixed-ranks"),
        ("3H 3S 3D", "rank-not-meldable"),
        ("8H 2S 2D", "too-few-naturals"),
    ],
)
def test_what_are_melds_anything_else_is_none(cards: str, code: str) -> None:
    assert code in meld_codes(ID, cards)


def test_what_are_books_seven_of_one_value_are_a_clean_book() -> None:
    found = side(ID, melds=[CLEAN_8S])
    assert (found.total, codes(found)) == (700 + 7 * 10, [])
    assert side(ID, melds=[CLEAN_8S[:6]]).total == 6 * 10


def test_what_are_books_naturals_and_wilds_are_a_dirty_book() -> None:
    found = side(ID, melds=[DIRTY_4S])
    assert (found.total, codes(found)) == (300 + 6 * 5 + 20, [])


@pytest.mark.parametrize("cards", ["8H 8S 8D 2S 2H", "8H 8S 8D 8C 2S 2H JK"])
def test_what_are_books_one_more_natural_than_wilds_is_legal(cards: str) -> None:
    assert meld_codes(ID, cards) == []


@pytest.mark.parametrize("cards", ["8H 8S 2S 2H", "8H 8S 8D 8C 2S 2H 2D JK", "8H 8S 8D 2S 2H 2D JK"])
def test_what_are_books_as_many_wilds_as_naturals_are_not(cards: str) -> None:
    assert meld_codes(ID, cards) == ["too-many-wilds"]


def test_what_are_books_seven_wilds_are_a_wild_book() -> None:
    found = side(ID, melds=[WILD_BOOK])
    assert (found.total, codes(found)) == (1500 + 5 * 20 + 2 * 50, [])


@pytest.mark.parametrize("number", [3, 4, 5, 6])
def test_what_are_books_fewer_wilds_alone_score_their_cards(number: int) -> None:
    found = side(ID, melds=[["2S"] * number])
    assert (found.total, [code for code in codes(found) if code != "too-many-copies"]) == (number * 20, [])


def test_what_are_books_two_wilds_are_no_meld() -> None:
    assert meld_codes(ID, "2S JK") == ["meld-too-small"]


def test_what_are_books_three_threes_are_none_and_score_their_cards() -> None:
    found = side(ID, melds=[["3H", "3D", "3H"]])
    assert (found.total, codes(found)) == (300, ["rank-not-meldable"])


def test_what_are_books_to_go_out_needs_two_clean_and_three_dirty() -> None:
    needed = [CLEAN_8S, CLEAN_9S, DIRTY_4S, DIRTY_5S, DIRTY_6S]
    assert codes(side(ID, melds=needed, went_out=True)) == []
    for missing in range(5):
        books = [book for i, book in enumerate(needed) if i != missing]
        assert codes(side(ID, melds=books, went_out=True)) == ["out-without-books"]


def test_what_are_books_a_wild_book_stands_in_for_no_other() -> None:
    books = [CLEAN_8S, DIRTY_4S, DIRTY_5S, DIRTY_6S, WILD_BOOK]
    assert "out-without-books" in codes(side(ID, melds=books, went_out=True))


@pytest.mark.parametrize(
    ("card", "points"),
    [("4C", 5), ("7H", 5), ("8S", 10), ("10D", 10), ("KC", 10), ("AH", 20), ("2S", 20), ("JK", 50)],
)
def test_card_values_on_the_table_and_against_the_side_when_left(card: str, points: int) -> None:
    assert side(ID, melds=[[card]]).total == points
    assert side(ID, left=[[card]]).total == -points


def test_bonus_points_red_threes_laid_are_100_each() -> None:
    found = side(ID, laid=["3H", "3D"])
    assert (found.total, codes(found)) == (200, [])


def test_bonus_points_red_threes_left_are_minus_100_each() -> None:
    assert side(ID, left=[["3H"], ["3D"]]).total == -200


def test_bonus_points_black_threes_are_minus_100_and_never_laid() -> None:
    assert side(ID, left=[["3S", "3C"]]).total == -200
    assert codes(side(ID, laid=["3C"])) == ["not-laid-here"]


def test_bonus_points_note_naturals_added_to_a_book_score_their_value_alone() -> None:
    assert side(ID, melds=[[*CLEAN_8S, "8C", "8C"]]).total == 700 + 9 * 10
    assert side(ID, melds=[[*CLEAN_8S] * 2]).total == 700 + 14 * 10


def test_bonus_points_note_no_wild_joins_a_finished_book() -> None:
    three = "8H 8S 8D 8C 8H 8S 8D 2S 2H JK"
    assert meld_codes(ID, three) == []
    assert meld_codes(ID, f"{three} JK") == ["too-many-wilds"]


def test_meld_requirements_minimum_by_round() -> None:
    assert [RULES.minimum_first_meld(round) for round in (1, 2, 3, 4)] == [60, 90, 120, 150]


def test_meld_requirements_an_improper_meld_costs_500() -> None:
    found = side(ID, improper_melds=1)
    assert (found.total, codes(found)) == (-500, [])


def test_to_begin_play_hand_and_foot_sizes() -> None:
    assert [RULES.hand_size(round) for round in (1, 2, 3, 4)] == [13, 15, 17, 19]
    assert RULES.foot_cards == 11


def test_to_begin_play_a_perfect_deal_is_100_for_each_player() -> None:
    assert side(ID, exact_deals=1).total == 100
    assert side(ID, exact_deals=2).total == 200


def test_going_out_is_100_for_the_first_team_only() -> None:
    books = [CLEAN_8S, CLEAN_9S, DIRTY_4S, DIRTY_5S, DIRTY_6S]
    one, other = tally(ID, {"melds": books, "went_out": True}, {"melds": []}).sides
    assert one.total == side(ID, melds=books).total + 100
    assert (other.total, codes(one), codes(other)) == (0, [], [])


def test_going_out_one_player_has_played_all_and_the_partner_may_hold_cards() -> None:
    books = [CLEAN_8S, CLEAN_9S, DIRTY_4S, DIRTY_5S, DIRTY_6S]
    assert codes(side(ID, melds=books, left=[["4S"], []], went_out=True)) == []
    assert codes(side(ID, melds=books, left=[["4S"], ["5S"]], went_out=True)) == ["out-with-cards"]


def test_what_are_melds_and_books_a_wild_book_is_no_part_of_the_first_meld() -> None:
    found = check_first_meld([faces(" ".join(WILD_BOOK)), faces("4H 4S 4D")], RULES, 1)
    assert (found.points, found.enough) == (15, False)


def test_meld_requirements_the_sheet_s_example_is_75() -> None:
    melds = [faces("4H 4S 4D"), faces("10H 10S 10D 10C 10H 10S")]
    assert check_first_meld(melds, RULES, 1).points == 75
    assert [check_first_meld(melds, RULES, round).enough for round in (1, 2)] == [True, False]


def test_meld_requirements_red_threes_do_not_count() -> None:
    found = check_first_meld(faces("3H 3D 10H 10S 10D"), RULES, 1)
    assert (found.points, found.enough) == (30, False)


def test_to_begin_play_the_first_player_goes_clockwise_around_the_table() -> None:
    assert [who_starts(RULES, ("N", "E", "S", "W"), "S", round) for round in (1, 2, 3, 4)] == ["S", "W", "N", "E"]


def test_how_to_keep_score_all_red_threes_laid_go_with_the_books_and_the_cards() -> None:
    found = side(ID, melds=[CLEAN_8S, ["QH", "QD", "2S"]], laid=["3H"], left=[["4S"], ["KD"]])
    assert found.total == 700 + 70 + 10 + 10 + 20 + 100 - 5 - 10
