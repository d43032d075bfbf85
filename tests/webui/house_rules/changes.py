"""Every valid rule set that differs from another one in a single field."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from scorer.data import Frozen
from scorer.deck import list_decks, load_deck
from scorer.rules import RuleSet, load_rules
from webui.house_rules.field_types import FieldType, field_type


def full_rules() -> RuleSet:
    """A rule set that uses every field."""
    data = load_rules("golden-games").model_dump(mode="json", exclude_none=True)
    data |= {
        "packs": {"fixed": 1, "per_player": 1, "by_players": {4: 4}},
        "seatings": [{"sides": [2, 2]}, {"sides": [2, 2], "floater": [1, 2, 2, 1]}, {"sides": [3, 2, 1]}],
        "target": 9000,
        "hands_in_set": 2,
        "hand_by_players": {2: 15},
        "knee_cards": 12,
        "melded_going_out": ["black 3"],
        "never_melded": ["red 3"],
        "laid_sets": [{"cards": ["3D", "3H"], "count": 4, "points": 100}],
        "laid_needs": "meld",
        "decks": [],
        "jokers": 4,
        "runs": {
            **{"ranks": ["4", "5", "6", "7", "8", "9", "10", "J", "Q"], "least_cards": 4, "most_cards": 8},
            **{"most_wilds": 2, "clean": 1500, "dirty": 700},
        },
        "laid_if": {
            **{"clean": 1, "dirty": 1, "wild": 1, "runs": 1, "all": 4, "of_ranks": ["7"]},
            **{"cards": ["3D"], "laid": 1, "went_out": True},
        },
        "cards_count": {"cards": ["A"], "needs": "its own book"},
        "cap": {"cards": ["3D"], "points": 50, "books": ["clean", "wild"], "most": 2},
        "bonuses": [
            {"name": "concealed", "points": 100, "when": "a side goes out at once", "who": "player", "most": 2}
        ],
    }
    data["rounds"] = {"fixed": 2, "per_player": 1, "by_players": {6: 5}}
    data["first_meld"] |= {"step": 10, "must": [{"what": "no wilds"}, {"what": "a book", "from_round": 2}]}
    data["melds"] |= {"most_cards": 9, "most_cards_with_wilds": 8, "of_ranks": [{"ranks": ["7", "8"], "most_wilds": 1}]}
    data["melds"] |= {"clean_a_rank": 2, "dirty_a_rank": 1}
    data["books"] |= {
        "of_ranks": [{"ranks": ["A", "7"], "clean": 2500, "dirty": 900}],
        "of_sizes": [{"from_cards": 12, "clean": 1000, "dirty": 600, "wild": 3000}],
        "of_wilds": [{"ranks": ["JK"], "least": 4, "points": 2500}],
        "unfinished": [{"ranks": ["A", "K"], "kind": "clean", "points": -2500}],
    }
    data["going_out"] |= {"by_round": [100, 200]}
    data["going_out"]["books"] += [
        {"from_players": 6, "from_round": 2, "runs": 1, "all": 3, "of_ranks": ["7"], "apart": True}
    ]
    data["event"] |= {"groups": ["women", "men"]}
    return RuleSet.model_validate(data)


def changed_rules(rules: RuleSet) -> Iterator[tuple[str, RuleSet]]:
    """Each valid rule set with one field changed, with the field's place: ``points[].left``, ``going_out.books``."""
    data = rules.model_dump(mode="json")
    for keys, value in _changes(RuleSet, data, ()):
        other = copy.deepcopy(data)
        at: Any = other
        for key in keys[:-1]:
            at = at[key]
        at[keys[-1]] = value
        if keys[0] == "points":
            _each_card_once(other["points"], keys, rules)
        try:
            made = RuleSet.model_validate(other)
        except ValidationError:
            continue
        if made != rules:
            yield "".join("[]" if isinstance(key, int) else f".{key}" for key in keys)[1:], made


def leaves(model: type[Frozen], before: str = "") -> Iterator[str]:
    """Every field of a model that holds a value, by its place."""
    for key, field in model.model_fields.items():
        shape = field_type(key, field)
        if shape.model is None:
            yield f"{before}{key}"
        else:
            yield from leaves(shape.model, f"{before}{key}{'[]' if shape.kind == 'rows' else ''}.")


def _changes(
    model: type[Frozen], data: Any, place: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], Any]]:
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


def _each_card_once(points: list[Any], keys: tuple[str | int, ...], rules: RuleSet) -> None:
    """A card left out of one entry goes to another, and one added to an entry leaves the others."""
    if keys[-1] != "cards":
        return
    changed, before = points[int(keys[1])], rules.points[int(keys[1])].cards
    for entry in points:
        if entry is not changed:
            entry["cards"] = [card for card in entry["cards"] if card not in changed["cards"]]
    next(entry for entry in points if entry is not changed)["cards"] += [c for c in before if c not in changed["cards"]]
