"""Sentences of the published pages that random sheets brought up, each with a round worked by hand."""

from __future__ import annotations

import pytest

from scorer.rules import load_rules
from scorer.scoring.first_meld import check_first_meld
from tests.scorer.tables import CLEAN_8S, CLEAN_9S, DIRTY_4S, codes, faces, meld_codes, side, tally

NINES_AND_WILDS = "9H 9S 2H 2S JK"


def test_red_and_black_books_have_three_wilds_at_most() -> None:
    """Eight cards with four wilds are no book: 4 x 10 + 4 x 20."""
    found = side("red-and-black-books", melds=[["KH", "KS", "KD", "KC", "2H", "2S", "2D", "2C"]])
    assert (found.total, codes(found)) == (120, ["too-many-wilds"])
    assert side("red-and-black-books", melds=[["KH", "KS", "KD", "KC", "2H", "2S", "2D"]]).total == 300 + 100
    assert "the last card is discarded" in load_rules("red-and-black-books").going_out.also


def test_american_canasta_a_three_left_in_a_hand_costs_5() -> None:
    assert side("american-canasta", melds=[CLEAN_8S], left=[["3H"], ["3S", "4S"]]).total == 500 + 70 - 3 * 5


def test_canasta_for_two_knows_no_ratio_of_wilds() -> None:
    """Two naturals at least and three wilds at most: 2 x 10 + 2 x 20 + 50."""

    def broken(cards: str) -> list[str]:
        return codes(side("canasta-for-two", melds=[cards.split()], players=2))

    assert broken(NINES_AND_WILDS) == []
    assert meld_codes("canasta", NINES_AND_WILDS) == ["too-many-wilds"]
    assert broken("9H 9S 9D 9C 2H 2S 2D JK") == ["too-many-wilds"]
    assert check_first_meld([faces(NINES_AND_WILDS)], load_rules("canasta-for-two"), 1, 1500).points == 110
    assert check_first_meld(faces(NINES_AND_WILDS), load_rules("canasta-for-two"), 1, 1500).points == 110
    assert broken("9H 2H 2S") == ["too-few-naturals"]


@pytest.mark.parametrize(("players", "sides", "hand"), [(2, ((1, 1),), 15), (3, (), 11), (4, ((2, 2),), 11)])
def test_canasta_to_7500_is_for_two_or_four(players: int, sides: tuple[tuple[int, ...], ...], hand: int) -> None:
    rules = load_rules("canasta-to-7500")
    assert rules.sides_for(players) == sides
    assert (rules.hand_size(1, players), rules.foot_cards) == (hand, 0)


@pytest.mark.parametrize("rules", ["canasta", "canasta-to-7500", "pennies-from-heaven", "trinasta"])
def test_going_out_concealed_is_100_more_and_for_one_side(rules: str) -> None:
    concealed = {"went_out": True, "bonuses": {"going out concealed": 1}}
    players = {"pennies-from-heaven": 6, "trinasta": 3}.get(rules, 4)
    found = side(rules, melds=[CLEAN_8S, CLEAN_9S], players=players, **concealed)
    assert found.total == 2 * 570 + 200
    both = tally(
        rules, {"bonuses": {"going out concealed": 1}}, {"bonuses": {"going out concealed": 1}}, players=players
    )
    assert ["too-many-bonuses" in codes(one) for one in both.sides] == [True, True]


def test_roth_family_a_wrong_take_of_the_discards_costs_100() -> None:
    found = side("roth-family", melds=[CLEAN_8S], bonuses={"discards taken wrongly": 2})
    assert (found.total, codes(found)) == (500 + 4 * 5 + 3 * 5 - 200, [])


@pytest.mark.parametrize(("laid", "points"), [(6, 600), (7, 1000), (8, 1100), (13, 1600), (14, 2000)])
def test_hand_knee_and_foot_each_book_of_seven_red_threes_counts_1000(laid: int, points: int) -> None:
    assert side("hand-knee-and-foot", laid=(["3H", "3D"] * 7)[:laid]).total == points


def test_grandma_sue_the_last_card_is_played() -> None:
    assert load_rules("grandma-sue").going_out.also == ("the last card is played, not discarded",)


def test_three_sides_of_six_have_two_players_each() -> None:
    """Tanglewood: two sides of six may be threes, three sides are pairs."""
    three = {"exact_deals": 3, "left": [["4S"], ["5S"], ["6S"]]}
    assert codes(tally("tanglewood", three, {}, players=6).sides[0]) == []
    assert codes(tally("tanglewood", three, {}, {}, players=6).sides[0]) == ["too-many-exact-deals", "too-many-hands"]
    out = {"melds": [CLEAN_8S], "went_out": True, "left": [["4S"], ["5S"], []]}
    assert "out-with-cards" in codes(tally("tanglewood", out, {}, {}, players=6).sides[0])
    assert "out-with-cards" not in codes(tally("tanglewood", out, {}, players=6).sides[0])


def test_the_side_without_the_floater_has_two_players() -> None:
    """Hand 'n Foot with five: in round 2 the floater plays on the second side; a side alone may be either."""
    three = {"left": [["1"], ["2"], ["3"]]}
    assert codes(tally("hand-n-foot", three, {}, players=5).sides[0]) == [], "round 1"
    assert codes(tally("hand-n-foot", {}, three, players=5).sides[1]) == ["too-many-hands"], "round 1"
    assert codes(tally("hand-n-foot", three, players=5).sides[0]) == []


def test_everybody_has_cards_left_where_any_split_is_allowed() -> None:
    """Cutting 22 with three who play alone: a list too many hides nobody."""
    out = {"melds": [CLEAN_8S, CLEAN_9S, DIRTY_4S], "went_out": True, "left": [[], ["KD"]]}
    assert "out-with-cards" in codes(tally("cutting-22", out, {}, {}, players=3).sides[0])
    assert "out-with-cards" not in codes(tally("cutting-22", out, {}, players=4).sides[0])
