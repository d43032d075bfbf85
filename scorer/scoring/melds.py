"""Checks one meld against a rule set: which kind of book it is and which rules it breaks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from scorer.deck import spoken
from scorer.faces import SUIT_NAMES, Face, wilds_in_run
from scorer.rules.book_parts import Book, MadeBook
from scorer.rules.rule_set import RuleSet
from scorer.scoring.tally import Code
from scorer.sheets import Meld, Pile


@dataclass(frozen=True, slots=True)
class MeldViolation:
    """A rule that a meld breaks: its code and one sentence for the players.

    ``breaks``: whether the meld is broken, so that it is no book; a cap too many is at fault by itself.
    """

    code: Code
    message: str
    breaks: bool = True


@dataclass(frozen=True, slots=True)
class MeldCheck:
    """The result of checking a meld.

    Attributes:
        cards: all cards of the meld.
        caps: those of them that cap it, up to the number that may.
        foreign: its faces that are of another deck and worth nothing.
        name: what the meld is called in the tally, such as ``clean book of 8s``.
        rank: the rank of its naturals; None if there are none or several ranks, and for a run.
        kind: the kind of book that it is or would become.
        book: the kind of book it counts as; None if it is too small or broken.
        violations: the rules it breaks.
        is_run: whether it is a run, of one suit in a row.
    """

    cards: tuple[Face, ...]
    caps: tuple[Face, ...]
    foreign: frozenset[Face]
    name: str
    rank: str | None
    kind: Book
    book: Book | None
    violations: tuple[MeldViolation, ...]
    is_run: bool = False

    @property
    def made(self) -> MadeBook | None:
        """The book that it is; None if it is none."""
        return MadeBook(self.book, self.rank, self.is_run) if self.book else None

    @property
    def broken(self) -> bool:
        """Whether the meld breaks a rule that makes it no meld; then it counts its cards alone."""
        return any(violation.breaks for violation in self.violations)


def cards_of(meld: Meld) -> tuple[Face, ...]:
    """Returns the cards of a meld, as if it were spread.

    Cards that a squared pile only counts become faces of its rank without a suit.
    """
    if not isinstance(meld, Pile):
        return meld
    counted = (Face(meld.rank),) * meld.naturals if meld.rank is not None else ()
    return (*meld.wilds, *counted, *meld.caps, *meld.others)


def foreign_faces(cards: Iterable[Face], rules: RuleSet, pile_rank: str | None = None) -> frozenset[Face]:
    """Returns the faces that the deck does not have. Cards that a squared pile counts only need a rank of the deck."""
    deck = rules.cards
    counted = Face(pile_rank) if pile_rank is not None and pile_rank in deck.ranks else None
    return frozenset(card for card in cards if card not in deck.copies and card != counted)


def check_meld(meld: Meld, rules: RuleSet, going_out: bool = False) -> MeldCheck:
    """Checks a meld against a rule set. An invalid meld does not count as a book.

    Args:
        meld: the meld.
        rules: the rule set.
        going_out: whether its side goes out, which some rules require for some cards.

    >>> from scorer.rules import load_rules
    >>> cards = [Face.parse(text) for text in ("4H", "4S", "4D", "4C", "4H", "2S", "JK")]
    >>> check = check_meld(tuple(cards), load_rules("golden-games"))
    >>> check.name, check.book
    ('dirty book of 4s', 'dirty')
    """
    cards = cards_of(meld)
    foreign = foreign_faces(cards, rules, meld.rank if isinstance(meld, Pile) else None)
    caps = tuple(card for card in cards if rules.is_cap(card)) if rules.cap else ()
    if len(caps) == len(cards):  # caps alone have no book to cap
        caps = ()
    wilds = tuple(card for card in cards if rules.is_wild(card))
    naturals = tuple(card for card in cards if not rules.is_wild(card) and card not in caps)
    roles = _CardsByRole(naturals, wilds, caps, tuple(dict.fromkeys([rules.called(card).rank for card in naturals])))
    of_rank = (*_card_violations(roles, rules, going_out), *_wild_violations(roles, rules))
    run = _as_run(roles, rules) if rules.runs and any(violation.breaks for violation in of_rank) else None
    roles = run or roles
    violations = (
        *_deck_violations(cards, foreign),
        *(of_rank if run is None else _run_violations(run, rules)),
        *_cap_violations(roles, rules),
    )
    finished = roles.size >= rules.book_size
    broken = any(violation.breaks for violation in violations)
    rank = roles.ranks[0] if len(roles.ranks) == 1 and not roles.suit else None
    name = "invalid meld" if broken else _name(roles, finished)
    if rank is not None:
        name += f" of {rules.cards.plural(rank)}"
    counted_caps = caps[: rules.cap.most] if rules.cap else ()
    book = roles.kind if finished and not broken else None
    return MeldCheck(cards, counted_caps, foreign, name, rank, roles.kind, book, violations, bool(roles.suit))


@dataclass(frozen=True, slots=True)
class _CardsByRole:
    """Cards of a meld by their role, and the distinct ranks of its naturals; of a run also the name of its suit.

    In a run, a card of a wild rank that stands for itself is a natural.
    """

    naturals: tuple[Face, ...]
    wilds: tuple[Face, ...]
    caps: tuple[Face, ...]
    ranks: tuple[str, ...]
    suit: str = ""

    @property
    def size(self) -> int:
        """The number of cards without caps."""
        return len(self.naturals) + len(self.wilds)

    @property
    def kind(self) -> Book:
        """The kind of book that these cards make, once there are enough."""
        return "wild" if not self.naturals else "dirty" if self.wilds else "clean"


def _name(roles: _CardsByRole, finished: bool) -> str:
    """What a legal meld is called, without its rank."""
    if roles.suit:
        return f"{roles.kind} book of {roles.suit}" if finished else f"run of {roles.suit}"
    if finished:
        return f"{roles.kind} book"
    return "meld of wilds" if roles.kind == "wild" else "meld"


def _as_run(roles: _CardsByRole, rules: RuleSet) -> _CardsByRole | None:
    """The cards as a run, if they are one; with naturals of one rank alone, only where a run may have so many wilds."""
    if rules.runs is None:
        return None
    cards = [rules.called(card) for card in (*roles.naturals, *roles.wilds)]
    wilds = wilds_in_run(cards, rules.runs.ranks, rules.is_wild)
    if wilds is None or (len(roles.ranks) == 1 and wilds > rules.runs.most_wilds):
        return None
    # The wilds that stand for others are as many, whichever they are.
    standing, rest = roles.wilds[len(roles.wilds) - wilds :], roles.wilds[: len(roles.wilds) - wilds]
    return replace(roles, naturals=(*roles.naturals, *rest), wilds=standing, suit=SUIT_NAMES[cards[0].suit])


def _run_violations(run: _CardsByRole, rules: RuleSet) -> Iterator[MeldViolation]:
    needs = rules.runs
    if needs is None:
        return
    if run.size < needs.least_cards:
        yield MeldViolation(
            "meld-too-small", f"A run needs at least {needs.least_cards} cards. This one has {run.size}."
        )
    if needs.most_cards is not None and run.size > needs.most_cards:
        message = f"A run can have at most {needs.most_cards} cards. This one has {run.size}."
        yield MeldViolation("meld-too-large", message)
    if len(run.wilds) > needs.most_wilds:
        message = f"A run can have {_limit(needs.most_wilds)}. This one has {len(run.wilds)}."
        yield MeldViolation("too-many-wilds", message)


def _deck_violations(cards: tuple[Face, ...], foreign: frozenset[Face]) -> Iterator[MeldViolation]:
    if not_in_deck := [spoken(card) for card in cards if card in foreign]:
        yield MeldViolation("not-in-deck", f"The deck for these rules has no {', '.join(dict.fromkeys(not_in_deck))}.")


def _card_violations(roles: _CardsByRole, rules: RuleSet, going_out: bool) -> Iterator[MeldViolation]:
    needs = rules.melds
    if roles.size < needs.least_cards:
        yield MeldViolation(
            "meld-too-small", f"A meld needs at least {needs.least_cards} cards. This one has {roles.size}."
        )
    most = needs.most_with(len(roles.wilds))
    if most is not None and roles.size > most:
        yield MeldViolation(
            "meld-too-large", f"A meld like this can have at most {most} cards. This one has {roles.size}."
        )
    if len(roles.ranks) > 1:
        only = "one rank, or a run of one suit" if rules.runs else "only one rank"
        yield MeldViolation("mixed-ranks", f"A meld can hold {only}. This one has {_ranks_text(roles, rules)}.")
    yield from _unmeldable_violations(roles, rules, going_out)


def _unmeldable_violations(roles: _CardsByRole, rules: RuleSet, going_out: bool) -> Iterator[MeldViolation]:
    """Cards that are never melded, and those that only the side that goes out melds, without wilds."""
    deck = rules.cards
    never, for_going_out = [], []
    for face in dict.fromkeys(roles.naturals):
        if rules.is_never_melded(face):
            never.append(rules.label(face) if face.rank in rules.meldable_ranks else deck.plural(face.rank))
        elif rules.is_melded_going_out(face):
            for_going_out.append(rules.label(face))
    for name in dict.fromkeys(never):
        yield MeldViolation("rank-not-meldable", f"{name.capitalize()} can’t be melded.")
    for name in dict.fromkeys(for_going_out):
        if not going_out:
            yield MeldViolation(
                "rank-not-meldable", f"{name.capitalize()} can be melded only by the side that goes out."
            )
        if roles.wilds:
            message = (
                f"{name.capitalize()} can’t be melded with wilds. This meld has {_counted(len(roles.wilds), 'wild')}."
            )
            yield MeldViolation("too-many-wilds", message)


def _wild_violations(roles: _CardsByRole, rules: RuleSet) -> Iterator[MeldViolation]:
    naturals, wilds, needs = len(roles.naturals), len(roles.wilds), rules.melds
    if not wilds:
        return
    if not naturals and rules.books.wild is not None:
        return
    if not naturals:
        yield MeldViolation("wild-book-not-allowed", "These rules don’t allow a meld of only wilds.")
    if naturals < needs.least_naturals:
        message = f"A meld needs at least {needs.least_naturals} naturals. This one has {naturals}."
        yield MeldViolation("too-few-naturals", message)
    rank = roles.ranks[0] if len(roles.ranks) == 1 else None
    allowed = needs.wilds_allowed(naturals, rank)
    if naturals and wilds > allowed:
        if wilds <= needs.wilds_allowed(naturals):
            plural = rules.cards.plural(rank or "")
            message = f"A meld of {plural} can have {_limit(allowed)}. This one has {wilds}."
        else:
            message = f"With {_counted(naturals, 'natural')}, a meld can have {_limit(allowed)}. This one has {wilds}."
        yield MeldViolation("too-many-wilds", message)


def _ranks_text(roles: _CardsByRole, rules: RuleSet) -> str:
    """The naturals of several ranks in words: ``10s and a 9``."""
    deck, counts = rules.cards, Counter(rules.called(card).rank for card in roles.naturals)
    parts = []
    for rank in roles.ranks:
        one = spoken(Face(rank))
        article = "an" if one.startswith(("8", "a")) else "a"
        several = deck.plural(rank) if rank in deck.ranks else re.sub("y$", "ie", one) + "s"
        parts.append(several if counts[rank] > 1 else f"{article} {one}")
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def _limit(wilds: int) -> str:
    return f"at most {_counted(wilds, 'wild')}" if wilds else "no wilds"


def _counted(number: int, one: str) -> str:
    return f"{number} {one}{'' if number == 1 else 's'}"


def _cap_violations(roles: _CardsByRole, rules: RuleSet) -> Iterator[MeldViolation]:
    if rules.cap is None or not roles.caps:
        return
    name = rules.cards.plural(roles.caps[0].rank).capitalize()
    if roles.size < rules.book_size or roles.kind not in rules.cap.books:
        books = " and ".join(rules.cap.books)
        yield MeldViolation("cap-not-allowed", f"{name} can cap only {books} books of {rules.book_size} or more cards.")
    elif len(roles.caps) > rules.cap.most:
        message = f"A book can have at most {_counted(rules.cap.most, 'cap')}. This one has {len(roles.caps)}."
        yield MeldViolation("cap-not-allowed", message, breaks=False)
