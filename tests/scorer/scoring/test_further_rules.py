"""Fields that a few rule sets use: each changes the tally as it says, is checked, and says so in ``describe``."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from scorer.faces import Face
from scorer.rules import RuleSet, describe, load_rules, rules_from_text
from scorer.scoring import score
from scorer.scoring.first_meld import check_first_meld
from scorer.scoring.tally import SideTally
from scorer.sheets import SheetError, read_sheet
from tests.scorer.tables import CLEAN_8S, CLEAN_9S, DIRTY_4S, codes

SEVENS, WILDS = ["7H", "7S", "7D", "7C"] * 2, ["2H", "2S", "2D", "2C", "2H", "2S", "2D"]
LATE = {"name": "went out first", "points": 50, "when": "a side is out before all others", "who": "one side"}
SLOW = {"name": "no foot", "points": -100, "when": "a player never got into the foot", "who": "player"}


def rules_with(**changes: Any) -> RuleSet:
    """The Golden Games rules with some parts changed; parts of ``books`` and the like are merged."""
    data = load_rules("golden-games").model_dump(mode="json")
    for key, value in changes.items():
        data[key] = {**data[key], **value} if isinstance(value, dict) and data.get(key) else value
    return RuleSet.model_validate(data)


def under(rules: RuleSet, *sides: dict[str, Any], round: int = 1) -> tuple[SideTally, ...]:
    return score(read_sheet({"rules": rules.id, "round": round, "players": 4, "sides": list(sides)}), rules).sides


def total(rules: RuleSet, round: int = 1, **keys: Any) -> int:
    return under(rules, keys, round=round)[0].total


def test_a_named_bonus_counts_as_often_as_it_was_told() -> None:
    rules = rules_with(bonuses=[LATE, SLOW])
    first, second = under(rules, {"bonuses": {"went out first": 1}}, {"bonuses": {"no foot": 2}})
    assert [(line.reason, line.points, line.where) for line in first.lines] == [
        ("went out first: 1 × 50", 50, "bonuses")
    ]
    assert (second.total, codes(second)) == (-200, [])
    assert "went out first: 50, once a round, for one side at most, when a side is out before all others" in describe(
        rules
    )


def test_a_bonus_told_too_often_or_of_other_rules_is_said_so() -> None:
    rules = rules_with(bonuses=[LATE, SLOW])
    first, second = under(rules, {"bonuses": {"went out first": 2}}, {"bonuses": {"went out first": 1, "no foot": 3}})
    assert codes(first) == ["too-many-bonuses", "too-many-bonuses"]
    assert codes(second) == ["too-many-bonuses", "too-many-bonuses"]
    (other,) = under(load_rules("golden-games"), {"bonuses": {"no foot": 1, "no knee": 0}})
    assert (other.total, codes(other)) == (0, ["no-such-event"])
    with pytest.raises(SheetError, match=r"bonuses.*expected 0 or more"):
        read_sheet({"rules": "golden-games", "round": 1, "players": 4, "sides": [{"bonuses": {"no foot": -1}}]})


def test_a_sheet_without_bonuses_reads_as_before() -> None:
    sheet = read_sheet({"rules": "golden-games", "round": 1, "players": 4, "sides": [{"exact_deals": 1}]})
    assert "bonuses" not in sheet.as_json()["sides"][0]
    told = read_sheet({"rules": "golden-games", "round": 1, "players": 4, "sides": [{"bonuses": {"no foot": 1}}]})
    assert read_sheet(told.as_json()) == told


def test_books_of_named_ranks_to_go_out() -> None:
    rules = rules_with(going_out={"books": [{"of_ranks": ["7", "5"], "wild": 1}]})
    fives = {"rank": "5", "cards": 7}
    (enough,) = under(rules, {"melds": [SEVENS, fives, WILDS], "went_out": True})
    (few,) = under(rules, {"melds": [SEVENS, CLEAN_8S, WILDS], "went_out": True})
    assert (codes(enough), codes(few)) == ([], ["out-without-books"])
    assert "a book of rank 7 and a book of rank 5, and 1 wild book" in few.violations[0].message


def test_books_of_named_ranks_may_be_needed_beside_the_others() -> None:
    rules = rules_with(going_out={"books": [{"of_ranks": ["7"], "apart": True, "clean": 1, "dirty": 1}]})
    (few,) = under(rules, {"melds": [SEVENS, DIRTY_4S], "went_out": True})
    (enough,) = under(rules, {"melds": [SEVENS, DIRTY_4S, CLEAN_8S], "went_out": True})
    assert (codes(few), codes(enough)) == (["out-without-books"], [])
    dirty_7s = ["7H", "7S", "7D", "7C", "7H", "7S", "2D"]
    (either,) = under(rules, {"melds": [SEVENS, dirty_7s, CLEAN_8S], "went_out": True})
    assert codes(either) == []


def test_points_for_going_out_by_round() -> None:
    rules = rules_with(going_out={"by_round": [100, 200], "books": [{}]})
    assert [total(rules, round, went_out=True) for round in (1, 2, 3)] == [100, 200, 200]


def test_a_penalty_for_an_unfinished_meld() -> None:
    rules = rules_with(books={"unfinished": [{"ranks": ["7"], "points": -2500}, {"kind": "wild", "points": -2000}]})
    assert total(rules, melds=[SEVENS[:6]]) == 6 * 5 - 2500
    assert total(rules, melds=[SEVENS]) == 700 + 8 * 5
    assert total(rules, melds=[WILDS[:3]]) == 60 - 2000
    assert total(rules, melds=[["8H", "8S", "8D"]]) == 30
    assert "meld of 7 without a book: -2500" in describe(rules)


def test_a_wild_book_is_worth_what_is_in_it() -> None:
    of_wilds = [{"ranks": ["2"], "points": 3000}, {"ranks": ["JK"], "least": 4, "points": 2500}]
    rules = rules_with(books={"wild": 2000, "of_wilds": of_wilds})
    assert total(rules, melds=[WILDS]) == 3000 + 7 * 20
    assert total(rules, melds=[{"rank": "2", "cards": 7}]) == 3000 + 7 * 20
    assert total(rules, melds=[["JK"] * 4 + WILDS[:3]]) == 2500 + 260
    assert total(rules, melds=[["JK"] * 3 + WILDS[:4]]) == 2000 + 230


def test_a_large_book_is_worth_more_and_a_ranks_own_value_comes_first() -> None:
    books = {"of_sizes": [{"from_cards": 8, "clean": 1000}], "of_ranks": [{"ranks": ["9"], "clean": 50}]}
    rules = rules_with(books=books)
    assert total(rules, melds=[CLEAN_8S]) == 700 + 70
    assert total(rules, melds=[[*CLEAN_8S, "8H"]]) == 1000 + 80
    assert total(rules, melds=[[*CLEAN_9S, "9H"]]) == 50 + 80


@pytest.mark.parametrize(
    ("laid_if", "keys", "points"),
    [
        ({"of_ranks": ["7"]}, {"melds": [CLEAN_8S], "laid": ["3H"]}, 770 - 100),
        ({"of_ranks": ["7"]}, {"melds": [SEVENS], "laid": ["3H"]}, 740 + 100),
        ({"all": 2, "otherwise": "nothing"}, {"melds": [SEVENS], "laid": ["3H"]}, 740),
        ({"laid": 2}, {"laid": ["3H"]}, -100),
        ({"laid": 2}, {"laid": ["3H", "3D"]}, 200),
        ({"went_out": True}, {"laid": ["3H"]}, -100),
        ({"went_out": True}, {"laid": ["3H"], "went_out": True}, 200),
    ],
)
def test_the_sign_of_laid_threes_by_what_the_side_has(
    laid_if: dict[str, Any], keys: dict[str, Any], points: int
) -> None:
    assert total(rules_with(laid_if=laid_if), **keys) == points


def test_no_wilds_in_melds_of_a_rank() -> None:
    rules = rules_with(melds={"of_ranks": [{"ranks": ["7"], "most_wilds": 0}]})
    (sevens, eights) = under(rules, {"melds": [["7H", "7S", "7D", "2C"]]}, {"melds": [["8H", "8S", "8D", "2C"]]})
    assert [found.message for found in sevens.violations] == ["A meld of 7s can have no wilds. This one has 1."]
    assert codes(eights) == []
    assert not check_first_meld([Face("7", "H"), Face("7", "S"), Face("2", "C")], rules, 1).counts


def test_cards_that_count_only_with_a_book() -> None:
    own = rules_with(cards_count={"needs": "its own book"})
    assert total(own, melds=[["8H", "8S", "8D"], SEVENS]) == 700 + 40
    any_book = rules_with(cards_count={"needs": "a book of the side", "otherwise": "against"})
    assert total(any_book, melds=[["8H", "8S", "8D"]]) == -30
    assert total(any_book, melds=[["8H", "8S", "8D"], SEVENS]) == 30 + 740
    wilds = rules_with(cards_count={"needs": "its own book", "cards": ["2", "JK"]})
    assert total(wilds, melds=[["8H", "8S", "8D", "2C"]]) == 30


@pytest.mark.parametrize(
    ("what", "cards", "enough"),
    [
        ("no wilds", "KH KS KD KC KH KS 2C 2D", True),
        ("no wilds", "KH KS 2C JK AH AS AD", True),
        ("no wilds", "KH KS JK 2C AH AS", False),
        ("a natural meld", "KH KS KD QH QS JK", True),
        ("a natural meld", "KH KS 2C QH QS JK", False),
        ("a book", "KH KS KD KC KH 2C 2D", True),
        ("a book", "KH KS KD KC 2C AH AS AD", False),
        ("a clean book", "KH KS KD KC KH KS KD JK", True),
        ("a clean book", "KH KS KD KC KH KS 2C JK", False),
    ],
)
def test_a_first_meld_that_must_be_natural_or_hold_a_book(what: str, cards: str, enough: bool) -> None:
    rules = rules_with(first_meld={"by_round": [60], "must": [{"what": what}]})
    found = check_first_meld([Face.parse(card) for card in cards.split()], rules, 1)
    assert (found.enough, found.must) == (enough, what)


def test_what_a_first_meld_must_hold_may_begin_later() -> None:
    rules = rules_with(first_meld={"must": [{"what": "a book", "from_round": 3}]})
    assert [rules.first_meld_must(round) for round in (1, 2, 3, 4)] == ["nothing", "nothing", "a book", "a book"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"bonuses": [LATE, LATE]}, "bonuses: expected each name once, got went out first more often"),
        ({"bonuses": [{**LATE, "name": "exact pickup"}]}, "bonuses: expected each name once, got exact pickup"),
        ({"going_out": {"books": [{"of_ranks": ["3"]}]}}, "going_out.books[0].of_ranks: expected ranks of"),
        ({"going_out": {"books": [{"of_ranks": ["7", "7"]}]}}, "going_out.books[0].of_ranks: expected each rank once"),
        ({"melds": {"of_ranks": [{"ranks": ["7"], "most_wilds": 4}]}}, "expected melds.most_wilds (3) or less, got 4"),
        ({"melds": {"of_ranks": [{"ranks": ["2"], "most_wilds": 0}]}}, "melds.of_ranks: expected ranks of"),
        ({"books": {"of_wilds": [{"ranks": ["8"], "points": 1}]}}, "books.of_wilds: expected ranks of 2, JK, got 8"),
        ({"books": {"wild": None, "of_wilds": [{"ranks": ["2"], "points": 1}]}}, "books.of_wilds: expected none"),
        ({"books": {"of_sizes": [{"from_cards": 6, "clean": 1}]}}, "expected book_size (7) or more, got 6"),
        ({"books": {"unfinished": [{"ranks": ["2"], "points": -1}]}}, "books.unfinished[0].ranks: expected ranks of"),
        ({"cards_count": {"needs": "its own book", "cards": ["green 3"]}}, "cards_count.cards: expected a card"),
        ({"laid": [], "laid_if": {"all": 1}}, "laid_if: expected none, as no card is laid"),
        ({"laid_if": {"otherwise": "nothing"}}, "expected books, laid or went_out, got none of them"),
    ],
)
def test_contradictions_are_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValidationError) as error:
        rules_with(**changes)
    assert sentence in str(error.value)


def test_a_rule_set_with_all_of_them_comes_back_from_its_kept_text() -> None:
    rules = rules_with(bonuses=[LATE], laid_if={"all": 2}, knee_cards=13, cards_count={"needs": "its own book"})
    assert rules_from_text(rules.text) == rules
    for name in ("bonuses", "laid_if", "knee", "unfinished", "of_sizes", "of_wilds", "cards_count", "apart", "must"):
        assert name not in load_rules("golden-games").text
