"""Scores a side that people counted themselves: books by kind, points of cards, or the total alone.

Points that were typed count as they are, whatever the rules, but for cards left with a partner where those are free;
books, caps and laid cards count by the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorer.faces import Face
from scorer.rules.book_parts import Book, WildBook
from scorer.rules.rule_set import RuleSet
from scorer.scoring.melds import MeldCheck
from scorer.scoring.tally import Line, Violation
from scorer.sheets import SideSheet, TypedBooks, TypedSide

_ORDINARY = Face("")
"""A card of a wild book of which nobody said what it holds."""


@dataclass(frozen=True, slots=True)
class BookKind:
    """Books that the rules value alike and that are counted together.

    Attributes:
        key: tells the kind from the others of the same rules: ``clean``, ``dirty-7``.
        name: what such books are called, ``clean books of 7s``.
        points: the bonus for one.
        books: one such book.
    """

    key: str
    name: str
    points: int
    books: TypedBooks


def book_kinds(rules: RuleSet) -> tuple[BookKind, ...]:
    """Every kind of book that has to be counted apart under these rules, those told most closely first.

    Books of a rank are apart where the rank has its own value or is needed to go out, large books where their size has
    its own value, and wild books by what they hold where that has.
    """
    wanted = [*_runs(rules), *_of_ranks(rules), *_of_sizes(rules), *_ordinary(rules)]
    apart = {told.book for told in wanted if told.rank or told.cards or told.wilds or told.run}
    kinds: dict[str, BookKind] = {}
    for told in wanted:
        is_rest = not (told.rank or told.cards or told.wilds or told.run) and told.book in apart
        name = f"other {_name(told, rules)}" if is_rest else _name(told, rules)
        parts = (told.book, "run" if told.run else None, told.rank, told.cards or None, *told.wilds)
        key = "-".join(str(part) for part in parts if part)
        kinds.setdefault(key, BookKind(key, name, _bonus(told, rules), told))
    return tuple(kinds.values())


def unfinished_kinds(rules: RuleSet) -> tuple[BookKind, ...]:
    """Every kind of meld for which these rules give a penalty if it is no book; ``points`` is below 0."""
    kinds: dict[str, BookKind] = {}
    for penalty in rules.books.unfinished:
        book: Book = "clean" if penalty.kind == "any" else penalty.kind
        for rank in penalty.ranks or (None,):
            told = TypedBooks(book=book, count=1, rank=rank)
            of_rank = f" of {rules.all_decks[0].plural(rank)}" if rank else ""
            kind = "" if penalty.kind == "any" else f"{penalty.kind} "
            key = f"{penalty.kind}-{rank}" if rank else penalty.kind
            kinds.setdefault(key, BookKind(key, f"{kind}melds{of_rank} without a book", _penalty(told, rules), told))
    return tuple(kinds.values())


def _penalty(told: TypedBooks, rules: RuleSet) -> int:
    """The penalty for one such meld that is no book."""
    return sum(penalty.points for penalty in rules.books.unfinished if penalty.fits(told.book, told.rank))


def _runs(rules: RuleSet) -> Iterator[TypedBooks]:
    """Runs of one suit that are books, where the rules have such."""
    if rules.runs:
        yield TypedBooks(book="clean", count=1, run=True)
        if rules.runs.most_wilds:
            yield TypedBooks(book="dirty", count=1, run=True)


def _of_ranks(rules: RuleSet) -> Iterator[TypedBooks]:
    """Books of ranks with a value of their own, or that going out needs."""
    needs = [*rules.going_out.books, *([rules.laid_if] if rules.laid_if else [])]
    needed = {rank for one in needs for rank in one.of_ranks}
    valued = {(rank, "clean") for entry in rules.books.of_ranks if entry.clean is not None for rank in entry.ranks}
    valued |= {(rank, "dirty") for entry in rules.books.of_ranks if entry.dirty is not None for rank in entry.ranks}
    kinds: tuple[Book, ...] = ("clean", "dirty")
    for rank in rules.all_decks[0].ranks:
        for book in kinds:
            if rank in needed or (rank, book) in valued:
                yield TypedBooks(book=book, count=1, rank=rank)


def _of_sizes(rules: RuleSet) -> Iterator[TypedBooks]:
    """Large books with a value of their own, the largest first."""
    for size in reversed(rules.books.of_sizes):
        values: dict[Book, int | None] = {"clean": size.clean, "dirty": size.dirty, "wild": size.wild}
        for book, value in values.items():
            if value is not None and (book != "wild" or rules.books.wild is not None):
                yield TypedBooks(book=book, count=1, cards=size.from_cards)


def _ordinary(rules: RuleSet) -> Iterator[TypedBooks]:
    """All other books: clean, dirty, and wild ones where the rules have them."""
    yield TypedBooks(book="clean", count=1)
    if rules.wild_ranks:
        yield TypedBooks(book="dirty", count=1)
    if rules.books.wild is not None:
        for held in rules.books.of_wilds:
            yield TypedBooks(book="wild", count=1, wilds=_example(held, rules))
        yield TypedBooks(book="wild", count=1)


def _example(held: WildBook, rules: RuleSet) -> tuple[Face, ...]:
    """Wilds as a wild book of a kind may hold them."""
    faces = rules.all_decks[0].faces
    meant = [face for face in faces if face.rank in held.ranks]
    others = [face for face in faces if face.rank in rules.wild_ranks and face.rank not in held.ranks] or meant
    least = rules.book_size if held.least is None else held.least
    rest = max(0, rules.book_size - least)
    return (*_turns(meant, least), *_turns(others, rest))


def _turns(faces: list[Face], count: int) -> tuple[Face, ...]:
    return tuple(faces[turn % len(faces)] for turn in range(count)) if faces else ()


def _name(told: TypedBooks, rules: RuleSet) -> str:
    deck = rules.all_decks[0]
    name = f"{told.book} books"
    if told.run:
        name += " that are runs"
    if told.rank:
        name += f" of {deck.plural(told.rank)}"
    if told.cards:
        name += f" of {told.cards} or more cards"
    if told.wilds:
        held = next((held for held in rules.books.of_wilds if held.fits(told.wilds)), None)
        ranks = " and ".join(deck.plural(rank) for rank in (held.ranks if held else {face.rank for face in told.wilds}))
        name += f" of {ranks} alone" if held is None or held.least is None else f" with {held.least} {ranks} or more"
    return name


def _bonus(told: TypedBooks, rules: RuleSet) -> int:
    """The bonus for one such book by the rules."""
    if told.run:
        return rules.runs.bonus(told.book) if rules.runs else 0
    size = max(told.cards, rules.book_size)
    cards = told.wilds or (_ORDINARY,)
    return rules.books.bonus(told.book, told.rank, (*cards, *(cards[-1],) * (size - len(cards))))


def typed_checks(typed: TypedSide, rules: RuleSet) -> tuple[MeldCheck, ...]:
    """The books and melds of a side that people counted, as far as they are known; without cards."""
    checks = [
        MeldCheck((), (), frozenset(), _name(told, rules), told.rank, told.book, told.book, (), told.run)
        for told in typed.books
        for _ in range(told.count)
    ]
    melds = [told for told in typed.unfinished for _ in range(told.count)]
    checks += [MeldCheck((), (), frozenset(), "meld", told.rank, told.book, None, ()) for told in melds]
    if typed.cards and not checks:
        checks.append(MeldCheck((), (), frozenset(), "meld", None, "clean", None, ()))
    return tuple(checks)


def typed_lines(typed: TypedSide, rules: RuleSet, went_out: bool) -> Iterator[Line]:
    """Yields the lines of typed counts and points, each of which says that it was typed; laid cards have their own.

    ``went_out``: whether the side did, which under some rules pays nothing for cards that its partners have left.
    """
    if typed.total is not None:
        yield Line("total of the round, typed", typed.total, where="typed.total")
        return
    for i, told in enumerate(typed.books):
        points = _bonus(told, rules)
        reason = f"{_name(told, rules)}, typed: {told.count} × {points}"
        yield Line(reason, told.count * points, where=f"typed.books[{i}]")
    for i, told in enumerate(typed.unfinished):
        if points := _penalty(told, rules):
            of_rank = f" of {rules.all_decks[0].plural(told.rank)}" if told.rank else ""
            reason = f"{told.book} melds{of_rank} without a book, typed: {told.count} × {points}"
            yield Line(reason, told.count * points, where=f"typed.unfinished[{i}]")
    if typed.caps:
        points = rules.cap.points if rules.cap else 0
        counted = min(typed.caps, _most_caps(typed, rules))
        yield Line(f"caps, typed: {counted} × {points}", counted * points, where="typed.caps")
    if typed.cards:
        yield Line("cards on the table, typed", typed.cards, where="typed.cards")
    if typed.left and went_out and rules.going_out.partners_free:
        yield Line("left with a partner, typed: free", 0, where="typed.left")
    elif typed.left:
        yield Line("left in hand and foot, typed", typed.left, where="typed.left")


def _capped_books(typed: TypedSide, rules: RuleSet) -> int:
    """How many of the typed books may have caps."""
    return sum(told.count for told in typed.books if rules.cap is not None and told.book in rules.cap.books)


def _most_caps(typed: TypedSide, rules: RuleSet) -> int:
    """How many caps the typed books may have; those too many count for nothing, as with cards."""
    return _capped_books(typed, rules) * rules.cap.most if rules.cap is not None else 0


def typed_violations(side: SideSheet, rules: RuleSet) -> tuple[Violation, ...]:
    """The rules that typed counts break: wild books, caps or dirty books that these rules do not have."""
    typed = side.typed
    if typed is None:
        return ()
    found = []
    if rules.books.wild is None and any(told.book == "wild" for told in typed.books):
        found.append(Violation("wild-book-not-allowed", "typed.books", "These rules don’t have books of only wilds."))
    if typed.caps and rules.cap is None:
        found.append(Violation("cap-not-allowed", "typed.caps", "These rules don’t have cards that cap a book."))
    elif rules.cap is not None:
        books = _capped_books(typed, rules)
        if typed.caps > _most_caps(typed, rules):
            message = f"{books} of these books can have {rules.cap.most} cap each, but {typed.caps} caps are typed."
            found.append(Violation("cap-not-allowed", "typed.caps", message))
    return tuple(found)
