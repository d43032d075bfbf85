"""Checks one meld against a rule set: which kind of book it is and which rules it breaks."""

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
class MeldViolation:
    """A rule that a meld breaks: its code and one sentence for the players."""

    code: Code
    message: str


@dataclass(frozen=True, slots=True)
class MeldCheck:
    """The result of checking a meld.

    Attributes:
        cards: all cards of the meld.
        caps: those of them that cap it.
        name: what the meld is called in the tally, such as ``clean book of 8s``.
        rank: the rank of its naturals; None if there are none or several ranks.
        book: the kind of book it counts as; None if it is too small or has violations.
        violations: the rules it breaks.
    """

    cards: tuple[Face, ...]
    caps: tuple[Face, ...]
    name: str
    rank: str | None
    book: Book | None
    violations: tuple[MeldViolation, ...]


def cards_of(meld: Meld) -> tuple[Face, ...]:
    """Returns the cards of a meld. Cards that a squared pile only counts become faces of its rank without a suit."""
    if not isinstance(meld, Pile):
        return meld
    return (*meld.wilds, *((Face(meld.rank),) * meld.naturals if meld.rank is not None else ()))


def check_meld(meld: Meld, rules: RuleSet) -> MeldCheck:
    """Checks a meld against a rule set. A meld with violations does not count as a book."""
    cards = cards_of(meld)
    caps = tuple(card for card in cards if rules.is_cap(card)) if rules.cap else ()
    if len(caps) == len(cards):  # caps alone have no book to cap
        caps = ()
    wilds = tuple(card for card in cards if card.rank in rules.wild_ranks)
    naturals = tuple(card for card in cards if card.rank not in rules.wild_ranks and card not in caps)
    roles = _CardsByRole(naturals, wilds, caps, tuple(dict.fromkeys([card.rank for card in naturals])))
    violations = (
        *_deck_violations(meld, cards, rules),
        *_card_violations(roles, rules),
        *_wild_violations(roles, rules),
        *_cap_violations(roles, rules),
    )
    finished = roles.size >= rules.book_size
    if violations:
        name = "broken meld"
    elif roles.kind == "wild":
        name = "wild book" if finished else "meld of wilds"
    else:
        name = f"{roles.kind} book" if finished else "meld"
    rank = roles.ranks[0] if len(roles.ranks) == 1 else None
    if rank is not None:
        name += f" of {load_deck(rules.deck).plural(rank)}"
    return MeldCheck(cards, caps, name, rank, roles.kind if finished and not violations else None, violations)


@dataclass(frozen=True, slots=True)
class _CardsByRole:
    """Cards of a meld by their role, and the distinct ranks of its naturals."""

    naturals: tuple[Face, ...]
    wilds: tuple[Face, ...]
    caps: tuple[Face, ...]
    ranks: tuple[str, ...]

    @property
    def size(self) -> int:
        """The number of cards without caps."""
        return len(self.naturals) + len(self.wilds)

    @property
    def kind(self) -> Book:
        """The kind of book that these cards make, once there are enough."""
        return "wild" if not self.naturals else "dirty" if self.wilds else "clean"


def _deck_violations(meld: Meld, cards: tuple[Face, ...], rules: RuleSet) -> Iterator[MeldViolation]:
    """Cards that are not in the deck. Cards of a squared pile without a suit only need a rank of the deck."""
    deck = load_deck(rules.deck)
    without_suit = Face(meld.rank) if isinstance(meld, Pile) and meld.rank in deck.ranks else None
    not_in_deck = [str(card) for card in cards if card not in deck.copies and card != without_suit]
    if not_in_deck:
        yield MeldViolation("not-in-deck", f"The deck of these rules has no {', '.join(dict.fromkeys(not_in_deck))}.")


def _card_violations(roles: _CardsByRole, rules: RuleSet) -> Iterator[MeldViolation]:
    needs, deck = rules.melds, load_deck(rules.deck)
    if roles.size < needs.least_cards:
        yield MeldViolation(
            "meld-too-small", f"A meld needs at least {needs.least_cards} cards, this one has {roles.size}."
        )
    most = needs.most_with(len(roles.wilds))
    if most is not None and roles.size > most:
        yield MeldViolation("meld-too-large", f"A meld like this has at most {most} cards, this one has {roles.size}.")
    if len(roles.ranks) > 1:
        yield MeldViolation(
            "mixed-ranks", f"The naturals of a meld are of one rank, here are {', '.join(roles.ranks)}."
        )
    for rank in roles.ranks:
        if rank in rules.never_melded:
            yield MeldViolation("rank-not-meldable", f"{deck.plural(rank).capitalize()} never form a meld.")


def _wild_violations(roles: _CardsByRole, rules: RuleSet) -> Iterator[MeldViolation]:
    naturals, wilds, needs = len(roles.naturals), len(roles.wilds), rules.melds
    if not wilds:
        return
    if not naturals and rules.books.wild is not None:
        return
    if not naturals:
        yield MeldViolation("wild-book-not-allowed", "Wilds alone form no meld and no book under these rules.")
    if naturals < needs.least_naturals:
        message = f"A meld needs at least {needs.least_naturals} naturals, this one has {naturals}."
        yield MeldViolation("too-few-naturals", message)
    allowed = needs.wilds_allowed(naturals)
    if naturals and wilds > allowed:
        message = f"With {naturals} naturals at most {allowed} wilds may lie, here are {wilds}."
        yield MeldViolation("too-many-wilds", message)


def _cap_violations(roles: _CardsByRole, rules: RuleSet) -> Iterator[MeldViolation]:
    if rules.cap is None or not roles.caps:
        return
    name = load_deck(rules.deck).plural(roles.caps[0].rank).capitalize()
    if roles.size < rules.book_size or roles.kind not in rules.cap.books:
        books = " and ".join(rules.cap.books)
        yield MeldViolation(
            "cap-not-allowed", f"{name} cap {books} books of {rules.book_size} or more cards, and no other."
        )
    if len(roles.caps) > rules.cap.most:
        yield MeldViolation(
            "cap-not-allowed", f"{name} on one book: {rules.cap.most} at most, here are {len(roles.caps)}."
        )
