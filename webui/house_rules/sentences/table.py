"""Sentences about the players, the packs, the rounds and the deal."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.rules import RuleSet
from scorer.rules.table_parts import Seating
from webui.house_rules.sentences.words import amount, by_round, capital, choice, ended, points, told
from webui.wording import count_text, listed

_DECKS = {
    "standard": "standard cards with two jokers in each pack",
    "hand-n-foot": "the Hand 'n Foot box of 262 cards",
    "remastered": "Hand & Foot Remastered cards, which have no suits",
}


def players(rules: RuleSet) -> Iterator[str]:
    """Who plays with whom, and whose total it is."""
    if rules.seatings:
        for count in dict.fromkeys(seating.players for seating in rules.seatings):
            ways = [_seating(seating) for seating in rules.seatings if seating.players == count]
            yield f"With {count_text(count, 'player')}: {', or '.join(ways)}."
    else:
        yield f"{capital(_or_more(rules.least_players))} can play, each alone or in teams."
    if rules.own_totals:
        yield "Partners change, and each person keeps their own total."
    else:
        yield "Each side keeps one total for the whole game."
    if rules.starts:
        yield ended(f"Who plays first in round 1: {rules.starts.first}")
        then = "it is drawn again" if rules.starts.then == "drawn again" else f"it is {rules.starts.then}"
        yield f"In each further round {then}."
    else:
        yield "Agree among yourselves who plays first."


def packs(rules: RuleSet) -> Iterator[str]:
    """The deck and how many packs of it."""
    yield f"You play with {choice(_DECKS.get(deck.id, deck.name) for deck in rules.all_decks)}."
    yield f"You need {amount(rules.packs, 'pack')}."


def rounds(rules: RuleSet) -> Iterator[str]:
    """What ends a game."""
    planned = amount(rules.rounds, "round")
    if rules.target is None:
        yield f"A game has {planned}."
    else:
        yield f"The game ends when a side reaches {points(rules.target)}."
        yield f"That can take any number of rounds; these rules plan on {planned}."
    if rules.hands_in_set > 1:
        yield f"{rules.hands_in_set} rounds make a set, and their scores are added up to one."


def deal(rules: RuleSet) -> Iterator[str]:
    """The hand, the knee and the foot."""
    hand = f"a hand of {by_round(rules.hand_cards, rules, lambda count: count_text(count, 'card'))}"
    more = [f"a foot of {count_text(rules.foot_cards, 'card')}"] if rules.foot_cards else []
    if rules.knee_cards:
        more.insert(0, f"a knee of {count_text(rules.knee_cards, 'card')} (picked up after the hand)")
    if len(rules.hand_cards) > 1:
        yield f"Each player gets {hand}."
        if more:
            yield f"Each player also gets {listed(more)}."
    else:
        yield f"Each player gets {listed([hand, *more])}."
    for count, size in sorted(rules.hand_by_players.items()):
        yield f"With {count_text(count, 'player')}, a hand is {count_text(size, 'card')} instead."
    if not rules.foot_cards:
        yield "There is no foot."
    if rules.exact_deal:
        yield told(rules.exact_deal, "once for each player")


def source(rules: RuleSet) -> Iterator[str]:
    """What they are called, where they were read, and their file."""
    yield ended(f"“{rules.name}” comes from: {rules.source}")
    yield f"Its file is {rules.id}.toml."


def _or_more(least: int) -> str:
    return f"{count_text(least, 'player')} or more"


def _seating(seating: Seating) -> str:
    if seating.floater:
        sides = [f"side {side} in round {at}" for at, side in enumerate(seating.floater[:-1], 1)]
        last = f"side {seating.floater[-1]} from round {len(seating.floater)} on"
        return f"{_against(seating)}, and one more who plays on {listed([*sides, last])}"
    if len(set(seating.sides)) > 1:
        return _against(seating)
    return "each alone" if seating.sides[0] == 1 else f"{len(seating.sides)} teams of {seating.sides[0]}"


def _against(seating: Seating) -> str:
    return " against ".join(map(str, seating.sides))
