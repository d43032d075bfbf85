"""Parses a submitted form into a rule set's data, and reports its errors by form field."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from werkzeug.datastructures import MultiDict

from scorer.data import Frozen, error_list
from scorer.rules import RuleSet
from scorer.rules.playable import unplayable
from webui.house_rules.field_types import FieldType, field_type
from webui.house_rules.refusals import refusal, split_errors
from webui.wording import tidy

_NUMBER = re.compile(r"[+-]?\d{1,200}")
MAX_RULES_NAME = 80
"""Characters of what a rule set is called."""
_MAX_TEXT = 200
"""Characters of any other text. So no line of the file has more dots than its reader takes, which is 200."""
_MAX_ROWS = 60
"""Rows of a table, and entries of a list."""


@dataclass(frozen=True, slots=True)
class SubmittedRules:
    """The data of a submitted rule set; ``moved`` maps the path of each row to its path in the form.

    The two differ after empty rows, which are left out of the data.
    """

    data: dict[str, Any]
    moved: dict[str, str]


def read_submitted(form: MultiDict[str, str], rules_id: str) -> SubmittedRules:
    """Parses a submitted form. A number that cannot be parsed stays text, so that validation reports it."""
    moved: dict[str, str] = {}
    data = _read_model(RuleSet, form, "", moved)
    return SubmittedRules({"id": rules_id, **data}, moved)


def validate_submitted(submitted: SubmittedRules) -> tuple[RuleSet | None, dict[str, str]]:
    """Validates a submitted rule set.

    Returns:
        The rule set, None where it is invalid, and the error sentences by field of the form as it is shown again, in
        which no row is empty; "" is the form as a whole.
    """
    too_much = {_field(path, submitted.moved): refusal(text) for path, text in _too_much(submitted.data)}
    if too_much:
        return None, too_much
    try:
        rules = RuleSet.model_validate(submitted.data)
        problems = [("", problem) for problem in unplayable(rules)]
    except ValidationError as error:
        problems = error_list(error, RuleSet)
    errors: dict[str, list[str]] = {}
    for path, text in problems:
        for key, sentence in split_errors(path, text):
            errors.setdefault(_field(key, submitted.moved), []).append(refusal(sentence))
    return None if errors else rules, {name: " ".join(sentences) for name, sentences in errors.items()}


def _read_model(model: type[Frozen], form: MultiDict[str, str], prefix: str, moved: dict[str, str]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key, field in model.model_fields.items():
        value = _read_field(field_type(key, field), form, f"{prefix}{key}", moved)
        if value is not None:
            data[key] = value
    return data


def _read_field(type: FieldType, form: MultiDict[str, str], name: str, moved: dict[str, str]) -> Any:
    text = form.get(name, "").strip()
    match type.kind:
        case "group" if type.model:
            return None if type.optional and not text else _read_model(type.model, form, f"{name}.", moved)
        case "rows" if type.model:
            return _read_rows(type.model, form, name, moved)
        case "several":
            return form.getlist(name)
        case "yes-no":
            return bool(text)
        case "list" | "lines":
            items = [item.strip() for item in re.split(r"\n" if type.kind == "lines" else r"[\n;,]", text)]
            return [_number(item) if type.numbers else text for item in items if (text := _visible(item))]
        case "pairs":
            return _read_pairs(text)
        case "number":
            return _number(text) if text else None
    return _visible(text) or None


def _read_pairs(text: str) -> dict[str, int | str]:
    """Numbers by players; a number of players that is there twice gets a blank, so that both are reported and stay."""
    pairs: dict[str, int | str] = {}
    for item in (item for item in re.split(r"[\n;,]", text) if item.strip()):
        key, _equals, count = item.partition("=")
        key = re.sub(r"^0+(?=\d)", "", key.strip())
        while key in pairs:
            key += " "
        pairs[key] = _number(count.strip())
    return pairs


def _visible(text: str) -> str:
    """A typed text as it is kept, of visible signs. One that is too long is reported and stays as it was typed."""
    return text if len(text) > _MAX_TEXT else tidy(text, _MAX_TEXT)


def _too_much(data: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """What is longer in a submitted rule set than a rule file can hold: each place and what was expected there."""
    match data:
        case str():
            most = MAX_RULES_NAME if path == "name" else _MAX_TEXT
            if len(data) > most:
                yield path, f"expected {most} characters or fewer, got {len(data)}"
        case dict() | list() if len(data) > _MAX_ROWS:
            yield path, f"expected {_MAX_ROWS} entries or fewer, got more"
        case dict():
            if twice := next((key for key in data if key.endswith(" ")), None):
                yield path, f"expected each number once, got {twice.strip()} more often"
            for key, value in data.items():
                yield from _too_much(value, f"{path}.{key}" if path else key)
        case list():
            for place, value in enumerate(data):
                yield from _too_much(value, f"{path}[{place}]")


def _read_rows(model: type[Frozen], form: MultiDict[str, str], name: str, moved: dict[str, str]) -> list[Any]:
    """The rows of a table that are not empty."""
    row = re.compile(re.escape(name) + r"\[(\d{1,3})\]\.")
    numbers = sorted({int(match[1]) for key in form if (match := row.match(key))})[: _MAX_ROWS + 1]
    rows: list[Any] = []
    for number in numbers:
        prefix = f"{name}[{number}]."
        if any(value.strip() for key in form if key.startswith(prefix) for value in form.getlist(key)):
            moved[f"{name}[{len(rows)}]"] = f"{name}[{number}]"
            rows.append(_read_model(model, form, prefix, moved))
    return rows


def _number(text: str) -> int | str:
    """The number that was typed, with either minus sign, or the text where it is none."""
    ascii_text = text.replace("−", "-")
    return int(ascii_text) if _NUMBER.fullmatch(ascii_text) else text


def _field(path: str, moved: Collection[str]) -> str:
    """The field of a path in the data; all entries of a list share one, but rows have their own."""
    row = re.match(r"(.*?\[\d+\])(\..*)?$", path)
    return path if row and row[1] in moved else re.sub(r"\[\d+\]$", "", path)


def field_as_sent(name: str, moved: Mapping[str, str]) -> str:
    """The name that a field had in the form that was sent, where rows may be empty."""
    row = re.match(r"(.*?\[\d+\])(\..*)?$", name)
    return moved[row[1]] + (row[2] or "") if row and row[1] in moved else name
