"""Rule sets: their fields, the checks on them, and where they are loaded from."""

from scorer.errors import RulesError, UnknownRulesError
from scorer.rules.description import describe
from scorer.rules.kept import rules_from_text
from scorer.rules.library import (
    broken_rules,
    list_rules,
    load_rules,
    parse_rules,
    read_rules,
    rules_file,
    shipped_rules,
    use_folder,
)
from scorer.rules.rule_set import RuleSet

__all__ = [
    "RuleSet",
    "RulesError",
    "UnknownRulesError",
    "broken_rules",
    "describe",
    "list_rules",
    "load_rules",
    "parse_rules",
    "read_rules",
    "rules_file",
    "rules_from_text",
    "shipped_rules",
    "use_folder",
]
