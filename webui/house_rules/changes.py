"""What can be changed in a rule set, one value at a time, and which of its sentences each value is told in."""

from __future__ import annotations

import copy
import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from scorer.data import Frozen
from scorer.deck import list_decks, load_deck
from scorer.rules import RuleSet
from webui.house_rules.field_types import FieldType, field_type
from webui.house_rules.sentences import explain

Place = tuple[str | int, ...]
"""Where a value is: ``("points", 2, "left")``."""


def told_in(rules: RuleSet, fields: Collection[str]) -> dict[str, int]:
    """The sentence in which each form field is told, counted from the first of all: that which changes with it.

    Args:
        rules: the rules that are told.
        fields: names of values, and of groups and tables as a whole.

    Returns:
        By the name of the field; one that no sentence tells of is not in it.
    """
    return _told_in(rules.model_dump_json(), frozenset(fields))


@lru_cache(maxsize=100)
def _told_in(kept: str, fields: frozenset[str]) -> dict[str, int]:
    rules = RuleSet.model_validate_json(kept)
    before, found = _sentences(rules), dict[str, int]()
    data = rules.model_dump(mode="json")
    # a list last: what a card costs is told where its points are, not where it would go with other cards
    for place, value in sorted(_changes(RuleSet, data, ()), key=lambda change: isinstance(change[1], list)):
        names = (_name(place[:length]) for length in range(len(place), 0, -1))
        field = next((name for name in names if name in fields), None)
        if field is None or field in found or (other := _with(data, place, value, rules)) is None:
            continue
        after = _sentences(other)
        gone = (at for at, sentence in enumerate(before) if sentence not in after)
        if (first := next(gone, None)) is not None:
            found[field] = first
    return found


def changed_rules(rules: RuleSet) -> Iterator[tuple[str, RuleSet]]:
    """Each valid rule set with one field changed, with the field's place: ``points[].left``, ``going_out.books``."""
    data = rules.model_dump(mode="json")
    for place, value in _changes(RuleSet, data, ()):
        made = _with(data, place, value, rules)
        if made is not None and made != rules:
            yield re.sub(r"\d+", "", _name(place)), made


def _name(place: Place) -> str:
    """``points[2].left``."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in place)[1:]


def _sentences(rules: RuleSet) -> list[str]:
    return [sentence for topic in explain(rules) for sentence in topic.sentences]


def _with(data: dict[str, Any], place: Place, value: Any, rules: RuleSet) -> RuleSet | None:
    """The rules with another value in one place; None if they would be no rules then."""
    other = copy.deepcopy(data)
    at: Any = other
    for key in place[:-1]:
        at = at[key]
    at[place[-1]] = value
    if place[0] == "points" and place[-1] == "cards":
        _each_card_once(other["points"], int(place[1]), rules)
    try:
        return RuleSet.model_validate(other)
    except ValidationError:
        return None


def _changes(model: type[Frozen], data: Any, place: Place) -> Iterator[tuple[Place, Any]]:
    for key, field in model.model_fields.items():
        shape, value, here = field_type(key, field), data[key], (*place, key)
        if shape.kind == "group" and shape.model:
            if value is not None:
                yield from _changes(shape.model, value, here)
                yield here, None
        elif shape.kind == "rows" and shape.model:
            for at, row in enumerate(value):
                yield from _changes(shape.model, row, (*here, at))
                yield here, value[:at] + value[at + 1 :]
        else:
            yield from ((here, other) for other in _others(key, shape, value))


def _others(key: str, shape: FieldType, value: Any) -> Iterator[Any]:
    """Other values of a field, of which some may not go with the rest."""
    match shape.kind:
        case "number":
            yield from [1, 8, 60] if value is None else [value + 1, value - 1, 0, *([None] if shape.optional else [])]
        case "yes-no":
            yield not value
        case "choice":
            yield from (*shape.options, *([None] if shape.optional else []))
        case "pairs":
            yield {**value, "7": 7}
            yield {}
            yield from ({**value, players: count + 1} for players, count in value.items())
        case "list" | "lines" | "several":
            ranks = (*load_deck("standard").ranks, "red 3", "black 3", "4H", "even so")
            more = (1, 2, 20) if shape.numbers else shape.options or ranks
            yield from (value[:at] + value[at + 1 :] for at in range(len(value)))
            yield from ([*value, one] for one in more if one not in value)
        case _:
            yield from list_decks() if key == "deck" else [f"{value} and more"]


def _each_card_once(points: list[Any], row: int, rules: RuleSet) -> None:
    """A card left out of one entry goes to another, and one added to an entry leaves the others."""
    changed, before = points[row], rules.points[row].cards
    others = [entry for entry in points if entry is not changed]
    for entry in others:
        entry["cards"] = [card for card in entry["cards"] if card not in changed["cards"]]
    others[0]["cards"] += [card for card in before if card not in changed["cards"]]
