"""The rule sets as the page offers them: the five sheets first, then those of published pages, then the house's own."""

from __future__ import annotations

from pathlib import Path

from scorer.rules import RuleSet, list_rules, load_rules, rules_file

SHEETS = ("golden-games", "tournament-play", "cutting-22", "hand-n-foot", "tanglewood")


def offered_rules() -> tuple[RuleSet, ...]:
    """Every rule set that can be read, in the order in which people look for them."""
    ids = list_rules()
    sheets = [id for id in SHEETS if id in ids]
    return tuple(load_rules(id) for id in (*sheets, *(id for id in ids if id not in SHEETS)))


def is_user_rule_set(rules_id: str, folder: Path) -> bool:
    """Whether a rule set's file lies in the folder of the house's own ones."""
    return rules_file(rules_id).parent == folder
