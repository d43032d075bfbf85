"""All sentences about a rule set, under a few headings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from scorer.rules import RuleSet
from webui.house_rules.sentences import books, cards, ending, melds, table

_TOPICS: tuple[tuple[str, tuple[Callable[[RuleSet], Iterator[str]], ...]], ...] = (
    ("Players and cards", (table.players, table.packs)),
    ("The game and the deal", (table.rounds, table.deal)),
    ("Your first meld", (melds.first_meld,)),
    ("Melds", (melds.melds,)),
    ("Books", (books.books,)),
    ("What the cards are worth", (cards.values, cards.laid)),
    ("Going out", (ending.going_out,)),
    ("Bonuses and penalties", (ending.bonuses,)),
    ("Tournaments", (ending.event,)),
    ("Where these rules come from", (table.source,)),
)


@dataclass(frozen=True, slots=True)
class Topic:
    """The sentences under one heading."""

    heading: str
    sentences: tuple[str, ...]


def explain(rules: RuleSet) -> list[Topic]:
    """A rule set as sentences, every field in one of them; headings without any are left out."""
    topics = [Topic(heading, tuple(text for part in parts for text in part(rules))) for heading, parts in _TOPICS]
    return [topic for topic in topics if topic.sentences]
