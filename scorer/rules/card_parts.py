"""Rule-set sections about cards, melds and bonuses. ``describe`` prints the description of each field."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from pydantic import Field, StrictBool, model_validator

from scorer.data import Frozen, Whole
from scorer.deck import DeckProfile
from scorer.faces import Face
from scorer.rules.book_parts import Book, BookCounts, Otherwise


@lru_cache(maxsize=1000)
def names_of(face: Face) -> frozenset[str]:
    """What a rule set can call a card: rank ``3``, colour and rank ``red 3``, and face ``3D``."""
    colour = "red" if face.is_red else "black"
    return frozenset((face.rank, str(face), *([f"{colour} {face.rank}"] if face.suit else [])))


def matches(name: str, face: Face) -> bool:
    """Whether a card name of a rule set includes a face."""
    return name in names_of(face)


def is_one_of(face: Face, names: Iterable[str]) -> bool:
    """Whether any of a rule set's card names includes a face."""
    return any(matches(name, face) for name in names)


def stands_for(name: str, deck: DeckProfile) -> Face | None:
    """The first face of a deck that one of a rule set's card names includes; None if there is none."""
    return next((face for face in deck.faces if matches(name, face)), None)


class CardPoints(Frozen):
    """Points of cards on the table, and of cards left in a hand or foot."""

    cards: tuple[str, ...] = Field(min_length=1, description="which cards")
    played: Whole = Field(description="points for each on the table")
    left: Whole = Field(le=0, description="points for each left over, with a minus sign")

    def __str__(self) -> str:
        return f"{', '.join(self.cards)}: {self.played} on the table, {self.left} left in a hand or foot"


class RankMeld(Frozen):
    """Requirements for melds of particular ranks."""

    ranks: tuple[str, ...] = Field(min_length=1, description="which ranks")
    most_wilds: Whole = Field(ge=0, description="most wild cards in such a meld")

    def __str__(self) -> str:
        return f"{', '.join(self.ranks)}: {self.most_wilds} wilds at most"


