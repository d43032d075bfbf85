"""The form of a rule set: each sentence with the fields that it tells, and then those that no sentence tells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scorer.data import Frozen
from scorer.deck import list_decks
from scorer.rules import RuleSet
from scorer.rules.table_parts import PerPlayers
from webui.house_rules.changes import told_in
from webui.house_rules.field_types import FieldType, field_type
from webui.house_rules.sentences import explain

SECTIONS = {
    "name": "Name and source",
    "deck": "Players, packs and rounds",
    "hand_cards": "Deal and first meld",
    "wild_ranks": "Wild cards, 3s and buried cards",
    "book_size": "Cards, melds and books",
    "going_out": "Going out and bonuses",
    "event": "Tournaments",
}
"""The headings of what no sentence tells, by the first field of each; the fields keep the order of the model."""
SPARE_ROWS = 2
"""The number of empty rows with which a table grows."""
_HIDDEN = frozenset({"id"})


@dataclass(frozen=True, slots=True)
class Question:
    """One question of the form.

    ``name`` is the path of the field in the rule set, such as ``points[2].left``, and the name of the form field;
    ``value`` is the text typed or the option chosen, ``chosen`` several options. A group has ``parts``, and ``present``
    is False where it is left out; a table has ``columns`` (their descriptions) and ``rows``, the first of which is
    number ``begins`` of its list.
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
    begins: int = 0

    @property
    def has_empty_hint(self) -> bool:
        """Whether the form has to say what an empty field means, as its meaning does not."""
        return self.type.kind == "number" and self.type.optional and "empty" not in self.meaning

    @property
    def is_limit(self) -> bool:
        """Whether it is the most that there can be of something."""
        return self.meaning.startswith("most ")


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence, counted from the first of all, and the questions whose answers it tells; there may be none."""

    at: int
    sentence: str
    questions: tuple[Question, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one heading: sentences, or questions that no sentence tells."""

    heading: str
    told: tuple[Told, ...] = ()
    untold: tuple[Question, ...] = ()

    @property
    def questions(self) -> tuple[Question, ...]:
        return (*(question for told in self.told for question in told.questions), *self.untold)


def name_question(data: Mapping[str, Any]) -> Question:
    """What the rules are called, which comes before all else."""
    return next(question for question in _questions(RuleSet, data, "", 0) if question.name == "name")


def sections(rules: RuleSet, data: Mapping[str, Any]) -> list[Section]:
    """The whole form but for the name: the rules in sentences, then what no sentence tells.

    Args:
        rules: the rules that the sentences tell.
        data: what the fields are filled with, in the form of a rule set's file, possibly invalid.
    """
    by_heading: dict[str, list[Question]] = {}
    heading = ""
    for question in _questions(RuleSet, data, "", SPARE_ROWS):
        heading = SECTIONS.get(question.name, heading)
        if question.name != "name":
            by_heading.setdefault(heading, []).extend(_apart(question))
    questions = [question for asked in by_heading.values() for question in asked]
    places = told_in(rules, [question.name for question in questions])
    for name in (question.name for question in questions if question.name not in places):
        rows = [at for other, at in places.items() if other.endswith("]") and _table(other) == _table(name)]
        if rows:  # what makes a table longer, and rows that are new, stand by its last row
            places[name] = max(rows)
    told, at = [], 0
    for topic in explain(rules):
        sentences = []
        for sentence in topic.sentences:
            here = tuple(question for question in questions if places.get(question.name) == at)
            sentences.append(Told(at, sentence, here))
            at += 1
        told.append(Section(topic.heading, tuple(sentences)))
    rest = [
        Section(heading, untold=tuple(question for question in asked if question.name not in places))
        for heading, asked in by_heading.items()
    ]
    return told + [section for section in rest if section.untold]


def _apart(question: Question) -> Iterator[Question]:
    """The questions that may stand apart from each other: parts of what every rule set has, and rows of a table.

    What makes up one number, by how many play, stays together.
    """
    if question.type.kind == "group" and not question.type.optional and question.type.model is not PerPlayers:
        for part in question.parts:
            yield from _apart(part)
    elif question.rows:
        filled = [(at, row) for at, row in enumerate(question.rows) if any(cell.value or cell.chosen for cell in row)]
        for at, row in filled:
            yield Question(f"{question.name}[{at}]", question.meaning, FieldType("group"), parts=row)
        yield replace(question, rows=question.rows[len(filled) :], begins=len(filled))
    else:
        yield question


def _table(name: str) -> str:
    """The table that a row is of; the name itself where it is none."""
    return re.sub(r"\[\d+\]$", "", name)


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
