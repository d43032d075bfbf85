"""A rule set as readable text."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.data import Frozen
from scorer.rules.rule_set import RuleSet


def describe(rules: RuleSet) -> str:
    """Describes a rule set, one line per field: the field's description, then its value."""
    return "\n".join(_rows(rules, ""))


def _rows(part: Frozen, indent: str) -> Iterator[str]:
    for key, field in type(part).model_fields.items():
        value = getattr(part, key)
        meaning = f"{indent}{field.description}"
        if value is None:
            yield f"{meaning}: none"
        elif isinstance(value, Frozen) and type(value).__str__ is Frozen.__str__:  # has no one-line form
            yield f"{meaning}:"
            yield from _rows(value, indent + "  ")
        elif isinstance(value, tuple) and any(isinstance(item, Frozen) for item in value):
            yield f"{meaning}:"
            yield from (f"{indent}  {item}" for item in value)
        elif isinstance(value, tuple):
            yield f"{meaning}: {', '.join(map(str, value)) or 'none'}"
        elif isinstance(value, bool):
            yield f"{meaning}: {'yes' if value else 'no'}"
        else:
            yield f"{meaning}: {value}"
