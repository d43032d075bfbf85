"""First melds: the minimum, what counts, and why the rest does not."""

from __future__ import annotations

import pytest

from scorer.rules import RuleSet, load_rules
from scorer.scoring.first_meld import FirstMeldCheck, check_first_meld
from scorer.scoring.tally import Line
from scorer.sheets import Pile
from tests.scorer.tables import faces


def check(rules: str, round: int, *melds: str) -> FirstMeldCheck:
    return check_first_meld([faces(meld) for meld in melds], load_rules(rules), round)


def loose(rules: str, round: int, cards: str) -> FirstMeldCheck:
    return check_first_meld(faces(cards), load_rules(rules), round)


def test_the_sheet_s_own_example_is_75_enough_for_round_1_and_not_for_round_2() -> None:
    melds = ("4H 4S 4D", "10H 10S 10D 10C 10H 10S")
    found = check("golden-games", 1, *melds)
    assert (found.points, found.needed, found.enough) == (75, 60, True)
    assert [(line.reason, line.points) for line in found.counts] == [
        ("4s in meld of 4s: 3 × 5", 15),
        ("10s in meld of 10s: 6 × 10", 60),
    ]
    assert found.left_out == ()
    assert not check("golden-games", 2, *melds).enough


@pytest.mark.parametrize(
    ("rules", "round", "meld", "short"),
    [
        ("golden-games", 1, "KH KS KD KC KH KS", "KH KS KD KC KH"),
        ("golden-games", 4, "AH AS AD AC JK 2S", "AH AS AD AC JK"),
        ("cutting-22", 1, "AH AS AD", "AH AS"),
        ("tournament-play", 2, "AH AS AD AC 2D 2C", "AH AS AD AC 2D"),
        ("tournament-play", 3, "KH KS KD KC KH", "KH KS KD KC"),
        ("tanglewood", 1, "10H 10S 10D 10C 10H", "9H 9S 9D 9C 9H 9H 9S 9D 9C"),
        ("hand-n-foot", 2, "LORD LORD JOKER", "12 12 12 12 12 12 12"),
    ],
)
def test_exactly_the_minimum_is_enough_and_less_is_not(rules: str, round: int, meld: str, short: str) -> None:
    assert check(rules, round, meld).enough
    assert not check(rules, round, short).enough


def test_a_book_counts_its_cards_and_no_bonus() -> None:
    found = check("hand-n-foot", 1, "5 5 5 5 5 5 5")
    assert (found.points, found.enough) == (35, False)
    assert check("golden-games", 1, "8H 8S 8D 8C 8H 8S 8D").points == 70


def test_wilds_alone_do_not_count_unless_the_rules_say_so() -> None:
    found = check("golden-games", 1, "2S 2S 2S JK JK JK JK")
    assert (found.points, found.enough, found.counts) == (0, False, ())
    reason = "wild book: under these rules, wilds alone do not count for a first meld"
    assert [line.reason for line in found.left_out] == [reason]
    assert check("golden-games", 1, "2S 2S 2S").points == 0
    pile = check_first_meld([Pile(rank="2", cards=7)], load_rules("golden-games"), 1)
    assert (pile.points, [line.points for line in pile.left_out]) == (0, [0])


def test_wilds_alone_count_by_the_directions_of_hand_n_foot() -> None:
    """Its sheet lets a group of wilds alone be made, and excepts none from the initial meld."""
    assert check("hand-n-foot", 4, "JOKER JOKER JOKER").points == 150
    assert check("hand-n-foot", 4, "JOKER JOKER JOKER").enough
    assert check("hand-n-foot", 1, "JESTER JESTER").points == 0
    pile = check_first_meld([Pile(rank="JESTER", cards=7)], load_rules("hand-n-foot"), 1)
    assert pile.points == 175


def test_red_threes_never_count() -> None:
    found = loose("golden-games", 1, "3H 3D 3H 3D AH AS AD")
    assert (found.points, found.enough) == (60, True)
    assert [line.reason for line in found.left_out] == ["red 3s: laid on the table, not part of a first meld"] * 4
    assert check("golden-games", 1, "3H 3D 3H").points == 0


def test_an_illegal_meld_does_not_count_and_says_why() -> None:
    found = check("cutting-22", 1, "AH AS 2D 2C", "KH KS KD")
    assert (found.points, found.enough) == (30, False)
    assert [line.reason for line in found.left_out] == [
        "invalid meld of aces: With 2 naturals, a meld can have at most 1 wild. This one has 2."
    ]


def test_loose_cards_form_the_melds_worth_most() -> None:
    found = loose("golden-games", 1, "4H 4S AH AS JK 9C")
    assert found.points == 20 + 20 + 50
    assert [line.reason for line in found.left_out] == ["4s: too few for a meld"] * 2 + ["9s: too few for a meld"]


