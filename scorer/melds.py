"""Judging one meld: which book it is, and every way in which it breaks a rule set."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.deck import load_deck
from scorer.faces import Face
from scorer.rule_parts import Book
from scorer.rules import RuleSet
from scorer.sheets import Meld, Pile
from scorer.tally import Code


@dataclass(frozen=True, slots=True)
class Fault:
    """One rule that a meld breaks, in a sentence."""

    code: Code
    message: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a meld is: its cards, its name in words, the book it earns (None for none), and its faults."""

    cards: tuple[Face, ...]
    name: str
    book: Book | None
    faults: tuple[Fault, ...]


def cards_of(meld: Meld) -> tuple[Face, ...]:
    """A meld's cards; those a squared pile gives by number are faces of its rank without a suit."""
    if not isinstance(meld, Pile):
        return meld
    return (*meld.wilds, *((Face(meld.rank),) * meld.naturals if meld.rank is not None else ()))


def judge(meld: Meld, rules: RuleSet) -> Judgement:
    """Says what a meld is under a rule set. A meld with a fault earns no book."""
    cards = cards_of(meld)
    naturals = tuple(card for card in cards if not rules.is_wild(card))
    kind: Book = "wild" if not naturals else "clean" if len(naturals) == len(cards) else "dirty"
    ranks = tuple(dict.fromkeys(card.rank for card in naturals))
    faults = _faults(cards, naturals, ranks, rules)
    finished = len(cards) >= rules.book_size
    if faults:
        name = "broken meld"
    elif kind == "wild":
        name = "wild book" if finished else "meld of wilds"
    else:
        name = f"{kind} book" if finished else "meld"
    if len(ranks) == 1:
        name += f" of {load_deck(rules.deck).plural(ranks[0])}"
    return Judgement(cards, name, kind if finished and not faults else None, faults)


def _faults(
    cards: tuple[Face, ...], naturals: tuple[Face, ...], ranks: tuple[str, ...], rules: RuleSet
) -> tuple[Fault, ...]:
    needs = rules.melds
    wilds = len(cards) - len(naturals)
    wilds_alone = bool(cards) and not naturals and rules.books.wild is not None
    allowed = needs.wilds_allowed(len(naturals))
    found: list[Fault] = []
    if len(cards) < needs.least_cards:
        found.append(
            Fault("meld-too-small", f"A meld needs at least {needs.least_cards} cards, this one has {len(cards)}.")
        )
    if len(ranks) > 1:
        found.append(Fault("mixed-ranks", f"The naturals of a meld are of one rank, here are {', '.join(ranks)}."))
    found += [
        Fault("rank-not-meldable", f"{load_deck(rules.deck).plural(rank).capitalize()} never form a meld.")
        for rank in ranks
        if rank in rules.never_melded
    ]
    if cards and not naturals and not wilds_alone:
        found.append(Fault("wild-book-not-allowed", "Wilds alone form no meld and no book under these rules."))
    if wilds and len(naturals) < needs.least_naturals and not wilds_alone:
        message = f"A meld needs at least {needs.least_naturals} naturals, this one has {len(naturals)}."
        found.append(Fault("too-few-naturals", message))
    if naturals and wilds > allowed:
        message = f"With {len(naturals)} naturals at most {allowed} wilds may lie, here are {wilds}."
        found.append(Fault("too-many-wilds", message))
    return tuple(found)
