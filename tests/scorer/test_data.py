"""Values shown in error sentences; all errors in one sentence."""

from __future__ import annotations

import pytest
from pydantic import Field, StrictInt, ValidationError

from scorer.data import Frozen, error_sentence, location, shown
from scorer.faces import Face, FaceError


class _Inner(Frozen):
    count: StrictInt = Field(ge=1)


class _Outer(Frozen):
    names: tuple[str, ...] = Field(default=(), min_length=2)
    inner: _Inner = _Inner(count=1)
    by_name: dict[str, StrictInt] = Field(default={})
    by_number: dict[int, str] = Field(default={})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("North–South", '"North–South"'),
        ({"a": [1, None]}, '{"a": [1, null]}'),
        ({1}, '"{1}"'),
        ("\ud800", '"\\ud800"'),
        ("x" * 58, f'"{"x" * 58}"'),
        ("x" * 59, f'"{"x" * 58}…'),
    ],
)
def test_a_value_is_shown_as_it_was_written_and_shortened(value: object, text: str) -> None:
    assert shown(value) == text
    assert len(shown(value)) <= 60


def test_a_value_that_is_not_json_is_shown_by_its_type() -> None:
    endless: list[object] = []
    endless.append(endless)
    assert shown(endless) == "something of type list that cannot be shown"


def test_a_location_is_printed_as_a_path() -> None:
    assert location(("sides", 0, "melds", 2, 1)) == "sides[0].melds[2][1]"
    assert location(()) == ""
    assert location(("a\nb", "\ud800", "c" * 60)) == '"a\\nb"."\\ud800".' + "c" * 60
    assert location(("c" * 61,)) == shown("c" * 61)


def test_a_list_with_a_wrong_item_is_not_also_reported_as_too_short() -> None:
    def sentence(data: object) -> str:
        with pytest.raises(ValidationError) as refused:
            _Outer.model_validate(data)
        return error_sentence(refused.value, _Outer)

    assert sentence({"names": [1]}) == "names[0]: expected a valid string, got 1"
    assert sentence({"names": ["a"]}) == 'names: expected 2 or more, got ["a"]'
    assert sentence({"inner": 3}) == "inner: expected an object with keys, got 3"
    assert sentence({"by_name": 3}) == "by_name: expected an object with keys, got 3"
    assert sentence({"by_number": {"4 : 4": "a"}}).endswith('expected a whole number, got "4 : 4"')
    assert sentence({"inner": {"count": 0}}) == "inner.count: expected 1 or more, got 0"
    assert sentence({"names": ["a"], "inner": {"count": "b"}}) == (
        'names: expected 2 or more, got ["a"]; inner.count: expected a whole number, got "b"'
    )


@pytest.mark.parametrize("text", ["", " ", "8-H", "8 H"])
def test_a_text_that_is_not_a_card_is_refused(text: str) -> None:
    with pytest.raises(FaceError) as refused:
        Face.parse(text)
    assert str(refused.value) == f"expected a card such as 8H, 10C or JK, got {text!r}"


@pytest.mark.parametrize(
    ("text", "rank", "suit"),
    [("8H", "8", "H"), (" 10c ", "10", "C"), ("JK", "JK", ""), ("LORD", "LORD", ""), ("7", "7", "")],
)
def test_a_card_is_parsed_and_printed(text: str, rank: str, suit: str) -> None:
    face = Face.parse(text)
    assert (face.rank, face.suit, str(face)) == (rank, suit, rank + suit)
