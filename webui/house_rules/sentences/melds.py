"""Sentences about the first meld of a round and about melds."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.rules import RuleSet
from scorer.rules.card_parts import MeldNeeds
from webui.house_rules.sentences.words import by_round, capital, cards, choice, from_round, number, points, told
from webui.wording import count_text, listed

_MUST = {
    "nothing": "can be any melds",
    "no wilds": "must have no wild cards",
    "a natural meld": "must have at least one meld without wild cards",
    "a book": "must have a book",
    "a clean book": "must have a clean book",
}
_UNLIMITED = 50
"""So many wilds in a meld are as good as no limit."""


def first_meld(rules: RuleSet) -> Iterator[str]:
    """The points that a first meld needs, what it must have, and what one below the minimum costs."""
    needed = rules.first_meld
    if needed.by_score:
        bounds = [entry.least for entry in needed.by_score]
        parts = [points(needed.by_score[0].points)]
        if len(bounds) > 1:
            parts[0] += f" as long as your total is below {number(bounds[1] or 0)}"
        parts += [f"{number(entry.points)} from {number(entry.least or 0)} on" for entry in needed.by_score[1:]]
        yield f"Your side's first meld of a round needs {listed(parts)}."
    else:
        every = " in every round" if len(needed.by_round) == 1 and not needed.step else ""
        first = " in round 1" if len(needed.by_round) == 1 and needed.step else ""
        yield f"Your side's first meld needs {by_round(needed.by_round, rules, points)}{every}{first}."
    if needed.step:
        yield f"It goes up by {needed.step} each round after that."
    yield "Only the cards count for it, not the bonus for a book."
    for entry in needed.must:
        when = from_round(entry.from_round, rules)
        yield f"{capital(when) + ', the' if when else 'The'} first meld {_MUST[entry.what]}."
    if rules.improper_meld:
        yield told(rules.improper_meld)


def melds(rules: RuleSet) -> Iterator[str]:
    """What makes a meld, and how many wilds it can hold."""
    needs = rules.melds
    yield f"A meld is {needs.least_cards} or more cards of one rank."
    if needs.most_cards is not None:
        yield f"A meld can't have more than {count_text(needs.most_cards, 'card')}."
    if needs.most_cards_with_wilds is not None:
        yield f"With a wild card in it, a meld can't have more than {count_text(needs.most_cards_with_wilds, 'card')}."
    if rules.wild_ranks:
        yield f"{capital(cards(rules.wild_ranks, rules))} are wild."
    else:
        yield "No cards are wild."
    yield from _wilds(needs, rules.books.wild is not None)
    for entry in needs.of_ranks:
        most = f"at most {count_text(entry.most_wilds, 'wild card')}" if entry.most_wilds else "no wild cards"
        yield f"A meld of {cards(entry.ranks, rules, choice)} can have {most}."
    if needs.one_a_rank:
        yield "Your side can have only one meld of a rank."
    else:
        yield "Your side can have more than one meld of a rank."
    if rules.never_melded:
        yield f"You can't meld {cards(rules.never_melded, rules, choice)}."
    if rules.melded_going_out:
        which = cards(rules.melded_going_out, rules, choice)
        yield f"Only the side that goes out can meld {which}, without wild cards."
    if rules.burying:
        yield "You can bury spare cards face down on the table; they count what they are worth."
    else:
        yield "You can't bury spare cards."


def _wilds(needs: MeldNeeds, alone: bool) -> Iterator[str]:
    naturals = count_text(needs.least_naturals, "natural card")
    yield f"A meld needs at least {naturals}{', unless it is all wild cards' * alone}."
    more = f"and {needs.naturals_more} more" if needs.naturals_more else ""
    if needs.naturals_per_wild > 1:
        each = f"Each wild card in a meld needs {needs.naturals_per_wild} natural cards"
        yield f"{each}, {more} for the meld." if more else f"{each}."
    elif needs.naturals_per_wild and needs.naturals_more:
        yield f"A meld with wild cards needs at least {needs.naturals_more} more natural than wild cards."
    elif needs.naturals_per_wild:
        yield "A meld can't have more wild cards than natural cards."
    else:
        yield "A meld can have more wild cards than natural cards."
    if not needs.most_wilds:
        yield "You can't use wild cards in a meld of natural cards."
    elif needs.most_wilds >= _UNLIMITED:
        yield f"There is no other limit on wild cards in a meld (you can have {needs.most_wilds})."
    else:
        yield f"A meld or a dirty book can have at most {count_text(needs.most_wilds, 'wild card')}."
