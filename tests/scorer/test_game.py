"""What carries over between rounds: starting player, floater, sets of hands, personal totals, end of the game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scorer.game import is_over, personal_totals, sides_in_round, who_starts
from scorer.rules import load_rules
from scorer.scoring import score
from scorer.sheets import read_sheet

WORKED = Path(__file__).parent / "worked"
SEATS = ("North", "East", "South", "West")


def worked_total(name: str) -> int:
    data = json.loads((WORKED / f"{name}.json").read_text(encoding="utf-8"))
    sheet = read_sheet(data["sheet"])
    return score(sheet, load_rules(sheet.rules)).sides[0].total


@pytest.mark.parametrize("rules", ["golden-games", "cutting-22"])
def test_the_start_goes_clockwise_from_round_to_round(rules: str) -> None:
    starts = [who_starts(load_rules(rules), SEATS, "South", round) for round in (1, 2, 3, 4, 5)]
    assert starts == ["South", "West", "North", "East", "South"]


@pytest.mark.parametrize("rules", ["tanglewood", "tournament-play", "hand-n-foot"])
def test_nobody_starts_by_rule_if_drawn_again_or_unspecified(rules: str) -> None:
    assert who_starts(load_rules(rules), SEATS, "South", 1) == "South"
    assert who_starts(load_rules(rules), SEATS, "South", 2) is None


def test_an_unknown_player_or_round_is_refused() -> None:
    with pytest.raises(ValueError, match="expected one of North, East, South, West as first player, got Up"):
        who_starts(load_rules("golden-games"), SEATS, "Up", 1)


def test_the_floater_plays_rounds_1_and_4_on_one_side_and_2_and_3_on_the_other() -> None:
    rules, sides = load_rules("hand-n-foot"), (("Ann", "Ben"), ("Cyd", "Dot"))
    found = [sides_in_round(rules, sides, "Eve", round) for round in (1, 2, 3, 4)]
    assert [[side for side, names in enumerate(now) if "Eve" in names] for now in found] == [[0], [1], [1], [0]]
    assert found[0] == (("Ann", "Ben", "Eve"), ("Cyd", "Dot"))
    assert [rules.sides_for(5, round) for round in (1, 2)] == [((3, 2),), ((2, 3),)]


@pytest.mark.parametrize("sides", [(("Ann",), ("Ben",)), (("Ann", "Ben", "Cyd"), ("Dot", "Fay", "Gil"))])
def test_sides_of_other_sizes_have_no_floater(sides: tuple[tuple[str, ...], ...]) -> None:
    shown = " against ".join(str(len(side)) for side in sides)
    with pytest.raises(ValueError, match=f"expected sides beside which Hand 'n Foot has a floater, got {shown}$"):
        sides_in_round(load_rules("hand-n-foot"), sides, "Eve", 1)


def test_a_floater_scores_with_the_side_of_each_round() -> None:
    rules, sides = load_rules("hand-n-foot"), (("Ann", "Ben"), ("Cyd", "Dot"))
    points = [(100, 7), (200, 70), (300, 700), (400, 7000)]
    rounds = [zip(sides_in_round(rules, sides, "Eve", round), now, strict=True) for round, now in enumerate(points, 1)]
    assert personal_totals(rounds) == {"Ann": 1000, "Ben": 1000, "Cyd": 7777, "Dot": 7777, "Eve": 100 + 70 + 700 + 400}


def test_the_two_hands_of_a_set_add_up_for_each_partner() -> None:
    # the readers' table: +640 and -115 are 525 for each of the two partners
    hands = [worked_total("tournament-play-hand-1-640"), worked_total("tournament-play-hand-2-minus-115")]
    assert sum(hands) == 525
    assert personal_totals([[(("Ann", "Ben"), 525)], [(("Ann", "Cyd"), 100), (("Ben", "Dot"), 40)]]) == {
        "Ann": 625,
        "Ben": 565,
        "Cyd": 100,
        "Dot": 40,
    }


def test_hands_of_a_set_begin_the_list_of_minimums_anew() -> None:
    rules = load_rules("tournament-play")
    assert [rules.minimum_first_meld(round) for round in (1, 2, 3, 4)] == [50, 120, 50, 120]
    assert [rules.hand_of_set(round) for round in (1, 2, 3, 4)] == [1, 2, 1, 2]
    assert [load_rules("golden-games").hand_of_set(round) for round in (1, 4)] == [1, 4]
    assert rules.in_sets and not load_rules("golden-games").in_sets
    three = rules.model_copy(update={"hands_in_set": 3})
    assert [three.hand_of_set(round) for round in (1, 2, 3, 4, 6)] == [1, 2, 3, 1, 3]


def test_a_hand_may_grow_from_round_to_round() -> None:
    assert [load_rules("golden-games").hand_size(round) for round in (1, 2, 3, 4)] == [13, 15, 17, 19]


def test_a_game_is_over_when_its_rounds_are_played() -> None:
    totals = {"us": 99999, "them": 0}
    assert [is_over(load_rules("golden-games"), 4, played, totals) for played in (0, 3, 4)] == [False, False, True]
    assert [is_over(load_rules("cutting-22"), 3, played, totals) for played in (2, 3)] == [False, True]


def test_a_game_to_a_target_is_over_when_a_side_reaches_it() -> None:
    rules = load_rules("golden-games").model_copy(update={"target": 5000})
    assert not is_over(rules, 4, 9, {"us": 4995, "them": 0})
    assert is_over(rules, 4, 1, {"us": 0, "them": 5000})
