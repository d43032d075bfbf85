"""Which cards a rule set does not tell apart."""

from __future__ import annotations

import pytest

from scorer.faces import Face
from scorer.rules import RuleSet, load_rules
from scorer.rules.alike import counts_alike


@pytest.mark.parametrize(
    ("rules", "one", "other", "alike"),
    [
        ("golden-games", "9S", "9C", True),
        ("golden-games", "2S", "2D", True),
        ("golden-games", "JK", "JK", True),
        ("golden-games", "9S", "10S", False),
        ("golden-games", "3H", "3D", True),
        ("golden-games", "3H", "3S", False),
        ("canasta", "3C", "3S", True),
        ("samba", "9S", "9C", False),
        ("samba", "9S", "9S", True),
        ("samba", "2S", "2C", True),
        ("samba", "3H", "3D", True),
        ("burraco", "2S", "2C", False),
    ],
)
def test_suits_count_alike_where_no_rule_tells_them_apart(rules: str, one: str, other: str, alike: bool) -> None:
    assert counts_alike(Face.parse(one), Face.parse(other), load_rules(rules)) is alike


@pytest.mark.parametrize(
    "changed",
    [
        {"points": "9S"},
        {"laid": ["red 3", "9S"]},
        {"never_melded": ["3", "9S"]},
        {"laid_if": {"cards": ["9S"], "clean": 1}, "laid": ["red 3", "9S", "9C"]},
        {"laid_sets": [{"cards": ["9S"], "count": 1, "points": 5}], "laid": ["red 3", "9S", "9C"]},
        {"cards_count": {"cards": ["9S"], "needs": "its own book"}},
        {"cap": {"cards": ["9S"], "points": 5, "books": ["clean"]}, "never_melded": ["3", "9S", "9C"]},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_every_rule_that_names_one_suit_tells_it_apart(changed: dict[str, object]) -> None:
    data = load_rules("grandma-sue").model_dump()
    if changed.get("points"):
        one = {"cards": ["9S"], "played": 90, "left": -90}
        others = [{**entry, "cards": [name for name in entry["cards"] if name != "9"]} for entry in data["points"]]
        rest = {"cards": ["9C", "9D", "9H"], "played": 10, "left": -10}
        changed = {"points": [*(entry for entry in others if entry["cards"]), one, rest]}
    rules = RuleSet.model_validate(data | changed)
    assert not counts_alike(Face.parse("9S"), Face.parse("9C"), rules)
    assert counts_alike(Face.parse("8S"), Face.parse("8C"), rules)
