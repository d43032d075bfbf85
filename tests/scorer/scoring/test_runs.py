"""Runs of one suit: what is one, what it earns, and the checks of the rules that have them."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from scorer.data import error_sentence
from scorer.rules import RuleSet, load_rules, rules_from_text
from scorer.scoring.typed import book_kinds
from tests.scorer.scoring.test_further_rules import rules_with
from tests.scorer.tables import codes, side


@pytest.mark.parametrize(
    ("id", "cards", "name", "broken"),
    [
        ("samba", "4H 5H 6H", "run of hearts", []),
        ("samba", "AS QS KS", "run of spades", []),
        ("samba", "10C 9C 8C 7C 6C 5C 4C", "clean book of clubs", []),
        ("samba", "8H 8S JK", "meld of 8s", []),
        ("samba", "QH KH AH 4H", "invalid meld", ["mixed-ranks"]),
        ("samba", "4H 5S 6H", "invalid meld", ["mixed-ranks"]),
        ("samba", "4H 5H 5H 6H", "invalid meld", ["mixed-ranks"]),
        ("samba", "4H 6H JK", "invalid meld", ["too-many-wilds"]),
        ("samba", "4H 5H", "invalid meld", ["meld-too-small"]),
        ("samba", "4H 5H 6H 7H 8H 9H 10H JH", "invalid meld", ["meld-too-large"]),
        ("samba", "2H 3H 4H", "invalid meld", ["mixed-ranks", "rank-not-meldable"]),
        ("burraco", "AH 2H 3H", "run of hearts", []),
        ("burraco", "2S 3H 4H", "run of hearts", []),
        ("burraco", "2H 3H JK", "run of hearts", []),
        ("burraco", "AH KH 2S", "run of hearts", []),
        ("burraco", "KH AH 2H 3H", "invalid meld", ["mixed-ranks"]),
        ("burraco", "4H 2H 2S 7H", "invalid meld", ["too-many-wilds"]),
        ("burraco", "AC 2C 3C 4C 5C 6C 7C", "clean book of clubs", []),
        ("burraco", "AC 2D 3C 4C 5C 6C 7C", "dirty book of clubs", []),
        ("burraco", "AC 2C 3C 4C 5C 6C 2C", "dirty book of clubs", []),
        ("burraco", "AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC", "clean book of clubs", []),
    ],
)
def test_what_is_a_run(id: str, cards: str, name: str, broken: list[str]) -> None:
    found = side(id, melds=[cards.split()])
    assert codes(found) == broken
    assert any(line.reason == name or line.reason.split(":")[0].endswith(f" in {name}") for line in found.lines)


def test_books_that_are_runs_have_points_of_their_own() -> None:
    (clean, *_) = side("burraco", melds=[["AC", "2C", "3C", "4C", "5C", "6C", "7C"]]).lines
    (dirty, *_) = side("burraco", melds=[["AC", "JK", "3C", "4C", "5C", "6C", "7C"]]).lines
    assert (clean.points, dirty.points) == (200, 100)
    samba = side("samba", melds=[["4H", "5H", "6H", "7H", "8H", "9H", "10H"]])
    assert (samba.lines[0].points, samba.books) == (1500, ("clean",))


def test_without_runs_in_the_rules_there_are_none() -> None:
    found = side("canasta", melds=[["4H", "5H", "6H"]])
    assert [violation.message for violation in found.violations] == [
        "A meld can hold only one rank. This one has a 4, a 5 and a 6."
    ]


def test_what_a_side_lacks_to_go_out_tells_of_runs() -> None:
    found = side("bolivia", melds=[["8H", "8S", "8D", "8C"] * 2, ["9H", "9S", "9D", "9C"] * 2], went_out=True)
    (violation,) = [one for one in found.violations if one.code == "out-without-books"]
    assert violation.message == (
        "Going out needs 1 book that is a run, altogether 2 books of any kind. "
        "This side has 2 clean, 0 dirty, 0 of them runs."
    )


def test_runs_that_people_counted() -> None:
    kinds = {kind.key: (kind.name, kind.points) for kind in book_kinds(load_rules("samba"))}
    assert kinds == {
        "clean-run": ("clean books that are runs", 1500),
        "clean": ("other clean books", 500),
        "dirty": ("dirty books", 300),
    }
    assert "dirty-run" in {kind.key for kind in book_kinds(load_rules("burraco"))}
    books = [{"book": "clean", "count": 1, "run": True}, {"book": "dirty", "count": 1}]
    counted = side("bolivia", typed={"books": books}, went_out=True)
    assert (counted.total, codes(counted)) == (1500 + 300 + 200, [])
    few = side("bolivia", typed={"books": [{"book": "dirty", "count": 2}]}, went_out=True)
    assert codes(few) == ["out-without-books"]


RUNS: dict[str, Any] = {"ranks": ["4", "5", "6", "7", "8", "9", "10"], "clean": 1500}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"runs": RUNS}, "runs: expected decks with suits, got remastered"),
        ({"decks": [], "runs": {**RUNS, "ranks": ["3", *RUNS["ranks"]]}}, "runs.ranks: expected ranks of A, 2, 4, 5"),
        ({"decks": [], "runs": {**RUNS, "ranks": ["JK", *RUNS["ranks"]]}}, "runs.ranks: expected ranks of A, 2, 4, 5"),
        ({"decks": [], "runs": {**RUNS, "ranks": [*RUNS["ranks"], "5"]}}, "runs.ranks: expected each rank once, got 5"),
        ({"decks": [], "runs": {**RUNS, "ranks": RUNS["ranks"][1:]}}, "runs.ranks: expected book_size (7) or more of"),
        ({"decks": [], "runs": {**RUNS, "least_cards": 8}}, "runs.least_cards: expected book_size (7) or less, got 8"),
        ({"decks": [], "runs": {**RUNS, "most_cards": 6}}, "runs.most_cards: expected book_size (7) or more, got 6"),
        ({"going_out": {"books": [{"runs": 1}]}}, "going_out.books[0].runs: expected 0, as these rules have no runs"),
        ({"laid_if": {"runs": 1}}, "laid_if.runs: expected 0, as these rules have no runs, got 1"),
    ],
)
def test_runs_that_contradict_the_rules_are_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValidationError) as refused:
        rules_with(**changes)
    assert sentence in error_sentence(refused.value, RuleSet)


def test_an_ace_may_stand_at_both_ends_and_no_wilds_means_none_in_runs() -> None:
    rules_with(decks=[], runs={**RUNS, "ranks": ["A", "4", "5", "6", "7", "8", "9", "A"]})
    with pytest.raises(ValidationError) as refused:
        rules_with(
            decks=[], wild_ranks=[], books={"wild": None}, melds={"most_wilds": 0}, runs={**RUNS, "most_wilds": 1}
        )
    assert "runs.most_wilds: expected 0, as no rank is wild, got 1" in error_sentence(refused.value, RuleSet)


@pytest.mark.parametrize("id", ["samba", "bolivia", "burraco"])
def test_rules_with_runs_are_kept_whole(id: str) -> None:
    assert rules_from_text(load_rules(id).text) == load_rules(id)
