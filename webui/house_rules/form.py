"""The form of a rule set: one question per field, with its description and its value as text.

What people change most comes first, all else under headings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scorer.data import Frozen
from scorer.deck import list_decks
from scorer.rules import RuleSet
from webui.house_rules.field_types import FieldType, field_type
from webui.house_rules.most_changed import most_changed

MOST_CHANGED = "What people change most"
SECTIONS = {
    "name": "Name and source",
    "deck": "Players, packs and rounds",
    "hand_cards": "Deal and first meld",
    "wild_ranks": "Wild cards, 3s and buried cards",
    "book_size": "Cards, melds and books",
    "going_out": "Going out and bonuses",
    "event": "Tournaments",
}
"""The headings of the form by the first field of each section; the fields keep the order of the model."""
SPARE_ROWS = 2
_HIDDEN = frozenset({"id"})


@dataclass(frozen=True, slots=True)
class Question:
    """One question of the form.

    ``name`` is the path of the field in the rule set, such as ``points[2].left``, and the name of the form field;
    ``value`` is the text typed or the option chosen, ``chosen`` several options. A group has ``parts``, and ``present``
    is False where it is left out; a table has ``columns`` (their descriptions) and ``rows``. ``above``: it is asked at
    the top of the form, and only named here. One without a name holds several together and has no value.
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
    above: bool = False

    @property
    def has_empty_hint(self) -> bool:
        """Whether the form has to say what an empty field means, as its meaning does not."""
        return self.type.kind == "number" and self.type.optional and "empty" not in self.meaning

    @property
    def is_limit(self) -> bool:
        """Whether it is the most that there can be of something."""
        return self.meaning.startswith("most ")


@dataclass(frozen=True, slots=True)
class Section:
    """The questions under one heading; ``first``: what people change most."""

    heading: str
    questions: tuple[Question, ...]
    first: bool = False


def sections(data: Mapping[str, Any], spare: int = SPARE_ROWS) -> list[Section]:
    """The whole form, filled with a rule set's data: what people change most, and all else.

    Args:
        data: the data of a rule set's file, possibly invalid.
        spare: the number of empty rows at the end of each table.
    """
    first = most_changed(data)
    taken: dict[str, Question] = {}
    wanted = {name for each in first for name in each.fields}
    by_heading: list[tuple[str, list[Question]]] = []
    for question in _questions(RuleSet, data, "", spare):
        if question.name in SECTIONS:
            by_heading.append((SECTIONS[question.name], []))
        if (rest := _without(question, wanted, taken)) is not None:
            by_heading[-1][1].append(rest)
    top: list[Question] = []
    for each in first:
        parts = [replace(taken[name], meaning=label) for name, label in each.fields.items() if name in taken]
        top += parts if len(parts) == 1 else [Question("", each.label, FieldType("group"), parts=tuple(parts))]
    others = [Section(heading, tuple(questions)) for heading, questions in by_heading]
    return [Section(MOST_CHANGED, tuple(top), first=True), *others]


def _without(question: Question, wanted: set[str], taken: dict[str, Question]) -> Question | None:
    """A question without the wanted parts, which go to ``taken``; None if nothing is left of it.

    In a table a wanted cell keeps its place, where it is only named.
    """
    if question.name in wanted:
        taken[question.name] = question
        return None
    if question.parts:
        kept = [rest for part in question.parts if (rest := _without(part, wanted, taken)) is not None]
        return replace(question, parts=tuple(kept)) if kept else None
    if question.rows:
        rows = []
        for row in question.rows:
            taken |= {cell.name: cell for cell in row if cell.name in wanted}
            rows.append(tuple(replace(cell, above=cell.name in wanted) for cell in row))
        return replace(question, rows=tuple(rows))
    return question


def _questions(model: type[Frozen], data: Any, prefix: str, spare: int) -> Iterator[Question]:
    values = data if isinstance(data, Mapping) else {}
    for key, field in model.model_fields.items():
        name = f"{prefix}{key}"
        if name in _HIDDEN:
            continue
        type = FieldType("choice", options=list_decks()) if name == "deck" else field_type(key, field)
        value = values[key] if key in values else None if field.is_required() else field.default
        yield _question(name, field.description or key.replace("_", " "), type, value, spare)


def _question(name: str, meaning: str, type: FieldType, value: Any, spare: int) -> Question:
    match type.kind:
        case "group" if type.model:
            parts = tuple(_questions(type.model, value, f"{name}.", spare))
            return Question(name, meaning, type, present=value is not None or not type.optional, parts=parts)
        case "rows" if type.model:
            filled = list(value or ()) + [None] * spare
            rows = tuple(tuple(_questions(type.model, row, f"{name}[{at}].", 0)) for at, row in enumerate(filled))
            columns = tuple(field.description or key for key, field in type.model.model_fields.items())
            if spare:  # spare rows do not even show defaults
                rows = rows[: len(filled) - spare] + tuple(tuple(map(_blank, row)) for row in rows[-spare:])
            return Question(name, meaning, type, columns=columns, rows=rows)
        case "several":
            return Question(name, meaning, type, chosen=tuple(map(str, value or ())))
    return Question(name, meaning, type, value=_as_text(value, type))


def _blank(question: Question) -> Question:
    return Question(question.name, question.meaning, question.type)


def _as_text(value: Any, type: FieldType) -> str:
    """A value as typed into its field; empty for None."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} = {count}" for key, count in value.items())
    if isinstance(value, (list, tuple)):
        return ("\n" if type.kind == "lines" else ", ").join(map(str, value))
    if type.kind == "yes-no":
        return "yes" if value else ""
    return str(value)
