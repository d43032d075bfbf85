"""A rule set as questions: each field with its meaning and its value as one types it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scorer.data import Frozen
from scorer.deck import list_decks
from scorer.rules import RuleSet
from webui.house_rules.field_types import FieldType, field_type

SECTIONS = {
    "name": "What they are called",
    "deck": "The table",
    "hand_cards": "Deal and first meld",
    "wild_ranks": "Wild, laid and buried cards",
    "book_size": "Points of cards, melds and books",
    "going_out": "Going out and bonuses",
    "event": "Events of many tables",
}
"""The form's parts by the first field of each; a field stands where its model has it."""
SPARE_ROWS = 2
_FIXED = frozenset({"id"})


@dataclass(frozen=True, slots=True)
class Question:
    """One question of the form.

    ``name`` is its place in the rule set, such as ``points[2].left``; ``value`` what is typed or chosen. A group has
    ``parts`` and, where it may be left out, ``present``; a table has ``columns`` (their meanings) and ``rows``.
    """

    name: str
    meaning: str
    type: FieldType
    value: str = ""
    chosen: tuple[str, ...] = ()
    present: bool = True
    parts: tuple[Question, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Question, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the form under a heading."""

    heading: str
    questions: tuple[Question, ...]


def sections(data: Mapping[str, Any], spare: int = SPARE_ROWS) -> list[Section]:
    """The whole form, filled with a rule set's data, which may be wrong still.

    Args:
        data: the rule set as its file has it.
        spare: empty rows at the end of each table.
    """
    parted: list[tuple[str, list[Question]]] = []
    for question in _questions(RuleSet, data, "", spare):
        if question.name in SECTIONS:
            parted.append((SECTIONS[question.name], []))
        parted[-1][1].append(question)
    return [Section(heading, tuple(questions)) for heading, questions in parted]


def _questions(model: type[Frozen], data: Any, before: str, spare: int) -> Iterator[Question]:
    held = data if isinstance(data, Mapping) else {}
    for key, field in model.model_fields.items():
        name = f"{before}{key}"
        if name in _FIXED:
            continue
        shape = field_type(key, field)
        if name == "deck":
            shape = FieldType("choice", options=list_decks())
        value = held[key] if key in held else None if field.is_required() else field.default
        yield _question(name, field.description or key.replace("_", " "), shape, value, spare)


def _question(name: str, meaning: str, shape: FieldType, value: Any, spare: int) -> Question:
    match shape.kind:
        case "group" if shape.model:
            parts = tuple(_questions(shape.model, value, f"{name}.", spare))
            return Question(name, meaning, shape, present=value is not None or not shape.optional, parts=parts)
        case "rows" if shape.model:
            filled = list(value or ()) + [None] * spare
            rows = tuple(tuple(_questions(shape.model, row, f"{name}[{at}].", 0)) for at, row in enumerate(filled))
            columns = tuple(field.description or key for key, field in shape.model.model_fields.items())
            if spare:  # an empty row asks nothing, not even what is usual
                rows = rows[: len(filled) - spare] + tuple(tuple(map(_emptied, row)) for row in rows[-spare:])
            return Question(name, meaning, shape, columns=columns, rows=rows)
        case "several":
            return Question(name, meaning, shape, chosen=tuple(map(str, value or ())))
    return Question(name, meaning, shape, value=typed(value, shape))


def _emptied(question: Question) -> Question:
    return Question(question.name, question.meaning, question.type)


def typed(value: Any, shape: FieldType) -> str:
    """A value as one types it; empty for none."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} = {count}" for key, count in value.items())
    if isinstance(value, (list, tuple)):
        return ("\n" if shape.kind == "lines" else ", ").join(map(str, value))
    if shape.kind == "yes-no":
        return "yes" if value else ""
    return str(value)
