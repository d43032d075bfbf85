"""Rule-set sections about books and going out. ``describe`` prints the description of each field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Literal, NamedTuple

from pydantic import Field, StrictBool, model_validator

from scorer.data import Frozen, Whole
from scorer.faces import Face

Book = Literal["clean", "dirty", "wild"]
Otherwise = Literal["against", "nothing"]
"""How cards count that lack what they need: against the side, or not at all."""


class RankBook(Frozen):
    """Bonus values for books of particular ranks."""

    ranks: tuple[str, ...] = Field(min_length=1, description="which ranks")
    clean: Whole | None = Field(default=None, ge=0, description="clean book of them")
    dirty: Whole | None = Field(default=None, ge=0, description="dirty book of them")

    @model_validator(mode="after")
    def _has_a_value(self) -> RankBook:
        if self.clean is None and self.dirty is None:
            raise ValueError("expected clean, dirty or both, got neither")
        return self

    def __str__(self) -> str:
        values = {"clean": self.clean, "dirty": self.dirty}
        listed = ", ".join(f"{kind} {points}" for kind, points in values.items() if points is not None)
        return f"{', '.join(self.ranks)}: {listed}"


class SizedBook(Frozen):
    """Bonus values for large books."""

    from_cards: Whole = Field(ge=1, description="with this many cards or more")
    clean: Whole | None = Field(default=None, ge=0, description="clean book")
    dirty: Whole | None = Field(default=None, ge=0, description="dirty book")
    wild: Whole | None = Field(default=None, ge=0, description="wild book")

    @model_validator(mode="after")
    def _has_a_value(self) -> SizedBook:
        if self.clean is None and self.dirty is None and self.wild is None:
            raise ValueError("expected clean, dirty or wild, got none of them")
        return self

    def __str__(self) -> str:
        values = {"clean": self.clean, "dirty": self.dirty, "wild": self.wild}
        listed = ", ".join(f"{kind} {points}" for kind, points in values.items() if points is not None)
        return f"{self.from_cards} or more cards: {listed}"


class WildBook(Frozen):
    """The bonus for a wild book by the wilds in it: so many of some ranks at least, or those alone."""

    ranks: tuple[str, ...] = Field(min_length=1, description="wild cards of these ranks")
    least: Whole | None = Field(default=None, ge=1, description="this many of them or more (empty for all of them)")
    points: Whole = Field(ge=0, description="points for the book")

    def fits(self, cards: Sequence[Face]) -> bool:
        """Whether a wild book of these cards is of this kind."""
        count = sum(card.rank in self.ranks for card in cards)
        return count == len(cards) if self.least is None else count >= self.least

    def __str__(self) -> str:
        ranks = ", ".join(self.ranks)
        return f"{ranks} alone: {self.points}" if self.least is None else f"{self.least} of {ranks}: {self.points}"


class Unfinished(Frozen):
    """A penalty for a meld that has not become a book by the end of the round."""

    ranks: tuple[str, ...] = Field(default=(), description="melds of these ranks (empty for any)")
    kind: Literal["any", "clean", "dirty", "wild"] = Field(default="any", description="which kind of meld")
    points: Whole = Field(le=0, description="points for each, with a minus sign")

    def fits(self, kind: Book, rank: str | None) -> bool:
        """Whether a meld of a kind and rank (None for wilds) is meant."""
        return self.kind in ("any", kind) and (not self.ranks or rank in self.ranks)

    def __str__(self) -> str:
        kind = "" if self.kind == "any" else f"{self.kind} "
        return f"{kind}meld{' of ' + ', '.join(self.ranks) if self.ranks else ''} without a book: {self.points}"


class BookPoints(Frozen):
    """Bonus for a book, in addition to the points of its cards."""

    clean: Whole = Field(ge=0, description="clean book (no wild cards)")
    dirty: Whole = Field(ge=0, description="dirty book (with wild cards)")
    wild: Whole | None = Field(default=None, ge=0, description="wild book (all wild cards)")
    of_ranks: tuple[RankBook, ...] = Field(default=(), description="books of some ranks with a value of their own")
    of_sizes: tuple[SizedBook, ...] = Field(
        default=(), description="large books with a value of their own; the last row that fits counts"
    )
    of_wilds: tuple[WildBook, ...] = Field(
        default=(), description="wild books by their cards, with a value of their own; the first row that fits counts"
    )
    unfinished: tuple[Unfinished, ...] = Field(
        default=(), description="penalties for melds that are no book at the end"
    )

    def bonus(self, book: Book, rank: str | None = None, cards: Sequence[Face] = ()) -> int:
        """The bonus for a book; 0 if these rules have no such book.

        Args:
            book: its kind.
            rank: the rank of its naturals, None for a wild book.
            cards: its cards without caps.
        """
        for entry in self.of_ranks:
            rank_bonus = {"clean": entry.clean, "dirty": entry.dirty}.get(book)
            if rank_bonus is not None and rank in entry.ranks:
                return rank_bonus
        if book == "wild":
            for wilds in self.of_wilds:
                if wilds.fits(cards):
                    return wilds.points
        for size in reversed(self.of_sizes):
            size_bonus = {"clean": size.clean, "dirty": size.dirty, "wild": size.wild}[book]
            if size_bonus is not None and len(cards) >= size.from_cards:
                return size_bonus
        return {"clean": self.clean, "dirty": self.dirty, "wild": self.wild or 0}[book]


class MadeBook(NamedTuple):
    """A book that a side has made: its kind, the rank of its naturals (None for wilds and runs), and if it is a run."""

    book: Book
    rank: str | None = None
    is_run: bool = False


class BookCounts(Frozen):
    """Numbers of books of each kind, and ranks of which there is a book."""

    clean: Whole = Field(default=0, ge=0, description="clean books")
    dirty: Whole = Field(default=0, ge=0, description="dirty books")
    wild: Whole = Field(default=0, ge=0, description="wild books")
    runs: Whole = Field(default=0, ge=0, description="books that are runs")
    all: Whole = Field(default=0, ge=0, description="books in all, of any kind")
    of_ranks: tuple[str, ...] = Field(default=(), description="a book of each of these ranks")
    apart: StrictBool = Field(default=False, description="those books come on top of the others")

    def missing(self, made: Sequence[MadeBook]) -> bool:
        """Whether a side that made these books does not have enough."""
        have = Counter(one.book for one in made)
        if sum(one.is_run for one in made) < self.runs:
            return True
        by_rank = [{one.book for one in made if one.rank == rank} for rank in self.of_ranks]
        if not self.apart:
            return not all(by_rank) or self._too_few(have)
        # One book of each rank is set aside; which kind is left to the side.
        chosen = (Counter(kinds) for kinds in product(*by_rank))
        return all(
            self._too_few({kind: count - aside.get(kind, 0) for kind, count in have.items()}) for aside in chosen
        )

    def _too_few(self, have: Mapping[Book, int]) -> bool:
        return (
            have.get("clean", 0) < self.clean
            or have.get("dirty", 0) < self.dirty
            or have.get("wild", 0) < self.wild
            or sum(have.values()) < self.all
        )

    @property
    def has_needs(self) -> bool:
        """Whether any book is needed at all."""
        return bool(self.clean or self.dirty or self.wild or self.runs or self.all or self.of_ranks)

    @property
    def needs(self) -> str:
        """The requirement as text: ``2 clean and 3 dirty books``, ``1 book of any kind``."""
        kinds = (("clean", self.clean), ("dirty", self.dirty), ("wild", self.wild))
        named = [f"{count} {kind}" for kind, count in kinds if count]
        several = [count for _, count in kinds if count][-1:] > [1]
        texts = [f"{' and '.join(', '.join(named).rsplit(', ', 1))} book{'s' if several else ''}"] if named else []
        if self.runs:
            texts.append("1 book that is a run" if self.runs == 1 else f"{self.runs} books that are runs")
        if self.all:
            texts.append(f"{self.all} book{'s' if self.all > 1 else ''} of any kind")
        counted = ", altogether ".join(texts)
        ranks = " and ".join(f"a book of rank {rank}" for rank in self.of_ranks)
        if not (counted and ranks):
            return counted or ranks or "no books"
        return f"{ranks}, and {'beside those ' if self.apart else ''}{counted}"


class BooksNeeded(BookCounts):
    """The books that a side needs before it may go out."""

    from_players: Whole = Field(default=1, ge=1, description="with this many players or more")
    from_round: Whole = Field(default=1, ge=1, description="from this round on")

    def __str__(self) -> str:
        conditions = [f"with {self.from_players} or more players"] if self.from_players > 1 else []
        conditions += [f"from round {self.from_round}"] if self.from_round > 1 else []
        return f"{' '.join(conditions)}: {self.needs}" if conditions else self.needs


class GoingOut(Frozen):
    """Going out: its points and its requirements."""

    points: Whole = Field(description="points for going out")
    by_round: tuple[Whole, ...] = Field(
        default=(), description="points round by round, if different; the last one stays"
    )
    books: tuple[BooksNeeded, ...] = Field(min_length=1, description="books needed; the last row that fits counts")
    laid_for_books: StrictBool = Field(
        default=False, description="going out needs as many cards laid out, such as red 3s, as the side has books"
    )
    partners_free: StrictBool = Field(
        default=False,
        description="the side that goes out pays nothing for the cards left in its partners' hands and feet",
    )
    also: tuple[str, ...] = Field(default=(), description="also needed to go out")
    also_partners: tuple[str, ...] = Field(default=(), description="also needed if you have a partner")

    def points_in(self, round: int) -> int:
        """The points for going out in a round (from 1)."""
        return self.by_round[min(round, len(self.by_round)) - 1] if self.by_round else self.points

    def books_for(self, players: int, round: int) -> BooksNeeded:
        """The books needed for a number of players in a round (from 1)."""
        matching = (need for need in self.books if need.from_players <= players and need.from_round <= round)
        return list(matching)[-1]

    def also_for(self, players: int) -> tuple[str, ...]:
        """What else going out needs of a side with a number of players."""
        laid = ("as many cards laid out as the side has books",) if self.laid_for_books else ()
        return (*laid, *(self.also_partners if players > 1 else ()), *self.also)

    @model_validator(mode="after")
    def _has_a_general_entry(self) -> GoingOut:
        first = self.books[0]
        if (first.from_players, first.from_round) != (1, 1):
            raise ValueError("books: expected a first entry without from_players and from_round, for all others")
        return self
