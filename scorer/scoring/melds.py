"""Judging one meld: which book it is, and every way in which it breaks a rule set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorer.deck import load_deck
from scorer.faces import Face
from scorer.rules.card_parts import Book
from scorer.rules.rule_set import RuleSet
from scorer.scoring.tally import Code
from scorer.sheets import Meld, Pile


@dataclass(frozen=True, slots=True)
class Fault:
    """One rule that a meld breaks, in a sentence."""

    code: Code
    message: str


@dataclass(frozen=True, slots=True)
class MeldCheck:
    """What a meld is.

    ``cards`` are all its cards, ``caps`` those among them that cap it, ``name`` what it is called, ``rank`` the rank of
    its naturals (None for none or several), ``book`` the book it earns (None for none), ``faults`` what it breaks.
    """

    cards: tuple[Face, ...]
    caps: tuple[Face, ...]
    name: str
    rank: str | None
    book: Book | None
    faults: tuple[Fault, ...]


def cards_of(meld: Meld) -> tuple[Face, ...]:
    """A meld's cards; those a squared pile gives by number are faces of its rank without a suit."""
    if not isinstance(meld, Pile):
        return meld
    return (*meld.wilds, *((Face(meld.rank),) * meld.naturals if meld.rank is not None else ()))


def check_meld(meld: Meld, rules: RuleSet) -> MeldCheck:
    """Says what a meld is under a rule set. A meld with a fault earns no book."""
    cards = cards_of(meld)
    caps = tuple(card for card in cards if rules.is_cap(card)) if rules.cap else ()
    if len(caps) == len(cards):  # nothing lies under them that they could cap
        caps = ()
    wilds = tuple(card for card in cards if card.rank in rules.wild_ranks)
    naturals = tuple(card for card in cards if card.rank not in rules.wild_ranks and card not in caps)
    laid = _Laid(naturals, wilds, caps, tuple(dict.fromkeys([card.rank for card in naturals])))
    faults = (
        *_deck_faults(meld, cards, rules),
        *_card_faults(laid, rules),
        *_wild_faults(laid, rules),
        *_cap_faults(laid, rules),
    )
    finished = laid.size >= rules.book_size
    if faults:
        name = "broken meld"
    elif laid.kind == "wild":
        name = "wild book" if finished else "meld of wilds"
    else:
        name = f"{laid.kind} book" if finished else "meld"
    rank = laid.ranks[0] if len(laid.ranks) == 1 else None
    if rank is not None:
        name += f" of {load_deck(rules.deck).plural(rank)}"
    return MeldCheck(cards, caps, name, rank, laid.kind if finished and not faults else None, faults)


@dataclass(frozen=True, slots=True)
class _Laid:
    """A meld's cards by what they do in it, and the ranks of its naturals."""

    naturals: tuple[Face, ...]
    wilds: tuple[Face, ...]
    caps: tuple[Face, ...]
    ranks: tuple[str, ...]

    @property
    def size(self) -> int:
        """Its cards without what caps it."""
        return len(self.naturals) + len(self.wilds)

    @property
    def kind(self) -> Book:
        return "wild" if not self.naturals else "dirty" if self.wilds else "clean"


def _deck_faults(meld: Meld, cards: tuple[Face, ...], rules: RuleSet) -> Iterator[Fault]:
    """Cards that the deck lacks; those of a squared pile are known by its rank alone."""
    deck = load_deck(rules.deck)
    by_rank = Face(meld.rank) if isinstance(meld, Pile) and meld.rank in deck.ranks else None
    strangers = [str(card) for card in cards if card not in deck.copies and card != by_rank]
    if strangers:
        yield Fault("not-in-deck", f"The deck of these rules has no {', '.join(dict.fromkeys(strangers))}.")


def _card_faults(laid: _Laid, rules: RuleSet) -> Iterator[Fault]:
    needs, deck = rules.melds, load_deck(rules.deck)
    if laid.size < needs.least_cards:
        yield Fault("meld-too-small", f"A meld needs at least {needs.least_cards} cards, this one has {laid.size}.")
    most = needs.most_with(len(laid.wilds))
    if most is not None and laid.size > most:
        yield Fault("meld-too-large", f"A meld like this has at most {most} cards, this one has {laid.size}.")
    if len(laid.ranks) > 1:
        yield Fault("mixed-ranks", f"The naturals of a meld are of one rank, here are {', '.join(laid.ranks)}.")
    for rank in laid.ranks:
        if rank in rules.never_melded:
            yield Fault("rank-not-meldable", f"{deck.plural(rank).capitalize()} never form a meld.")


def _wild_faults(laid: _Laid, rules: RuleSet) -> Iterator[Fault]:
    naturals, wilds, needs = len(laid.naturals), len(laid.wilds), rules.melds
    if not wilds:
        return
    if not naturals and rules.books.wild is not None:
        return
    if not naturals:
        yield Fault("wild-book-not-allowed", "Wilds alone form no meld and no book under these rules.")
    if naturals < needs.least_naturals:
        message = f"A meld needs at least {needs.least_naturals} naturals, this one has {naturals}."
        yield Fault("too-few-naturals", message)
    allowed = needs.wilds_allowed(naturals)
    if naturals and wilds > allowed:
        message = f"With {naturals} naturals at most {allowed} wilds may lie, here are {wilds}."
        yield Fault("too-many-wilds", message)


def _cap_faults(laid: _Laid, rules: RuleSet) -> Iterator[Fault]:
    if rules.cap is None or not laid.caps:
        return
    name = load_deck(rules.deck).plural(laid.caps[0].rank).capitalize()
    if laid.size < rules.book_size or laid.kind not in rules.cap.books:
        books = " and ".join(rules.cap.books)
        yield Fault("cap-not-allowed", f"{name} cap {books} books of {rules.book_size} or more cards, and no other.")
    if len(laid.caps) > rules.cap.most:
        yield Fault("cap-not-allowed", f"{name} on one book: {rules.cap.most} at most, here are {len(laid.caps)}.")
