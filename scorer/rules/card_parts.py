"""The parts of a rule set about cards, melds and books. Each field's description is what ``describe`` prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import Field, StrictBool, StrictInt, model_validator

from scorer.data import Frozen
from scorer.faces import Face

Book = Literal["clean", "dirty", "wild"]


def matches(name: str, face: Face) -> bool:
    """Whether a name in a rule set means that face: a rank, ``red`` or ``black`` and a rank, or the face itself."""
    colour, _, rank = name.rpartition(" ")
    if not colour:
        return rank in (face.rank, str(face))
    return face.rank == rank and face.suit != "" and colour == ("red" if face.is_red else "black")


def is_one_of(face: Face, names: Iterable[str]) -> bool:
    """Whether one of a rule set's names means that face."""
    return any(matches(name, face) for name in names)


class CardPoints(Frozen):
    """What cards are worth on the table, and what they count when left in a hand or foot."""

    cards: tuple[str, ...] = Field(min_length=1, description="which cards")
    played: StrictInt = Field(description="each on the table")
    left: StrictInt = Field(le=0, description="each left in a hand or foot, below 0")

    def __str__(self) -> str:
        return f"{', '.join(self.cards)}: {self.played} on the table, {self.left} left in a hand or foot"


class MeldNeeds(Frozen):
    """What makes cards of one rank, with wilds, a legal meld."""

    least_cards: StrictInt = Field(default=3, ge=1, description="fewest cards")
    most_cards: StrictInt | None = Field(default=None, ge=1, description="most cards")
    most_cards_with_wilds: StrictInt | None = Field(default=None, ge=1, description="most cards, if there is a wild")
    least_naturals: StrictInt = Field(default=2, ge=1, description="fewest naturals, unless all are wild")
    naturals_per_wild: StrictInt = Field(default=1, ge=1, description="naturals that each wild needs")
    naturals_more: StrictInt = Field(default=0, ge=0, description="naturals needed beyond those, if there is a wild")
    most_wilds: StrictInt = Field(ge=0, description="most wilds, in a finished book too")
    one_a_rank: StrictBool = Field(default=False, description="a side has one meld of a rank at most")

    def most_with(self, wilds: int) -> int | None:
        """The most cards of a meld with so many wilds; None for no limit."""
        limits = (self.most_cards, self.most_cards_with_wilds if wilds else None)
        return min((limit for limit in limits if limit is not None), default=None)

    def wilds_allowed(self, naturals: int) -> int:
        """The most wilds that may lie with so many naturals."""
        return max(0, min(self.most_wilds, (naturals - self.naturals_more) // self.naturals_per_wild))


class RankBook(Frozen):
    """Books of some ranks that have a value of their own."""

    ranks: tuple[str, ...] = Field(min_length=1, description="which ranks")
    clean: StrictInt | None = Field(default=None, ge=0, description="clean book of them")
    dirty: StrictInt | None = Field(default=None, ge=0, description="dirty book of them")

    @model_validator(mode="after")
    def _has_a_value(self) -> RankBook:
        if self.clean is None and self.dirty is None:
            raise ValueError("expected clean, dirty or both, got neither")
        return self

    def __str__(self) -> str:
        values = {"clean": self.clean, "dirty": self.dirty}
        told = ", ".join(f"{kind} {points}" for kind, points in values.items() if points is not None)
        return f"{', '.join(self.ranks)}: {told}"


class BookPoints(Frozen):
    """Points for a book, apart from its cards."""

    clean: StrictInt = Field(ge=0, description="clean book, no wilds")
    dirty: StrictInt = Field(ge=0, description="dirty book, naturals and wilds")
    wild: StrictInt | None = Field(default=None, ge=0, description="wild book, wilds alone")
    of_ranks: tuple[RankBook, ...] = Field(default=(), description="books of some ranks, in place of the above")

    def bonus(self, book: Book, rank: str | None = None) -> int:
        """Points for a book of a kind, of a rank (None where all are wild); 0 where these rules have none."""
        for entry in self.of_ranks:
            own = {"clean": entry.clean, "dirty": entry.dirty}.get(book)
            if own is not None and rank in entry.ranks:
                return own
        return {"clean": self.clean, "dirty": self.dirty, "wild": self.wild or 0}[book]


class Cap(Frozen):
    """A card put on a finished book for points; it is no part of the book."""

    cards: tuple[str, ...] = Field(min_length=1, description="which cards cap")
    points: StrictInt = Field(description="points for each cap")
    books: tuple[Book, ...] = Field(min_length=1, description="books that may be capped")
    most: StrictInt = Field(default=1, ge=1, description="most caps on one book")


class BooksNeeded(Frozen):
    """The books that a side needs before it goes out."""

    from_players: StrictInt = Field(default=1, ge=1, description="with so many players or more")
    from_round: StrictInt = Field(default=1, ge=1, description="from this round on")
    clean: StrictInt = Field(default=0, ge=0, description="clean books")
    dirty: StrictInt = Field(default=0, ge=0, description="dirty books")
    wild: StrictInt = Field(default=0, ge=0, description="wild books")
    all: StrictInt = Field(default=0, ge=0, description="books of any kind, those among them")

    def missing(self, have: Mapping[Book, int]) -> bool:
        """Whether books of which a side has so many of each kind are too few."""
        return (
            have.get("clean", 0) < self.clean
            or have.get("dirty", 0) < self.dirty
            or have.get("wild", 0) < self.wild
            or sum(have.values()) < self.all
        )

    @property
    def needs(self) -> str:
        """In words: ``2 clean and 3 dirty books``, ``1 book of any kind``."""
        kinds = (("clean", self.clean), ("dirty", self.dirty), ("wild", self.wild))
        named = [f"{count} {kind}" for kind, count in kinds if count]
        several = len(named) > 1 or self.clean + self.dirty + self.wild > 1
        told = [f"{' and '.join(', '.join(named).rsplit(', ', 1))} book{'s' if several else ''}"] if named else []
        if self.all:
            told.append(f"{self.all} book{'s' if self.all > 1 else ''} of any kind")
        return ", altogether ".join(told) or "no books"

    def __str__(self) -> str:
        when = [f"with {self.from_players} or more players"] if self.from_players > 1 else []
        when += [f"from round {self.from_round}"] if self.from_round > 1 else []
        return f"{' '.join(when)}: {self.needs}" if when else self.needs


class GoingOut(Frozen):
    """Going out: what it earns and what it needs."""

    points: StrictInt = Field(description="points for the side that goes out")
    books: tuple[BooksNeeded, ...] = Field(min_length=1, description="books needed; the last entry that fits holds")
    also: tuple[str, ...] = Field(default=(), description="also needed, and for the players to see to")

    def books_for(self, players: int, round: int) -> BooksNeeded:
        """The books needed with so many players in a round (from 1)."""
        fits = (need for need in self.books if need.from_players <= players and need.from_round <= round)
        return list(fits)[-1]

    @model_validator(mode="after")
    def _always_says(self) -> GoingOut:
        first = self.books[0]
        if (first.from_players, first.from_round) != (1, 1):
            raise ValueError("books: expected a first entry without from_players and from_round, for all others")
        return self


class LaidSet(Frozen):
    """Extra points for a side that has laid a number of certain cards."""

    cards: tuple[str, ...] = Field(min_length=1, description="which cards")
    count: StrictInt = Field(ge=1, description="how many of them, at least")
    points: StrictInt = Field(description="extra points, once")

    def __str__(self) -> str:
        return f"{self.count} or more of {', '.join(self.cards)}: {self.points} more"


class Event(Frozen):
    """Something that players tell the scorer, and its points each time."""

    name: str = Field(description="what it is called")
    points: StrictInt = Field(description="points each time")
    when: str = Field(description="when it happens")
