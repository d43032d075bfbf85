"""Sentences about going out, about bonuses and penalties, and about tournaments."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.rules import RuleSet
from scorer.rules.book_parts import BooksNeeded
from scorer.rules.card_parts import Bonus
from webui.house_rules.sentences.words import books_needed, by_round, earns, ended, from_round, points, told
from webui.wording import count_text, listed

_FORMATS = {
    "teams": "In a tournament, the teams stay together, and the better half plays on.",
    "moving-partners": "In a tournament, partners part after each round and move from table to table.",
}


def going_out(rules: RuleSet) -> Iterator[str]:
    """What going out earns and needs."""
    ending = rules.going_out
    if ending.by_round:
        yield f"Going out earns {by_round(ending.by_round, rules, points)}."
    else:
        yield f"Going out {earns(ending.points)}."
    for entry in ending.books:
        when = _when(entry, rules)
        yield f"To go out{when}, your side needs {books_needed(entry, rules)}."
    for sentence in ending.also:
        yield ended(f"When you go out: {sentence}")
    for sentence in ending.also_partners:
        yield ended(f"When you go out with a partner: {sentence}")


def _when(entry: BooksNeeded, rules: RuleSet) -> str:
    many = f"with {count_text(entry.from_players, 'player')} or more" if entry.from_players > 1 else ""
    return "".join(f" {part}" for part in (many, from_round(entry.from_round, rules)) if part)


def bonuses(rules: RuleSet) -> Iterator[str]:
    """Further bonuses and penalties, which somebody has to tell."""
    for bonus in rules.bonuses:
        yield told(bonus, _often(bonus))


def _often(bonus: Bonus) -> str:
    times = "once" if bonus.most == 1 else f"up to {bonus.most} times"
    who = {"side": "for each side", "player": "for each player", "one side": "for one side only"}[bonus.who]
    return f"{times} {who}"


def event(rules: RuleSet) -> Iterator[str]:
    """The format of a tournament."""
    if not rules.event:
        return
    yield _FORMATS[rules.event.format]
    if rules.event.games is not None:
        yield f"It is {count_text(rules.event.games, 'game')} long."
    if rules.event.groups:
        yield f"These are ranked separately: {listed(rules.event.groups)}."
    yield f"The prizes, highest first: {listed(rules.event.prizes)}."
