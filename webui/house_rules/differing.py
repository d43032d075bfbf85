"""What differs between house rules and those that they come from, in sentences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scorer.rules import RuleSet
from webui.house_rules.sentences import explain, table


@dataclass(frozen=True, slots=True)
class Differing:
    """The sentences of rules that others do not have, and those that only the others have."""

    others: RuleSet
    here: tuple[str, ...]
    there: tuple[str, ...]


def differing(rules: RuleSet, others: RuleSet) -> Differing:
    """What differs from others; where rules come from is no rule."""
    own, theirs = _sentences(rules), _sentences(others)
    here = tuple(sentence for sentence in own if sentence not in theirs)
    return Differing(others, here, tuple(sentence for sentence in theirs if sentence not in own))


def nearest(rules: RuleSet, printed: Iterable[RuleSet]) -> Differing | None:
    """What differs from that printed rule sheet from which the least does; None where there is no sheet."""
    found = [differing(rules, one) for one in printed if one.id != rules.id]
    return min(found, key=lambda one: len(one.here) + len(one.there), default=None)


def _sentences(rules: RuleSet) -> tuple[str, ...]:
    sources = set(table.source(rules))
    return tuple(text for topic in explain(rules) for text in topic.sentences if text not in sources)
