"""The rule sets that pages offer, in their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from scorer.rules import RuleSet, list_rules, load_rules, rules_file
from webui.wording import name_key

SHEETS = ("golden-games", "tournament-play", "cutting-22", "hand-n-foot", "tanglewood")
"""The ids of the five rule sheets, in the order in which they are offered."""


def offered_rules() -> tuple[RuleSet, ...]:
    """All readable rule sets: the five sheets first, then those of published pages and the user's own."""
    ids = list_rules()
    sheets = [id for id in SHEETS if id in ids]
    return tuple(load_rules(id) for id in (*sheets, *(id for id in ids if id not in SHEETS)))


def offered_names(rule_sets: Iterable[RuleSet]) -> dict[str, str]:
    """What a list calls each rule set, by its id."""
    return names_apart({rules.id: rules.name for rules in rule_sets})


def names_apart(named: Mapping[str, str]) -> dict[str, str]:
    """The names by id, with the id behind those that several have.

    The page gives no name twice, but files come from other computers and from people's own hands too.
    """
    keys = {id: name_key(name) for id, name in named.items()}
    times = Counter(keys.values())
    return {id: f"{name} ({id})" if times[keys[id]] > 1 else name for id, name in named.items()}


def is_user_rule_set(rules_id: str, folder: Path) -> bool:
    """Whether a rule set's file is in the folder of the user's rule sets."""
    return rules_file(rules_id).parent == folder
