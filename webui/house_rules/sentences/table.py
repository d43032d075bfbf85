"""Sentences about the players, the packs, the rounds and the deal."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.rules import RuleSet
from scorer.rules.table_parts import Seating
from webui.house_rules.sentences.words import amount, by_round, capital, ended, points, told
from webui.translation import N_, _, ngettext
from webui.wording import against, cards_text, listed, one_of, players_text, rounds_text

_DECKS = {
    "standard": N_("standard cards"),
    "hand-n-foot": N_("the Hand 'n Foot box of 262 cards"),
    "remastered": N_("Hand & Foot Remastered cards, which have no suits"),
}


def players(rules: RuleSet) -> Iterator[str]:
    """Who plays with whom, and whose total it is."""
    if rules.seatings:
        for count in dict.fromkeys(seating.players for seating in rules.seatings):
            ways = [_seating(seating) for seating in rules.seatings if seating.players == count]
            yield _("With %(players)s: %(ways)s.", players=players_text(count), ways=_(", or ").join(ways))
    else:
        yield _("%(players)s can play, each alone or in teams.", players=capital(_or_more(rules.least_players)))
    if rules.own_totals:
        yield _("Partners change, and each person keeps their own total.")
    else:
        yield _("Each side keeps one total for the whole game.")
    if rules.starts:
        yield ended(_("Who plays first in round 1: %(first)s", first=rules.starts.first))
        if rules.starts.then == "drawn again":
            yield _("In each further round it is drawn again.")
        else:
            yield _("In each further round it is %(then)s.", then=rules.starts.then)
    else:
        yield _("Agree among yourselves who plays first.")


def packs(rules: RuleSet) -> Iterator[str]:
    """The deck and how many packs of it."""
    yield _(
        "You play with %(decks)s.",
        decks=one_of(_(_DECKS[deck.id]) if deck.id in _DECKS else deck.name for deck in rules.all_decks),
    )
    yield _("You need %(amount)s.", amount=amount(rules.packs, _packs))
    jokers = max(sum(deck.copies[joker] for joker in deck.jokers) for deck in rules.all_decks)
    if jokers:
        yield ngettext("A pack has %(num)s joker.", "A pack has %(num)s jokers.", jokers)
    elif rules.jokers is not None:
        yield _("The packs have no jokers.")


def rounds(rules: RuleSet) -> Iterator[str]:
    """What ends a game."""
    planned = amount(rules.rounds, rounds_text)
    if rules.target is None:
        yield _("A game has %(planned)s.", planned=planned)
    else:
        yield _("The game ends when a side reaches %(points)s.", points=points(rules.target))
        yield _("That can take any number of rounds; these rules plan on %(planned)s.", planned=planned)
    if rules.in_sets:
        yield _(
            "%(hands_in_set)s rounds make a set, and their scores are added up to one.", hands_in_set=rules.hands_in_set
        )


def deal(rules: RuleSet) -> Iterator[str]:
    """The hand, the knee and the foot."""
    hand = _("a hand of %(cards)s", cards=by_round(rules.hand_cards, rules, cards_text))
    more = [_("a foot of %(cards)s", cards=cards_text(rules.foot_cards))] if rules.foot_cards else []
    if rules.knee_cards:
        more.insert(0, _("a knee of %(cards)s (picked up after the hand)", cards=cards_text(rules.knee_cards)))
    if len(rules.hand_cards) > 1:
        yield _("Each player gets %(hand)s.", hand=hand)
        if more:
            yield _("Each player also gets %(more)s.", more=listed(more))
    else:
        yield _("Each player gets %(cards)s.", cards=listed([hand, *more]))
    for count, size in sorted(rules.hand_by_players.items()):
        yield _("With %(players)s, a hand is %(cards)s instead.", players=players_text(count), cards=cards_text(size))
    if not rules.foot_cards:
        yield _("There is no foot.")
    if rules.exact_deal:
        yield told(rules.exact_deal, _("once for each player"))


def source(rules: RuleSet) -> Iterator[str]:
    """What they are called, where they were read, and their file."""
    yield ended(_("“%(name)s” comes from: %(source)s", name=rules.name, source=rules.source))
    yield _("Its file is %(id)s.toml.", id=rules.id)


def _or_more(least: int) -> str:
    return _("%(players)s or more", players=players_text(least))


def _packs(count: int) -> str:
    return ngettext("%(num)s pack", "%(num)s packs", count)


def _seating(seating: Seating) -> str:
    if seating.floater:
        sides = [
            _("side %(side)s in round %(round)s", side=side, round=at)
            for at, side in enumerate(seating.floater[:-1], 1)
        ]
        last = _("side %(side)s from round %(round)s on", side=seating.floater[-1], round=len(seating.floater))
        fixed, rounds = _against(seating), listed([*sides, last])
        return _("%(sides)s, and one more who plays on %(rounds)s", sides=fixed, rounds=rounds)
    if len(set(seating.sides)) > 1:
        return _against(seating)
    if seating.sides[0] == 1:
        return _("each alone")
    return _("%(number)s teams of %(size)s", number=len(seating.sides), size=seating.sides[0])


def _against(seating: Seating) -> str:
    return against(map(str, seating.sides))
