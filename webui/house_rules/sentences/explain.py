"""All sentences about a rule set, under a few headings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from scorer.rules import RuleSet
from webui.house_rules.sentences import books, cards, ending, melds, table
from webui.translation import N_, _

_TOPICS: tuple[tuple[str, tuple[Callable[[RuleSet], Iterator[str]], ...]], ...] = (
    (N_("Players and cards"), (table.players, table.packs)),
    (N_("The game and the deal"), (table.rounds, table.deal)),
    (N_("Your first meld"), (melds.first_meld,)),
    (N_("Melds"), (melds.melds,)),
    (N_("Books"), (books.books,)),
    (N_("What the cards are worth"), (cards.values, cards.laid)),
    (N_("Going out"), (ending.going_out,)),
    (N_("Bonuses and penalties"), (ending.bonuses,)),
    (N_("Tournaments"), (ending.event,)),
    (N_("Where these rules come from"), (table.source,)),
)


@dataclass(frozen=True, slots=True)
class Topic:
    """The sentences under one heading."""

    heading: str
    sentences: tuple[str, ...]


def explain(rules: RuleSet) -> list[Topic]:
    """A rule set as sentences, every field in one of them; headings without any are left out."""
    topics = [Topic(_(heading), tuple(text for part in parts for text in part(rules))) for heading, parts in _TOPICS]
    return [topic for topic in topics if topic.sentences]
