"""Sides that people counted: books by the rules, points as they were typed."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.rules import list_rules, load_rules
from scorer.scoring import score
from scorer.scoring.tally import SideTally
from scorer.scoring.typed import book_kinds, unfinished_kinds
from scorer.sheets import SheetError, read_sheet


def scored(typed: dict[str, Any], rules: str = "golden-games", **side: Any) -> SideTally:
    sheet = {"rules": rules, "round": 1, "players": 4, "sides": [{"typed": typed, **side}, {}]}
    return score(read_sheet(sheet), load_rules(rules)).sides[0]


def test_counts_and_points() -> None:
    typed = {
        "books": [{"book": "clean", "count": 3}, {"book": "dirty", "count": 2}],
        "cards": 640,
        "left": -85,
        "laid": ["3H", "3D"],
    }
    side = scored(typed, went_out=True, exact_deals=1)
    # 3 x 700 + 2 x 300 + 640 + 2 x 100 + 100 + 100 - 85
    assert side.total == 3655 and not [one for one in side.violations if one.code != "out-without-books"]
    reasons = [line.reason for line in side.lines]
    assert "clean books, typed: 3 × 700" in reasons and "cards on the table, typed" in reasons
    assert sum(reason.count("typed") for reason in reasons) == 4
    assert [one.code for one in side.violations] == ["out-without-books"], "going out needs three dirty ones"


def test_a_total_stands_alone() -> None:
    side = scored({"total": -120}, went_out=True, exact_deals=1)
    assert side.total == -120 and [line.reason for line in side.lines] == ["total of the round, typed"]
    assert not side.violations and not side.books


def test_typed_points_stay_under_other_rules_and_books_follow_them() -> None:
    typed = {"books": [{"book": "clean", "count": 1}], "cards": 100, "left": -5}
    assert scored(typed).total - scored(typed, "tanglewood").total == 700 - 500
    assert scored({"total": 77}).total == scored({"total": 77}, "tanglewood").total == 77


def test_books_are_counted_apart_where_their_values_differ() -> None:
    names = {kind.name: kind.points for kind in book_kinds(load_rules("tour-of-lakes"))}
    assert names["clean books of 7s"] == 1500 and "other clean books" in names
    assert [kind.name for kind in book_kinds(load_rules("golden-games"))] == [
        "clean books",
        "dirty books",
        "wild books",
    ]
    for kind in book_kinds(load_rules("tour-of-lakes")):
        told = kind.books.model_dump(mode="json")
        assert scored({"books": [told]}, "tour-of-lakes").total == kind.points, kind.name


def test_laid_cards_follow_their_rules() -> None:
    four = ["3H", "3H", "3D", "3D"]
    with_meld = scored({"laid": four, "cards": 50, "books": [{"book": "clean", "count": 1}]}, "canasta")
    without = scored({"laid": four}, "canasta")
    assert sum(line.points for line in with_meld.lines if line.where == "laid") == 800
    assert without.total == -800


def test_wild_books_and_caps_where_the_rules_have_none() -> None:
    side = scored({"books": [{"book": "wild", "count": 1}], "caps": 1}, "tanglewood")
    assert side.total == 0 and {one.code for one in side.violations} == {"wild-book-not-allowed", "cap-not-allowed"}
    capped = scored({"books": [{"book": "clean", "count": 1}], "caps": 1}, "hand-n-foot")
    assert capped.total == 600 and not capped.violations
    assert [one.code for one in scored({"caps": 1}, "hand-n-foot").violations] == ["cap-not-allowed"]


def test_too_many_typed_caps_count_for_nothing_as_with_cards() -> None:
    books = [{"book": "clean", "count": 1}, {"book": "dirty", "count": 2}, {"book": "wild", "count": 1}]
    side = scored({"books": books, "caps": 5}, "hand-n-foot")
    assert side.total == 500 + 2 * 300 + 2000 + 2 * 100
    assert [one.code for one in side.violations] == ["cap-not-allowed"]


@pytest.mark.parametrize(
    "side",
    [
        {"typed": {"total": 5, "cards": 3}},
        {"typed": {"total": 5}, "melds": [["8H", "8H", "8H"]]},
        {"typed": {"total": 1.5}},
        {"typed": {"total": 100_000}},
        {"typed": {"books": [{"book": "clean", "count": 0}]}},
        {"typed": {"books": [{"book": "big", "count": 1}]}},
    ],
)
def test_what_is_no_typed_side_is_refused(side: dict[str, Any]) -> None:
    with pytest.raises(SheetError):
        read_sheet({"rules": "golden-games", "round": 1, "players": 4, "sides": [side]})


def test_a_sheet_without_typed_points_is_written_as_before() -> None:
    sheet = read_sheet({"rules": "golden-games", "round": 1, "players": 4, "sides": [{}]})
    assert "typed" not in sheet.as_json()["sides"][0]
    typed = read_sheet({"rules": "golden-games", "round": 1, "players": 4, "sides": [{"typed": {"total": 5}}]})
    assert read_sheet(typed.as_json()) == typed


@pytest.mark.parametrize("rules", list_rules())
def test_every_kind_of_book_counts_what_its_field_says(rules: str) -> None:
    kinds = book_kinds(load_rules(rules))
    assert len({kind.key for kind in kinds}) == len({kind.name for kind in kinds}) == len(kinds)
    for kind in kinds:
        told = {**kind.books.model_dump(mode="json"), "count": 2}
        lines = [line for line in scored({"books": [told]}, rules).lines if (line.where or "").startswith("typed.")]
        assert [line.points for line in lines] == [2 * kind.points], kind.name


def test_unfinished_melds_cost_what_the_rules_say() -> None:
    kinds = {kind.name: kind for kind in unfinished_kinds(load_rules("american-canasta"))}
    assert {name: kind.points for name, kind in kinds.items()} == {
        "clean melds of aces without a book": -2500,
        "melds of 7s without a book": -2500,
        "wild melds without a book": -2000,
    }
    for kind in kinds.values():
        told = kind.books.model_dump(mode="json")
        assert scored({"unfinished": [told]}, "american-canasta").total == kind.points, kind.name
    assert not unfinished_kinds(load_rules("golden-games"))
