"""The rule sets that pages offer, in their order."""

from __future__ import annotations

from pathlib import Path

from scorer.rules import RuleSet, list_rules, load_rules, rules_file

SHEETS = ("golden-games", "tournament-play", "cutting-22", "hand-n-foot", "tanglewood")
"""The ids of the five rule sheets, in the order in which they are offered."""


def offered_rules() -> tuple[RuleSet, ...]:
    """All readable rule sets: the five sheets first, then those of published pages and the user's own."""
    ids = list_rules()
    sheets = [id for id in SHEETS if id in ids]
    return tuple(load_rules(id) for id in (*sheets, *(id for id in ids if id not in SHEETS)))


def is_user_rule_set(rules_id: str, folder: Path) -> bool:
    """Whether a rule set's file is in the folder of the user's rule sets."""
    return rules_file(rules_id).parent == folder
