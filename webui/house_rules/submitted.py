"""What was typed into the form back to a rule set's data, and what is wrong with it, field by field."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from werkzeug.datastructures import MultiDict

from scorer.data import Frozen, error_list
from scorer.rules import RuleSet
from webui.house_rules.field_types import FieldType, field_type

_NUMBER = re.compile(r"[+-]?\d{1,9}")
# What a rule set says against itself comes as one text: ``key: what was expected; key: …``.
_KEYED = re.compile(r"(?:^|; )([a-z_]+(?:\[\d+\])?(?:\.[a-z_]+(?:\[\d+\])?)*): ")
_MISSING = "expected this key, got nothing"
_MOST_ROWS = 60


@dataclass(frozen=True, slots=True)
class SubmittedRules:
    """A rule set's data as typed; ``moved`` tells where rows stand in the form that follow on empty ones."""

    data: dict[str, Any]
    moved: dict[str, str]


def read_submitted(form: MultiDict[str, str], rules_id: str) -> SubmittedRules:
    """The data of a posted form. What is no number stays as it was typed, for the rule set to refuse."""
    moved: dict[str, str] = {}
    data = _read_model(RuleSet, form, "", moved)
    return SubmittedRules({"id": rules_id, **data}, moved)


def validate_submitted(posted: SubmittedRules) -> tuple[RuleSet | None, dict[str, str]]:
    """The rule set, or None, and then what is wrong: a sentence by the question's name, empty for the whole."""
    try:
        return RuleSet.model_validate(posted.data), {}
    except ValidationError as error:
        found: dict[str, list[str]] = {}
        for place, text in error_list(error, RuleSet):
            for key, sentence in _keyed(place, text):
                found.setdefault(_in_form(key, posted.moved), []).append(_sentence(sentence))
        return None, {name: " ".join(sentences) for name, sentences in found.items()}


def _read_model(model: type[Frozen], form: MultiDict[str, str], before: str, moved: dict[str, str]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key, field in model.model_fields.items():
        name = f"{before}{key}"
        shape = field_type(key, field)
        value = _read_field(shape, form, name, moved)
        if value is not None:
            data[key] = value
    return data


def _read_field(shape: FieldType, form: MultiDict[str, str], name: str, moved: dict[str, str]) -> Any:
    text = form.get(name, "").strip()
    match shape.kind:
        case "group" if shape.model:
            return None if shape.optional and not text else _read_model(shape.model, form, f"{name}.", moved)
        case "rows" if shape.model:
            return _read_rows(shape.model, form, name, moved)
        case "several":
            return form.getlist(name)
        case "yes-no":
            return bool(text)
        case "list" | "lines":
            items = [item.strip() for item in re.split(r"\n" if shape.kind == "lines" else r"[\n;,]", text)]
            return [_number(item) if shape.numbers else item for item in items if item]
        case "pairs":
            pairs = [item.partition("=") for item in re.split(r"[\n;,]", text) if item.strip()]
            return {players.strip(): _number(count.strip()) for players, _, count in pairs}
        case "number":
            return _number(text) if text else None
    return text or None


def _read_rows(model: type[Frozen], form: MultiDict[str, str], name: str, moved: dict[str, str]) -> list[Any]:
    prefix = re.compile(re.escape(name) + r"\[(\d{1,3})\]\.")
    numbers = sorted({int(found[1]) for key in form if (found := prefix.match(key))})[:_MOST_ROWS]
    rows: list[Any] = []
    for number in numbers:
        before = f"{name}[{number}]."
        if any(value.strip() for key in form if key.startswith(before) for value in form.getlist(key)):
            moved[f"{name}[{len(rows)}]"] = f"{name}[{number}]"
            rows.append(_read_model(model, form, before, moved))
    return rows


def _number(text: str) -> int | str:
    plain = text.replace("−", "-")
    return int(plain) if _NUMBER.fullmatch(plain) else text


def _keyed(place: str, text: str) -> Iterable[tuple[str, str]]:
    """Each sentence of a text with the place it speaks of."""
    parts = _KEYED.split(text)
    if parts[0]:
        yield place, parts[0]
    for key, sentence in zip(parts[1::2], parts[2::2], strict=True):
        yield f"{place}.{key}" if place else key, sentence


def _in_form(place: str, moved: dict[str, str]) -> str:
    """A place of the data as the form names it; an entry of a list is part of the one question for the list."""
    row = re.match(r"(.*?\[\d+\])(\..*)?$", place)
    if row and row[1] in moved:
        return moved[row[1]] + (row[2] or "")
    return re.sub(r"\[\d+\]$", "", place)


def _sentence(text: str) -> str:
    said = "Please fill this in" if text == _MISSING else text[:1].upper() + text[1:]
    return said.rstrip(".") + "."
