"""Each violation code: a sheet that raises it, and a similar one that does not."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from scorer.rules import RuleSet, load_rules
from scorer.scoring import score
from scorer.scoring.tally import Code
from scorer.sheets import read_sheet
from tests.scorer.tables import CLEAN_8S, CLEAN_9S, DIRTY_4S, DIRTY_5S, DIRTY_6S, codes, side, tally

GG, C22, HNF, TW = "golden-games", "cutting-22", "hand-n-foot", "tanglewood"
FIVES = ["5"] * 7
BOOKS = [CLEAN_8S, CLEAN_9S, DIRTY_4S, DIRTY_5S, DIRTY_6S]

PAIRS: list[tuple[Code, str, str, dict[str, Any], dict[str, Any]]] = [
    ("meld-too-small", GG, "melds[0]", {"melds": [["8H", "8S"]]}, {"melds": [["8H", "8S", "8D"]]}),
    ("meld-too-small", GG, "melds[0]", {"melds": [[]]}, {"melds": []}),
    ("mixed-ranks", GG, "melds[0]", {"melds": [["8H", "8S", "9D"]]}, {"melds": [["8H", "8S", "2D"]]}),
    ("too-few-naturals", GG, "melds[0]", {"melds": [["8H", "2S", "2D"]]}, {"melds": [["2H", "2S", "2D"]]}),
    ("too-few-naturals", C22, "melds[0]", {"melds": [["2H", "2S", "2D"]]}, {"melds": [["8H", "8S", "2D"]]}),
    (
        "too-many-wilds",
        GG,
        "melds[1]",
        {"melds": [CLEAN_8S, ["9H", "9S", "2D", "JK"]]},
        {"melds": [CLEAN_8S, ["9H", "9S", "9D", "JK", "JK"]]},
    ),
    (
        "too-many-wilds",
        C22,
        "melds[0]",
        {"melds": [{"rank": "9", "cards": 12, "wilds": ["2S", "2S", "JK"]}]},
        {"melds": [{"rank": "9", "cards": 12, "wilds": ["2S", "JK"]}]},
    ),
    ("rank-not-meldable", GG, "melds[0]", {"melds": [["3H", "3S", "3D"]]}, {"laid": ["3H", "3D", "3D"]}),
    ("rank-not-meldable", C22, "melds[0]", {"melds": [{"rank": "3", "cards": 3}]}, {"left": [["3H"]]}),
    ("wild-book-not-allowed", C22, "melds[0]", {"melds": [["2H", "2S", "2D"]]}, {"melds": [["4H", "4S", "2D"]]}),
    ("not-laid-here", GG, "laid", {"laid": ["3H", "3S"]}, {"laid": ["3H", "3D"]}),
    ("not-laid-here", GG, "laid", {"laid": ["8H"]}, {"laid": []}),
    ("not-laid-here", C22, "buried", {"buried": ["8H"]}, {"buried": []}),
    ("out-without-books", GG, "went_out", {"melds": BOOKS[1:], "went_out": True}, {"melds": BOOKS, "went_out": True}),
    ("out-without-books", C22, "went_out", {"melds": [], "went_out": True}, {"melds": [], "went_out": False}),
    (
        "out-with-cards",
        GG,
        "left",
        {"melds": BOOKS, "went_out": True, "left": [["4C"], ["5C"]]},
        {"melds": BOOKS, "went_out": True, "left": [["4C"], []]},
    ),
    (
        "out-with-cards",
        GG,
        "left",
        {"melds": BOOKS, "went_out": True, "left": [["4C"], ["5C"], []]},
        {"melds": BOOKS, "went_out": True, "left": [[], ["5C"], []]},
    ),
    ("too-many-copies", GG, "laid", {"laid": ["3H"] * 6}, {"laid": ["3H"] * 5}),
    ("too-many-copies", GG, "left[1]", {"left": [[], ["JK"] * 11]}, {"left": [[], ["JK"] * 10]}),
    ("too-many-copies", C22, "melds[0]", {"melds": [["8H"] * 6]}, {"melds": [["8H"] * 5]}),
    (
        "too-many-copies",
        GG,
        "melds[0]",
        {"melds": [{"rank": "9", "cards": 20}], "left": [["9H"]]},
        {"melds": [{"rank": "9", "cards": 19}], "left": [["9H"]]},
    ),
    ("too-many-exact-deals", GG, "exact_deals", {"exact_deals": 3}, {"exact_deals": 2}),
    ("cap-not-allowed", HNF, "melds[0]", {"melds": [[*FIVES, "JOKER", "LADY"]]}, {"melds": [[*FIVES, "LADY"]]}),
    ("cap-not-allowed", HNF, "melds[0]", {"melds": [[*FIVES[1:], "LADY"]]}, {"melds": [FIVES[1:]]}),
    ("cap-not-allowed", HNF, "melds[0]", {"melds": [[*FIVES, "LADY", "LADY"]]}, {"melds": [[*FIVES, "LADY"]]}),
    ("rank-not-meldable", HNF, "melds[0]", {"melds": [["LADY", "LADY", "LADY"]]}, {"melds": [["LORD"] * 3]}),
    ("rank-not-meldable", HNF, "melds[0]", {"melds": [["VILLAIN"] * 3]}, {"left": [["VILLAIN"] * 3]}),
    ("not-laid-here", HNF, "laid", {"laid": ["LADY"]}, {"left": [["LADY"]]}),
    ("not-laid-here", TW, "buried", {"buried": ["8H", "3S"]}, {"buried": ["8H", "2S"]}),
    ("not-in-deck", GG, "melds[0]", {"melds": [[*CLEAN_8S, "LADY"]]}, {"melds": [CLEAN_8S]}),
    ("not-in-deck", TW, "melds[0]", {"melds": [["8", "8", "8"]]}, {"melds": [{"rank": "8", "cards": 3}]}),
    ("not-in-deck", GG, "melds[0]", {"melds": [{"rank": "8", "cards": 8, "wilds": ["2"]}]}, {"melds": [CLEAN_8S]}),
    ("not-in-deck", GG, "melds[0]", {"melds": [{"rank": "LORD", "cards": 8}]}, {"melds": [{"rank": "2", "cards": 8}]}),
    ("not-in-deck", TW, "left[0]", {"left": [["8"]]}, {"left": [["8H"]]}),
    ("not-in-deck", GG, "left[0]", {"left": [["3"]]}, {"left": [["R3"]]}),
    ("not-in-deck", HNF, "left[1]", {"left": [[], ["2", "2S"]]}, {"left": [[], ["2"]]}),
    ("too-many-copies", HNF, "left[0]", {"left": [["JOKER"] * 11]}, {"left": [["JOKER"] * 10]}),
    ("too-many-hands", GG, "left", {"left": [["4S"], ["4S"], ["4S"]]}, {"left": [["4S"], [], ["4S"]]}),
    ("no-such-event", C22, "improper_melds", {"improper_melds": 1}, {"improper_melds": 0}),
]


@pytest.mark.parametrize(("code", "rules", "where", "breaks", "keeps"), PAIRS)
def test_a_broken_rule_is_reported_at_its_location(
    code: Code, rules: str, where: str, breaks: dict[str, Any], keeps: dict[str, Any]
) -> None:
    assert (code, where) in [(found.code, found.where) for found in side(rules, **breaks).violations]
    assert codes(side(rules, **keeps)) == []


def test_two_sides_that_went_out_both_get_a_violation() -> None:
    out = {"melds": BOOKS, "went_out": True}
    assert [codes(found) for found in tally(GG, out, {"melds": [], "went_out": False}).sides] == [[], []]
    assert [found.code for s in tally(GG, out, out).sides for found in s.violations if found.where == "went_out"] == [
        "two-went-out",
        "two-went-out",
    ]


def test_copies_are_counted_over_the_whole_sheet() -> None:
    one, two = {"melds": [["8H", "8H", "8H"]]}, {"left": [["8H", "8H"]]}
    assert [codes(found) for found in tally(GG, one, two).sides] == [[], []]
    three = {"left": [["8H", "8H", "8H"]]}
    assert [codes(found) for found in tally(GG, one, three).sides] == [["too-many-copies"], ["too-many-copies"]]


def test_copies_are_counted_wherever_a_side_has_them() -> None:
    everywhere: dict[str, Any] = {"melds": [["8H", "8H", "8H"]], "laid": ["8H"], "buried": ["8H"], "left": [["8H"]]}
    assert "too-many-copies" in codes(side(GG, **everywhere))
    for key in everywhere:
        assert "too-many-copies" not in codes(side(GG, **{**everywhere, key: []}))


def test_packs_grow_with_the_players() -> None:
    assert codes(side(C22, players=2, melds=[["8H"] * 4])) == ["too-many-copies"]
    assert codes(side(C22, players=3, melds=[["8H"] * 4])) == []


def test_exact_deals_without_points_are_a_violation() -> None:
    without = load_rules(GG).model_copy(update={"exact_deal": None})
    sheet = read_sheet({"rules": GG, "round": 1, "players": 4, "sides": [{"exact_deals": 1}]})
    (found,) = score(sheet, without).sides
    assert (found.total, codes(found)) == (0, ["no-such-event"])


def test_cards_may_be_buried_where_the_rules_say_so() -> None:
    burying = load_rules(GG).model_copy(update={"burying": True})
    sheet = read_sheet({"rules": GG, "round": 1, "players": 4, "sides": [{"buried": ["8H", "JK"]}]})
    (found,) = score(sheet, burying).sides
    assert (found.total, codes(found)) == (10 + 50, [])


def test_all_problems_are_reported_at_once() -> None:
    melds = [["8H", "9S"], ["3H", "2S", "2S"]]
    found = side(C22, melds=melds, laid=["3S"], buried=["4H"], went_out=True, left=[["KH"]])
    assert codes(found) == [
        "meld-too-small",
        "mixed-ranks",
        "rank-not-meldable",
        "too-few-naturals",
        "too-many-wilds",
        "not-laid-here",
        "not-laid-here",
        "out-without-books",
        "out-with-cards",
    ]
    assert found.total == 10 + 10 + 0 + 20 + 20 + 0 + 5 + 100 - 10


@pytest.mark.parametrize(
    ("rules", "right", "wrong"), [(GG, 4, 3), (GG, 4, 6), (HNF, 5, 7), (TW, 6, 5), (C22, 2, 1), (C22, 9, 1)]
)
def test_a_number_of_players_without_seating_is_a_violation(rules: str, right: int, wrong: int) -> None:
    assert codes(side(rules, players=right)) == []
    (found,) = side(rules, players=wrong).violations
    assert (found.code, found.where) == ("wrong-players", "players")
    assert found.message.endswith(f"players. This game has {wrong}.")


def test_too_many_sides_are_reported_on_each_side() -> None:
    assert [codes(found) for found in tally(GG, {}, {}).sides] == [[], []]
    assert [codes(found) for found in tally(GG, {}, {}, {}).sides] == [["too-many-sides"]] * 3
    assert [codes(found) for found in tally(C22, {}, {}, {}, {}).sides] == [[]] * 4
    assert codes(tally(C22, {}, {}, {}, players=2).sides[2]) == ["too-many-sides"]


def test_a_floater_makes_room_for_a_third_hand_on_the_side_of_the_round() -> None:
    sheet = {"rules": HNF, "round": 2, "players": 5, "sides": [{"left": [["1"], ["2"], ["3"]], "exact_deals": 3}]}
    assert codes(score(read_sheet(sheet), load_rules(HNF)).sides[0]) == []
    assert codes(side(HNF, players=4, left=[["1"], ["2"], ["3"]])) == ["too-many-hands"]


def _under(changes: dict[str, Any], **keys: Any) -> list[str]:
    """The codes of a side under the Golden Games rules with some parts changed."""
    parts = load_rules(GG).model_dump(mode="json")
    for key, value in changes.items():
        parts[key] = {**parts[key], **value} if isinstance(value, dict) else value
    sheet = read_sheet({"rules": GG, "round": 1, "players": 4, "sides": [keys]})
    return codes(score(sheet, RuleSet.model_validate(parts)).sides[0])


def test_a_meld_above_the_maximum_size_is_a_violation() -> None:
    most = {"melds": {"most_cards": 7}}
    assert _under(most, melds=[CLEAN_8S]) == []
    assert _under(most, melds=[[*CLEAN_8S, "8C"]]) == ["meld-too-large"]


def test_a_second_meld_of_a_rank_is_a_violation_if_rules_allow_one() -> None:
    one = {"melds": {"one_a_rank": True}}
    assert _under(one, melds=[CLEAN_8S, CLEAN_9S]) == []
    assert _under(one, melds=[CLEAN_8S, ["8C", "8C", "2S"]]) == ["same-rank-twice"]
    assert codes(side(GG, melds=[CLEAN_8S, ["8C", "8C", "2S"]])) == []


def test_every_code_is_covered_here() -> None:
    alone = {"two-went-out", "wrong-players", "too-many-sides", "meld-too-large", "same-rank-twice", "too-many-bonuses"}
    alone |= {"out-without-laid", "too-many-of-rank"}
    assert {code for code, *_ in PAIRS} | alone == set(get_args(Code))