def test_unused_loose_cards_say_why() -> None:
    found = loose("golden-games", 1, "AH AS 2C JK 3S LADY")
    assert found.points == 20 + 20 + 50
    assert [line.reason for line in found.left_out] == [
        "2s: no meld has room for this wild",
        "black 3s: can’t be melded",
        "LADYs: not in the deck for these rules",
    ]


def test_a_side_s_total_raises_the_minimum_under_rules_by_score() -> None:
    parts = load_rules("golden-games").model_dump(mode="json")
    parts["first_meld"] = {"by_score": [{"points": 15}, {"least": 0, "points": 50}, {"least": 1500, "points": 90}]}
    rules = type(load_rules("golden-games")).model_validate(parts)
    assert [rules.minimum_first_meld(1, total) for total in (-5, 0, 1495, 1500, 9000)] == [15, 50, 50, 90, 90]
    assert not check_first_meld([faces("AH AS AD")], rules, 4, total=1500).enough
    assert check_first_meld([faces("AH AS AD")], rules, 4, total=1495).enough


def test_each_line_of_a_first_meld_has_location_and_cards() -> None:
    found = check("golden-games", 1, "AH AS AD", "2S 2H JK", "8H 9S")
    assert found.counts == (Line("aces in meld of aces: 3 × 20", 60, ("AH", "AS", "AD"), "melds[0]"),)
    assert found.left_out == (
        Line(
            "meld of wilds: under these rules, wilds alone do not count for a first meld",
            0,
            ("2S", "2H", "JK"),
            "melds[1]",
        ),
        Line(
            "invalid meld: A meld needs at least 3 cards. This one has 2. "
            "A meld can hold only one rank. This one has an 8 and a 9.",
            0,
            ("8H", "9S"),
            "melds[2]",
        ),
    )
    assert loose("golden-games", 1, "9C").left_out == (Line("9s: too few for a meld", 0, ("9C",)),)


def test_the_most_valuable_wild_completes_the_most_valuable_pair() -> None:
    found = loose("golden-games", 1, "JK 2S 4H 4S")
    assert (found.points, [line.cards for line in found.left_out]) == (5 + 5 + 50, [("2S",)])
    assert loose("golden-games", 1, "2S JK 4H 4S").points == 5 + 5 + 50
    assert loose("golden-games", 1, "4H 4S AH AS 2S 8H 8S").points == 20 + 20 + 20


def test_a_wild_goes_to_a_pair_and_not_to_three_of_a_rank() -> None:
    assert loose("golden-games", 1, "4H 4S KH KS KD 2S").points == 30 + 10 + 20
    assert loose("cutting-22", 1, "4H 4S 9H 9S 9D 2S").points == 30 + 10 + 20


def test_a_single_card_and_wilds_are_no_meld() -> None:
    assert loose("hand-n-foot", 1, "LORD JOKER JOKER").points == 0
    assert loose("golden-games", 1, "AH JK JK JK").points == 0


def test_a_side_without_a_total_starts_from_zero() -> None:
    parts = load_rules("golden-games").model_dump(mode="json")
    parts["first_meld"] = {"by_score": [{"points": 15}, {"least": 1, "points": 90}]}
    rules = type(load_rules("golden-games")).model_validate(parts)
    assert (rules.minimum_first_meld(1), rules.first_meld.in_round(1)) == (15, 15)
    assert check_first_meld([faces("8H 8S 8D")], rules, 1).enough


def _changed(**parts: dict[str, int] | list[dict[str, object]]) -> RuleSet:
    """The Golden Games rules with some parts changed."""
    fields = load_rules("golden-games").model_dump(mode="json")
    for key, value in parts.items():
        fields[key] = {**fields[key], **value} if isinstance(value, dict) else value
    return RuleSet.model_validate(fields)


def test_too_few_naturals_are_no_meld_whatever_the_wilds() -> None:
    rules = _changed(melds={"least_naturals": 3})
    assert check_first_meld(faces("AH AS 2S"), rules, 1).points == 0
    assert check_first_meld(faces("AH AS AD 2S"), rules, 1).points == 80


def test_wilds_are_ordered_by_points_under_the_rules_in_use() -> None:
    points: list[dict[str, object]] = [
        {"cards": ["2"], "played": 90, "left": 0},
        {"cards": ["JK"], "played": 10, "left": 0},
        {"cards": ["A", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"], "played": 5, "left": 0},
    ]
    assert check_first_meld(faces("2S JK 4H 4S"), _changed(points=points), 1).points == 5 + 5 + 90