class MeldNeeds(Frozen):
    """Requirements for a legal meld: cards of one rank with wilds."""

    least_cards: Whole = Field(default=3, ge=1, description="fewest cards")
    most_cards: Whole | None = Field(default=None, ge=1, description="most cards")
    most_cards_with_wilds: Whole | None = Field(default=None, ge=1, description="most cards, if there is a wild card")
    least_naturals: Whole = Field(default=2, ge=1, description="fewest natural cards, unless all are wild")
    naturals_per_wild: Whole = Field(default=1, ge=0, description="natural cards for each wild card")
    naturals_more: Whole = Field(default=0, ge=0, description="more natural cards needed on top of those")
    most_wilds: Whole = Field(ge=0, description="most wild cards in a meld or dirty book")
    one_a_rank: StrictBool = Field(default=False, description="a side can have only one meld of a rank")
    clean_a_rank: Whole | None = Field(default=None, ge=1, description="most clean melds of a rank on a side")
    dirty_a_rank: Whole | None = Field(default=None, ge=1, description="most dirty melds of a rank on a side")
    of_ranks: tuple[RankMeld, ...] = Field(default=(), description="ranks that allow fewer wild cards")

    def most_of_kind(self, kind: Book) -> int | None:
        """The most melds of a kind and rank that a side can have; None if unlimited."""
        most = {"clean": self.clean_a_rank, "dirty": self.dirty_a_rank}.get(kind)
        return 1 if self.one_a_rank and kind != "wild" else most

    def most_with(self, wilds: int) -> int | None:
        """The largest size of a meld with a number of wilds; None if unlimited."""
        limits = (self.most_cards, self.most_cards_with_wilds if wilds else None)
        return min((limit for limit in limits if limit is not None), default=None)

    def wilds_allowed(self, naturals: int, rank: str | None = None) -> int:
        """The largest number of wilds that may be melded with a number of naturals of a rank."""
        limits = [self.most_wilds, *(entry.most_wilds for entry in self.of_ranks if rank in entry.ranks)]
        if self.naturals_per_wild:
            limits.append((naturals - self.naturals_more) // self.naturals_per_wild)
        return max(0, min(limits))


class Runs(Frozen):
    """Melds of one suit in a row, beside those of one rank; a long one is a book as they are."""

    ranks: tuple[str, ...] = Field(min_length=3, description="ranks in their order (an ace can stand at both ends)")
    least_cards: Whole = Field(default=3, ge=2, description="fewest cards")
    most_cards: Whole | None = Field(default=None, ge=1, description="most cards")
    most_wilds: Whole = Field(default=0, ge=0, description="most wild cards")
    clean: Whole = Field(ge=0, description="a run that is a book, without wild cards")
    dirty: Whole = Field(default=0, ge=0, description="a run that is a book, with wild cards")

    def bonus(self, book: Book) -> int:
        """The bonus for a run that is a book."""
        return self.clean if book == "clean" else self.dirty


class Cap(Frozen):
    """A card that is put on a finished book for extra points and does not count as part of the book."""

    cards: tuple[str, ...] = Field(min_length=1, description="which cards")
    points: Whole = Field(description="points for each")
    books: tuple[Book, ...] = Field(min_length=1, description="books it can go on")
    most: Whole = Field(default=1, ge=1, description="most such cards on one book")


class LaidSet(Frozen):
    """Extra points for laying a number of particular cards outside melds."""

    cards: tuple[str, ...] = Field(min_length=1, description="which cards")
    count: Whole = Field(ge=1, description="this many or more")
    points: Whole = Field(description="extra points, once")

    def __str__(self) -> str:
        return f"{self.count} or more of {', '.join(self.cards)}: {self.points} more"


class LaidNeeds(BookCounts):
    """What a side needs for its laid cards to count for it."""

    cards: tuple[str, ...] = Field(default=(), description="which of the cards laid out (empty for all)")
    laid: Whole = Field(default=0, ge=0, description="this many cards laid out")
    went_out: StrictBool = Field(default=False, description="the side has to go out")
    otherwise: Otherwise = Field(default="against", description="if not, they count")

    @property
    def needs(self) -> str:
        """The requirement as text: ``1 clean book and going out``."""
        texts = [super().needs] if self.has_needs else []
        texts += [f"{self.laid} laid card{'s' if self.laid > 1 else ''}"] if self.laid else []
        texts += ["going out"] if self.went_out else []
        return " and ".join(texts)

    def __str__(self) -> str:
        return f"{', '.join(self.cards) or 'all'} need {self.needs}, else they count {self.otherwise}"

    @model_validator(mode="after")
    def _needs_something(self) -> LaidNeeds:
        if not self.needs:
            raise ValueError("expected books, laid or went_out, got none of them")
        return self


class CardsCount(Frozen):
    """When melded cards count."""

    cards: tuple[str, ...] = Field(default=(), description="which cards (empty for all)")
    needs: Literal["its own book", "a book of the side"] = Field(description="what they need to count")
    otherwise: Otherwise = Field(default="nothing", description="if not, they count")

    def __str__(self) -> str:
        else_text = "count against the side" if self.otherwise == "against" else "are worth nothing"
        return f"{', '.join(self.cards) or 'all cards'} in melds need {self.needs}, else they {else_text}"


class Reported(Frozen):
    """A bonus or penalty that players report, with its points each time."""

    name: str = Field(description="what it is called")
    points: Whole = Field(description="points each time")
    when: str = Field(description="when it happens")


Who = Literal["side", "player", "one side"]


class Bonus(Reported):
    """A named bonus or penalty that is asked for at the end of a round; ``who`` may get it ``most`` times each."""

    name: str = Field(min_length=1, max_length=60, description="what it is called")
    when: str = Field(min_length=1, description="when it happens")
    who: Who = Field(default="side", description="who can get it")
    most: Whole = Field(default=1, ge=1, le=9, description="how often at most")

    def __str__(self) -> str:
        often = f"{self.most} times a {self.who}" if self.most > 1 else f"once a {self.who}"
        often = often.replace("a one side", "a round, for one side")
        return f"{self.name}: {self.points}, {often} at most, when {self.when}"
