"""What differs between house rules and those that they come from, in sentences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher

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


def told_anew(rules: RuleSet, others: RuleSet) -> list[str]:
    """The sentences of other rules with what these say in the place of each; empty where they say nothing of it."""
    own, theirs = ([text for topic in explain(one) for text in topic.sentences] for one in (rules, others))
    said = [""] * len(theirs)
    for _tag, begins, ends, from_own, to_own in SequenceMatcher(None, theirs, own, autojunk=False).get_opcodes():
        here = own[from_own:to_own]
        for at in range(begins, ends):  # what is more comes with the last
            said[at] = " ".join(here[at - begins :] if at == ends - 1 else here[at - begins : at - begins + 1])
        if begins == ends and begins and here:
            said[begins - 1] += " " + " ".join(here)
    return said


def _sentences(rules: RuleSet) -> tuple[str, ...]:
    sources = set(table.source(rules))
    return tuple(text for topic in explain(rules) for text in topic.sentences if text not in sources)
