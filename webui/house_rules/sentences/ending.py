"""Sentences about going out, about bonuses and penalties, and about tournaments."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.rules import RuleSet
from scorer.rules.book_parts import BooksNeeded
from scorer.rules.card_parts import Bonus
from webui.house_rules.sentences.words import (
    books_needed,
    by_round,
    cards,
    earns,
    ended,
    from_round,
    piles,
    points,
    told,
)
from webui.translation import N_, _, ngettext
from webui.wording import games_text, listed, one_of, players_text

_FORMATS = {
    "teams": N_("In a tournament, the teams stay together, and the better half plays on."),
    "moving-partners": N_("In a tournament, partners part after each round and move from table to table."),
}


def going_out(rules: RuleSet) -> Iterator[str]:
    """What going out earns and needs."""
    ending = rules.going_out
    if ending.by_round:
        yield _("Going out earns %(by_round)s.", by_round=by_round(ending.by_round, rules, points))
    else:
        yield _("Going out %(earns)s.", earns=earns(ending.points))
    for entry in ending.books:
        when, needed = _when(entry, rules), books_needed(entry, rules)
        if when:
            yield _("To go out %(when)s, your side needs %(needed)s.", when=when, needed=needed)
        else:
            yield _("To go out, your side needs %(needed)s.", needed=needed)
    if ending.laid_for_books:
        laid = cards(rules.laid, rules, one_of)
        yield _("To go out, your side also needs as many %(cards)s laid out as it has books.", cards=laid)
    if ending.partners_free:
        yield _("The side that goes out pays nothing for cards left in a partner's %(piles)s.", piles=piles(rules))
    for sentence in ending.also:
        yield ended(_("When you go out: %(sentence)s", sentence=sentence))
    for sentence in ending.also_partners:
        yield ended(_("When you go out with a partner: %(sentence)s", sentence=sentence))


def _when(entry: BooksNeeded, rules: RuleSet) -> str:
    players = players_text(entry.from_players)
    many = _("with %(players)s or more", players=players) if entry.from_players > 1 else ""
    return " ".join(part for part in (many, from_round(entry.from_round, rules)) if part)


def bonuses(rules: RuleSet) -> Iterator[str]:
    """Further bonuses and penalties, which somebody has to tell."""
    for bonus in rules.bonuses:
        yield told(bonus, _often(bonus))


def _often(bonus: Bonus) -> str:
    match bonus.who:
        case "side":
            return ngettext("once for each side", "up to %(num)s times for each side", bonus.most)
        case "player":
            return ngettext("once for each player", "up to %(num)s times for each player", bonus.most)
        case "one side":
            return ngettext("once for one side only", "up to %(num)s times for one side only", bonus.most)


def event(rules: RuleSet) -> Iterator[str]:
    """The format of a tournament."""
    if not rules.event:
        return
    yield _(_FORMATS[rules.event.format])
    if rules.event.games is not None:
        yield _("It is %(games)s long.", games=games_text(rules.event.games))
    if rules.event.groups:
        yield _("These are ranked separately: %(groups)s.", groups=listed(rules.event.groups))
    yield _("The prizes, highest first: %(prizes)s.", prizes=listed(rules.event.prizes))
