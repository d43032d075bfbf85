"""Where the refused values of a form are: each with its field, so that a list at the top can lead there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from webui.house_rules.form import Question


@dataclass(frozen=True, slots=True)
class Refused:
    """A refused value.

    Attributes:
        field: the form field to go to; empty for the form as a whole.
        label: what that field asks.
        sentence: what is wrong.
    """

    field: str
    label: str
    sentence: str


def refused_values(questions: Sequence[Question], wrong: Mapping[str, str]) -> list[Refused]:
    """The refused values in the order of the form, then those of no field."""
    places = {name: place for question in questions for name, *place in _places(question, "")}
    told = [Refused(field, label, wrong[name]) for name, (field, label) in places.items() if name in wrong]
    return told + [Refused("", "", sentence) for name, sentence in wrong.items() if name not in places]


def has_refused(questions: Sequence[Question], wrong: Mapping[str, str]) -> bool:
    """Whether one of these has a refused value."""
    return any(name in wrong for question in questions for name, *_ in _places(question, ""))


def _places(question: Question, before: str) -> Iterator[tuple[str, str, str]]:
    """Every name of a question and its parts that a sentence may stand at, with the field to go to and what it asks."""
    label = f"{before}{question.meaning[:1].upper()}{question.meaning[1:]}"
    inner = [place for part in question.parts for place in _places(part, f"{label}: ")]
    for number, row in enumerate(question.rows, question.begins + 1):
        cells = [place for cell in row for place in _places(cell, f"{label}, row {number}: ")]
        inner += [(cells[0][0].rpartition(".")[0], cells[0][1], f"{label}, row {number}"), *cells]
    if question.name:
        # a group is reached by its own tick, or by the first field in it
        has_own = not question.rows and (not question.parts or question.type.optional)
        field = question.name if has_own or not inner else inner[0][1]
        yield question.name, field, label
    yield from inner
