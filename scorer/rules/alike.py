"""Which cards a rule set does not tell apart."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.faces import Face
from scorer.rules.card_parts import matches
from scorer.rules.rule_set import RuleSet


def counts_alike(one: Face, other: Face, rules: RuleSet) -> bool:
    """Whether two cards of one rank count alike wherever they lie: no rule tells their suits apart, and no run does."""
    if one.rank != other.rank:
        return False
    if one.suit != other.suit and rules.runs and one.rank in rules.runs.ranks:
        return False
    return all(matches(name, one) == matches(name, other) for name in _named(rules))


def _named(rules: RuleSet) -> Iterator[str]:
    """Every name of cards that some rule is about."""
    yield from (*rules.laid, *rules.never_melded, *rules.melded_going_out)
    for part in (*rules.points, *rules.laid_sets, rules.laid_if, rules.cap, rules.cards_count):
        yield from part.cards if part else ()
