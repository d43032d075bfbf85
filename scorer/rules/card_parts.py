"""Rule-set sections about cards, melds and books. ``describe`` prints the description of each field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import Field, StrictBool, model_validator

from scorer.data import Frozen, Whole
from scorer.faces import Face

Book = Literal["clean", "dirty", "wild"]


def matches(name: str, face: Face) -> bool:
    """Whether a card name of a rule set (rank ``3``, colour and rank ``red 3``, or face ``3D``) includes a face."""
    colour, _, rank = name.rpartition(" ")
    if not colour:
        return rank in (face.rank, str(face))
    return face.rank == rank and face.suit != "" and colour == ("red" if face.is_red else "black")


def is_one_of(face: Face, names: Iterable[str]) -> bool:
    """Whether any of a rule set's card names includes a face."""
    return any(matches(name, face) for name in names)


class CardPoints(Frozen):
    """Points of cards on the table, and of cards left in a hand or foot."""

    cards: tuple[str, ...] = Field(min_length=1, description="which cards")
    played: Whole = Field(description="each on the table")
    left: Whole = Field(le=0, description="each left in a hand or foot, below 0")

    def __str__(self) -> str:
        return f"{', '.join(self.cards)}: {self.played} on the table, {self.left} left in a hand or foot"


class MeldNeeds(Frozen):
    """Requirements for a legal meld: cards of one rank with wilds."""

    least_cards: Whole = Field(default=3, ge=1, description="fewest cards")
    most_cards: Whole | None = Field(default=None, ge=1, description="most cards")
    most_cards_with_wilds: Whole | None = Field(default=None, ge=1, description="most cards, if there is a wild")
    least_naturals: Whole = Field(default=2, ge=1, description="fewest naturals, unless all are wild")
    naturals_per_wild: Whole = Field(default=1, ge=1, description="naturals that each wild needs")
    naturals_more: Whole = Field(default=0, ge=0, description="naturals needed beyond those, if there is a wild")
    most_wilds: Whole = Field(ge=0, description="most wilds, in a finished book too")
    one_a_rank: StrictBool = Field(default=False, description="a side has one meld of a rank at most")

    def most_with(self, wilds: int) -> int | None:
        """The largest size of a meld with a number of wilds; None if unlimited."""
        limits = (self.most_cards, self.most_cards_with_wilds if wilds else None)
        return min((limit for limit in limits if limit is not None), default=None)

    def wilds_allowed(self, naturals: int) -> int:
        """The largest number of wilds that may be melded with a number of naturals."""
        return max(0, min(self.most_wilds, (naturals - self.naturals_more) // self.naturals_per_wild))


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


class BookPoints(Frozen):
    """Bonus for a book, in addition to the points of its cards."""

    clean: Whole = Field(ge=0, description="clean book, no wilds")
    dirty: Whole = Field(ge=0, description="dirty book, naturals and wilds")
    wild: Whole | None = Field(default=None, ge=0, description="wild book, wilds alone")
    of_ranks: tuple[RankBook, ...] = Field(default=(), description="books of some ranks, in place of the above")

    def bonus(self, book: Book, rank: str | None = None) -> int:
        """The bonus for a book of a kind and rank (None for a wild book); 0 if these rules have no such book."""
        for entry in self.of_ranks:
            rank_bonus = {"clean": entry.clean, "dirty": entry.dirty}.get(book)
            if rank_bonus is not None and rank in entry.ranks:
                return rank_bonus
        return {"clean": self.clean, "dirty": self.dirty, "wild": self.wild or 0}[book]


class Cap(Frozen):
    """A card that is put on a finished book for extra points and does not count as part of the book."""

    cards: tuple[str, ...] = Field(min_length=1, description="which cards cap")
    points: Whole = Field(description="points for each cap")
    books: tuple[Book, ...] = Field(min_length=1, description="books that may be capped")
    most: Whole = Field(default=1, ge=1, description="most caps on one book")


class BooksNeeded(Frozen):
    """The books that a side needs before it may go out."""

    from_players: Whole = Field(default=1, ge=1, description="with so many players or more")
    from_round: Whole = Field(default=1, ge=1, description="from this round on")
    clean: Whole = Field(default=0, ge=0, description="clean books")
    dirty: Whole = Field(default=0, ge=0, description="dirty books")
    wild: Whole = Field(default=0, ge=0, description="wild books")
    all: Whole = Field(default=0, ge=0, description="books of any kind, those among them")

    def missing(self, have: Mapping[Book, int]) -> bool:
        """Whether a side with these numbers of books by kind does not have enough."""
        return (
            have.get("clean", 0) < self.clean
            or have.get("dirty", 0) < self.dirty
            or have.get("wild", 0) < self.wild
            or sum(have.values()) < self.all
        )

    @property
    def needs(self) -> str:
        """The requirement as text: ``2 clean and 3 dirty books``, ``1 book of any kind``."""
        kinds = (("clean", self.clean), ("dirty", self.dirty), ("wild", self.wild))
        named = [f"{count} {kind}" for kind, count in kinds if count]
        several = len(named) > 1 or self.clean + self.dirty + self.wild > 1
        texts = [f"{' and '.join(', '.join(named).rsplit(', ', 1))} book{'s' if several else ''}"] if named else []
        if self.all:
            texts.append(f"{self.all} book{'s' if self.all > 1 else ''} of any kind")
        return ", altogether ".join(texts) or "no books"

    def __str__(self) -> str:
        conditions = [f"with {self.from_players} or more players"] if self.from_players > 1 else []
        conditions += [f"from round {self.from_round}"] if self.from_round > 1 else []
        return f"{' '.join(conditions)}: {self.needs}" if conditions else self.needs


class GoingOut(Frozen):
    """Going out: its points and its requirements."""

    points: Whole = Field(description="points for the side that goes out")
    books: tuple[BooksNeeded, ...] = Field(min_length=1, description="books needed; the last entry that fits holds")
    also: tuple[str, ...] = Field(default=(), description="also needed, and for the players to see to")
    also_partners: tuple[str, ...] = Field(default=(), description="also needed by players who have partners")

    def books_for(self, players: int, round: int) -> BooksNeeded:
        """The books needed for a number of players in a round (from 1)."""
        matching = (need for need in self.books if need.from_players <= players and need.from_round <= round)
        return list(matching)[-1]

    def also_for(self, players: int) -> tuple[str, ...]:
        """What else going out needs of a side with a number of players."""
        return (*(self.also_partners if players > 1 else ()), *self.also)

    @model_validator(mode="after")
    def _has_a_general_entry(self) -> GoingOut:
        first = self.books[0]
        if (first.from_players, first.from_round) != (1, 1):
            raise ValueError("books: expected a first entry without from_players and from_round, for all others")
        return self


class LaidSet(Frozen):
    """Extra points for laying a number of particular cards outside melds."""

    cards: tuple[str, ...] = Field(min_length=1, description="which cards")
    count: Whole = Field(ge=1, description="how many of them, at least")
    points: Whole = Field(description="extra points, once")

    def __str__(self) -> str:
        return f"{self.count} or more of {', '.join(self.cards)}: {self.points} more"


class Event(Frozen):
    """A bonus or penalty that players report, with its points each time."""

    name: str = Field(description="what it is called")
    points: Whole = Field(description="points each time")
    when: str = Field(description="when it happens")
