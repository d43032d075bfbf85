"""The parts a rule set is made of. Each field's description is what ``describe`` prints before its value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pydantic import Field, StrictInt

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


class PerPlayers(Frozen):
    """A number that may grow with the players: ``fixed`` and ``per_player`` for each."""

    fixed: StrictInt = Field(default=0, ge=0, description="however many play")
    per_player: StrictInt = Field(default=0, ge=0, description="for each player")

    def for_players(self, players: int) -> int:
        return self.fixed + self.per_player * players

    def __str__(self) -> str:
        if not self.per_player:
            return str(self.fixed)
        each = "one a player" if self.per_player == 1 else f"{self.per_player} a player"
        return f"{each} and {self.fixed} more" if self.fixed else each


class Seating(Frozen):
    """One way to sit down: the players on each side."""

    sides: tuple[StrictInt, ...] = Field(min_length=2, description="players on each side")

    def __str__(self) -> str:
        return " against ".join(map(str, self.sides))


class FirstMeld(Frozen):
    """The minimum of a side's first meld by round."""

    by_round: tuple[StrictInt, ...] = Field(min_length=1, description="round by round")
    step: StrictInt = Field(default=0, ge=0, description="more for each further round")

    def in_round(self, round: int) -> int:
        """The minimum in a round (from 1); ValueError below 1."""
        if round < 1:
            raise ValueError(f"expected a round of 1 or more, got {round}")
        listed = min(round, len(self.by_round))
        return self.by_round[listed - 1] + self.step * (round - listed)

    def __str__(self) -> str:
        return ", ".join(map(str, self.by_round)) + (f", then {self.step} more each round" if self.step else "")


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
    least_naturals: StrictInt = Field(default=2, ge=1, description="fewest naturals, unless all are wild")
    naturals_per_wild: StrictInt = Field(default=1, ge=1, description="naturals that each wild needs")
    naturals_more: StrictInt = Field(default=0, ge=0, description="naturals needed beyond those, if there is a wild")
    most_wilds: StrictInt = Field(ge=0, description="most wilds, in a finished book too")

    def wilds_allowed(self, naturals: int) -> int:
        """The most wilds that may lie with so many naturals."""
        return max(0, min(self.most_wilds, (naturals - self.naturals_more) // self.naturals_per_wild))


class BookPoints(Frozen):
    """Points for a book, apart from its cards."""

    clean: StrictInt = Field(description="clean book, no wilds")
    dirty: StrictInt = Field(description="dirty book, naturals and wilds")
    wild: StrictInt | None = Field(default=None, description="wild book, wilds alone")

    def bonus(self, book: Book) -> int:
        """Points for a book of a kind; 0 where these rules have none."""
        return {"clean": self.clean, "dirty": self.dirty, "wild": self.wild or 0}[book]


class BooksNeeded(Frozen):
    """The books that a side needs before it goes out."""

    clean: StrictInt = Field(ge=0, description="clean books")
    dirty: StrictInt = Field(ge=0, description="dirty books")


class GoingOut(Frozen):
    """Going out: what it earns and what it needs."""

    points: StrictInt = Field(description="points for the side that goes out")
    books: BooksNeeded = Field(description="books needed")
    also: tuple[str, ...] = Field(default=(), description="also needed, and for the players to see to")


class Event(Frozen):
    """Something that players tell the scorer, and its points each time."""

    name: str = Field(description="what it is called")
    points: StrictInt = Field(description="points each time")
    when: str = Field(description="when it happens")
