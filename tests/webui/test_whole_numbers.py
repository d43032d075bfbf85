"""Numbers in texts that others sent: too long a one is no number, and no error that nobody expects."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from webui.storage.backup.checks.documents import check_facts, check_logged
from webui.whole_numbers import whole_number


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("12", 12), ("9" * 20, 10**20 - 1), ("9" * 5000, None), ("", None), ("-1", None), ("²", None)],
)
def test_only_digits_are_a_number(text: str, number: int | None) -> None:
    assert whole_number(text) == number


def test_an_imported_fact_about_no_side_is_named_in_short() -> None:
    with pytest.raises(ValueError, match="expected one of 0 sides or players") as caught:
        check_facts({"9" * 5000: {}}, ())
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("number", ["x", "0", "9" * 30])
def test_an_imported_change_of_rules_names_rounds_by_their_numbers(number: str) -> None:
    before = {"rules": "canasta"}
    check_logged("rules", before, {**before, "rounds": {"1": None}}, ())
    with pytest.raises(ValidationError):
        check_logged("rules", before, {**before, "rounds": {number: None}}, ())
