"""The JSON of a tally, on which other programs rely."""

from __future__ import annotations

from typing import get_args

from scorer.scoring.tally import Code
from tests.scorer.tables import CLEAN_8S, tally

CONTRACT_CODES = {
    "meld-too-small",
    "mixed-ranks",
    "too-few-naturals",
    "too-many-wilds",
    "rank-not-meldable",
    "wild-book-not-allowed",
    "cap-not-allowed",
    "not-laid-here",
    "out-without-books",
    "out-with-cards",
    "two-went-out",
    "too-many-copies",
}


def test_no_violation_code_of_the_contract_is_lost_or_renamed() -> None:
    assert set(get_args(Code)) >= CONTRACT_CODES


def test_a_tally_as_json_has_the_contract_s_keys() -> None:
    found = tally("golden-games", {"name": "North–South", "melds": [CLEAN_8S, ["QH"]]}).as_json()
    assert (found["rules"], found["round"]) == ("golden-games", 1)
    (side,) = found["sides"]
    assert (side["name"], side["total"]) == ("North–South", 700 + 70 + 10)
    assert side["lines"][0] == {"reason": "clean book of 8s", "points": 700, "cards": CLEAN_8S, "where": "melds[0]"}
    assert [sorted(violation) for violation in side["violations"]] == [["code", "message", "where"]]
