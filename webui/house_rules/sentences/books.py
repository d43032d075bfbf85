"""Sentences about books: what they are worth, by kind, rank, size and wilds, and what is put on them."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.rules import RuleSet
from scorer.rules.book_parts import Unfinished
from webui.house_rules.sentences.words import capital, card, cards, choice, earns, number, points
from webui.wording import count_text, listed


def books(rules: RuleSet) -> Iterator[str]:
    """Their size and points, caps, and melds that are no book in the end."""
    values = rules.books
    yield f"A meld of {rules.book_size} or more cards is a book."
    yield "A clean book has no wild cards; a dirty book has some. A book's points come on top of its cards."
    yield f"A clean book is worth {points(values.clean)}, a dirty book {number(values.dirty)}."
    if values.wild is None:
        yield "There are no books of wild cards alone."
    else:
        yield f"A wild book, all wild cards, is worth {points(values.wild)}."
    for of_ranks in values.of_ranks:
        told = _kinds({"clean": of_ranks.clean, "dirty": of_ranks.dirty})
        yield f"Books of {cards(of_ranks.ranks, rules, choice)} have their own value: {told}."
    for size in values.of_sizes:
        told = _kinds({"clean": size.clean, "dirty": size.dirty, "wild": size.wild})
        yield f"Books of {size.from_cards} or more cards have their own value: {told}."
    for of_wilds in values.of_wilds:
        wilds = cards(of_wilds.ranks, rules, choice)
        what = f"made only of {wilds}" if of_wilds.least is None else f"with {of_wilds.least} or more {wilds}"
        yield f"A wild book {what} is worth {points(of_wilds.points)} instead."
    for penalty in values.unfinished:
        yield f"{capital(_unfinished(penalty, rules))} that is not a book when the round ends {earns(penalty.points)}."
    yield from _caps(rules)
    if count := rules.cards_count:
        which = capital(cards(count.cards, rules)) if count.cards else "Cards"
        needs = "that meld is a book" if count.needs == "its own book" else "your side has a book"
        otherwise = "count against you" if count.otherwise == "against" else "count nothing"
        yield f"{which} in a meld count only if {needs}; if not, they {otherwise}."


def _kinds(values: dict[str, int | None]) -> str:
    return listed([f"{kind} {number(value)}" for kind, value in values.items() if value is not None])


def _unfinished(penalty: Unfinished, rules: RuleSet) -> str:
    kind = "a meld" if penalty.kind == "any" else f"a {penalty.kind} meld"
    return f"{kind} of {cards(penalty.ranks, rules, choice)}" if penalty.ranks else kind


def _caps(rules: RuleSet) -> Iterator[str]:
    if not rules.cap:
        return
    which = choice(card(name, rules) for name in rules.cap.cards)
    kinds = choice(rules.cap.books)
    yield f"You can put {which} on a finished {kinds} book; this {earns(rules.cap.points)}."
    yield f"There can be {count_text(rules.cap.most, 'such card')} on a book at most."
