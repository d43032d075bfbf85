"""Lines of a tally and their locations; rules that no shipped rule set uses."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.rules import RuleSet, load_rules
from scorer.scoring import score
from scorer.scoring.tally import Line, SideTally
from scorer.sheets import read_sheet
from tests.scorer.tables import CLEAN_8S, side


def under(changes: dict[str, Any], **keys: Any) -> SideTally:
    """A side under the Golden Games rules with some parts changed."""
    parts = {**load_rules("golden-games").model_dump(mode="json"), **changes}
    sheet = read_sheet({"rules": "golden-games", "round": 1, "players": 4, "sides": [keys]})
    return score(sheet, RuleSet.model_validate(parts)).sides[0]


def test_each_line_has_its_location_on_the_sheet() -> None:
    found = under(
        {"burying": True},
        melds=[["4H", "4S", "4D"], CLEAN_8S],
        laid=["3H"],
        buried=["KH"],
        left=[[], ["AS"]],
        went_out=True,
        exact_deals=2,
        improper_melds=1,
    )
    assert found.lines == (
        Line("4s in meld of 4s: 3 × 5", 15, ("4H", "4S", "4D"), "melds[0]"),
        Line("clean book of 8s", 700, tuple(CLEAN_8S), "melds[1]"),
        Line("8s in clean book of 8s: 7 × 10", 70, tuple(CLEAN_8S), "melds[1]"),
        Line("red 3s laid: 1 × 100", 100, ("3H",), "laid"),
        Line("kings buried: 1 × 10", 10, ("KH",), "buried"),
        Line("going out", 100, (), "went_out"),
        Line("exact pickup: 2 × 100", 200, (), "exact_deals"),
        Line("low first meld: 1 × -500", -500, (), "improper_melds"),
        Line("aces left: 1 × -20", -20, ("AS",), "left[1]"),
    )
    assert found.total == 15 + 770 + 100 + 10 + 100 + 200 - 500 - 20


@pytest.mark.parametrize(
    ("needs", "melds", "points"),
    [
        (None, [], 100),
        ("meld", [], -100),
        ("meld", [["8H", "8S"]], 20 - 100),
        ("meld", [["8H", "8S", "8D"]], 30 + 100),
        ("book", [["8H", "8S", "8D"]], 30 - 100),
        ("book", [CLEAN_8S], 770 + 100),
    ],
)
def test_laid_cards_count_against_a_side_without_the_required_meld_or_book(
    needs: str | None, melds: list[list[str]], points: int
) -> None:
    assert under({"laid_needs": needs}, melds=melds, laid=["3H"]).total == points


def test_a_set_of_laid_cards_has_its_own_line() -> None:
    found = side("canasta", laid=["3H", "3D", "3H", "3D"], melds=[["8H", "8S", "8D"]])
    assert found.lines[1:] == (
        Line("red 3s laid: 4 × 100", 400, ("3H", "3D", "3H", "3D"), "laid"),
        Line("4 of red 3 laid", 400, ("3H", "3D", "3H", "3D"), "laid"),
    )
    found = side("canasta", laid=["3H", "3D", "3H", "3D"])
    assert found.lines == (
        Line("red 3s laid without a meld: 4 × -100", -400, ("3H", "3D", "3H", "3D"), "laid"),
        Line("4 of red 3 laid without a meld", -400, ("3H", "3D", "3H", "3D"), "laid"),
    )
    assert [line.reason for line in under({"laid_needs": "book"}, laid=["3H"]).lines] == [
        "red 3s laid without a book: 1 × -100"
    ]


def test_two_allowed_caps_count_each() -> None:
    parts = load_rules("hand-n-foot").model_dump(mode="json")
    parts["cap"]["most"] = 2
    sheet = read_sheet(
        {"rules": "hand-n-foot", "round": 1, "players": 2, "sides": [{"melds": [["5"] * 7 + ["LADY"] * 2]}]}
    )
    found = score(sheet, RuleSet.model_validate(parts)).sides[0]
    assert (found.total, found.violations) == (500 + 35 + 200, ())


def test_books_to_go_out_are_those_of_round_1_by_default() -> None:
    parts = load_rules("golden-games").model_dump(mode="json")
    parts["going_out"]["books"] = [{"clean": 1}, {"from_round": 2, "clean": 2}]
    rules = RuleSet.model_validate(parts)
    assert [rules.going_out.books_for(4, 1).clean, rules.going_out.books_for(4, 2).clean] == [1, 2]


def test_a_card_of_another_deck_and_a_three_of_no_colour_are_worth_nothing() -> None:
    found = side("golden-games", left=[["LADY"], ["4S"]], melds=[{"rank": "3", "cards": 3}])
    assert [(line.reason, line.points) for line in found.lines] == [
        ("3s in invalid meld of 3s: 3 × 0", 0),
        ("LADYs left: 1 × 0", 0),
        ("4s left: 1 × -5", -5),
    ]
    assert found.total == -5


def test_a_set_of_laid_cards_names_all_its_cards() -> None:
    extra = [{"cards": ["3H", "3D"], "count": 2, "points": 7}]
    assert under({"laid_sets": extra}, laid=["3H", "3D"]).lines[1] == Line("2 of 3H, 3D laid", 7, ("3H", "3D"), "laid")
    assert len(under({"laid_sets": extra}, laid=["3H"]).lines) == 1


def test_sides_are_those_of_round_1_by_default() -> None:
    rules = load_rules("hand-n-foot")
    assert rules.sides_for(5) == rules.sides_for(5, 1) != rules.sides_for(5, 2)
