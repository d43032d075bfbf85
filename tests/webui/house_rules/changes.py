"""A rule set that uses every field, and the places of all fields."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.data import Frozen
from scorer.rules import RuleSet, load_rules
from webui.house_rules.field_types import field_type


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


def leaves(model: type[Frozen], before: str = "") -> Iterator[str]:
    """Every field of a model that holds a value, by its place."""
    for key, field in model.model_fields.items():
        shape = field_type(key, field)
        if shape.model is None:
            yield f"{before}{key}"
        else:
            yield from leaves(shape.model, f"{before}{key}{'[]' if shape.kind == 'rows' else ''}.")
