"""Round sheets: the facts of one finished round, as confirmed by the players."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    Discriminator,
    Field,
    PlainSerializer,
    PlainValidator,
    SerializerFunctionWrapHandler,
    StrictBool,
    StrictStr,
    Tag,
    ValidationError,
    model_serializer,
    model_validator,
)

from scorer.data import TAG, Frozen, error_sentence, shown
from scorer.deck import known_faces, known_wilds, load_deck, shipped_decks
from scorer.faces import Face, FaceError

_SPREAD, _PILE = f"{TAG}faces", f"{TAG}pile"


class SheetError(ValueError):
    """Data is not a valid round sheet; the message lists every location, what was expected there and what came."""


@cache
def _faces_by_text() -> dict[str, Face]:
    """Maps the usual spelling of every face of a shipped deck to the face; avoids parsing in the common case."""
    return {str(face): face for id in shipped_decks() for face in load_deck(id).faces}


def _card(value: object) -> Face:
    if isinstance(value, str) and (known := _faces_by_text().get(value)):
        return known
    try:
        face = value if isinstance(value, Face) else Face.parse(value) if isinstance(value, str) else None
    except FaceError:
        face = None
    if face not in known_faces():
        raise ValueError(f"expected a card such as 8H, got {shown(value)}")
    return face


def _rank(value: object) -> str | None:
    if value is None:
        return None
    rank = value.strip().upper() if isinstance(value, str) else ""
    if all(face.rank != rank for face in known_faces()):
        raise ValueError(f'expected a rank such as "8" or "A", got {shown(value)}')
    return rank


def _text(value: str) -> str:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate from JSON cannot be stored or printed
        raise ValueError(f"expected text of whole characters, got {shown(value)}") from None
    return value


Text = Annotated[StrictStr, AfterValidator(_text)]
Card = Annotated[Face, PlainValidator(_card), PlainSerializer(str, return_type=str)]
Count = Annotated[int, Field(strict=True, ge=0, le=999)]
Number = Annotated[int, Field(strict=True, ge=1, le=999)]
Points = Annotated[int, Field(strict=True, ge=-99_999, le=99_999)]


class Pile(Frozen):
    """A squared pile counted without spreading it: rank (None if none is natural), number of cards, and its wilds.

    If ``rank`` is itself a wild rank, the pile is a meld of wilds and ``wilds`` lists those whose face is known.
    ``cards`` counts naturals and wilds. Beside them lie the ``caps`` that cap the pile and, in ``others``, strange
    cards, which are no part of a meld of its rank; both count as they would in a spread meld.
    """

    rank: Annotated[str | None, PlainValidator(_rank)] = None
    cards: Count
    wilds: tuple[Card, ...] = ()
    caps: tuple[Card, ...] = ()
    others: tuple[Card, ...] = ()

    @property
    def naturals(self) -> int:
        """The number of cards known by rank alone."""
        return self.cards - len(self.wilds)

    @model_validator(mode="after")
    def _rank_agrees_with_cards(self) -> Pile:
        not_wild = ", ".join(str(face) for face in self.wilds if face.rank not in known_wilds())
        if not_wild:
            raise ValueError(f"expected wilds only in wilds, so that rank and cards agree, got {not_wild}")
        if self.naturals < 0:
            raise ValueError(f"expected no more wilds than cards, got {len(self.wilds)} wilds in {self.cards} cards")
        if self.rank is None and self.naturals:
            raise ValueError(f"expected the rank of {self.naturals} cards that are not among the wilds, got none")
        if self.rank is not None and self.rank not in known_wilds() and self.wilds and not self.naturals:
            raise ValueError(f"expected a {self.rank} in a pile of rank {self.rank}, got wilds alone")
        for key, cards in (("caps", self.caps), ("others", self.others)):
            if counted := ", ".join(str(face) for face in cards if face.rank == self.rank):
                raise ValueError(f"expected no {self.rank} in {key}, as cards counts all of that rank, got {counted}")
        return self

    @model_serializer(mode="wrap")
    def _without_empty_lists(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leaves out caps and strange cards where there are none, so that sheets of older piles stay as they are."""
        data: dict[str, Any] = write(self)
        return {key: value for key, value in data.items() if value or key not in ("caps", "others")}


def _meld_tag(value: object) -> str:
    return _PILE if isinstance(value, (dict, Pile)) else _SPREAD


Meld = Annotated[
    Annotated[tuple[Card, ...], Tag(_SPREAD)] | Annotated[Pile, Tag(_PILE)],
    Discriminator(_meld_tag),
]


class TypedBooks(Frozen):
    """So many books of a kind, as people counted them.

    ``rank``, ``cards`` (so many or more) and ``wilds`` (what a wild book holds) are told only where the value of a book
    depends on them; a book of which they are not told is an ordinary one. ``run``: they are runs of one suit.
    """

    book: Literal["clean", "dirty", "wild"]
    count: Number
    rank: Annotated[str | None, PlainValidator(_rank)] = None
    cards: Count = 0
    wilds: tuple[Card, ...] = Field(default=(), max_length=99)
    run: StrictBool = False


class TypedSide(Frozen):
    """A side's round as people counted it, in place of its cards: the total alone, or counts and points.

    ``total`` is everything that the side got in the round, so that nothing else counts beside it. Of counts, the rules
    give the points of ``books``, ``caps`` and ``laid`` cards; ``cards`` are the points of the cards in melds and those
    buried, without the bonuses of books, and ``left`` those of the cards left over, below 0 where these cost points.
    ``unfinished`` are melds that are no books yet, told where the rules give a penalty for such.
    """

    total: Points | None = None
    books: tuple[TypedBooks, ...] = Field(default=(), max_length=99)
    unfinished: tuple[TypedBooks, ...] = Field(default=(), max_length=99)
    caps: Count = 0
    laid: tuple[Card, ...] = Field(default=(), max_length=99)
    cards: Points = 0
    left: Points = 0

    def as_told(self) -> dict[str, Any]:
        """Returns what was told as JSON data; what was not is left out, so that new fields change no older sheet."""
        return self.model_dump(mode="json", exclude_defaults=True)

    @model_validator(mode="after")
    def _total_stands_alone(self) -> TypedSide:
        counts = (self.books, self.unfinished, self.caps, self.laid, self.cards, self.left)
        if self.total is not None and any(counts):
            raise ValueError("expected a total alone or counts, got both")
        return self


class SideSheet(Frozen):
    """One side's cards on the table and left over, and what it did; missing keys mean none.

    A side that was counted by people has ``typed`` in place of its cards.
    """

    name: Text = ""
    melds: tuple[Meld, ...] = ()
    laid: tuple[Card, ...] = ()
    buried: tuple[Card, ...] = ()
    left: tuple[tuple[Card, ...], ...] = ()
    """One list per player, hand and foot together."""
    went_out: StrictBool = False
    exact_deals: Count = 0
    improper_melds: Count = 0
    bonuses: dict[Text, Count] = Field(default={})
    """How often the side got each further bonus or penalty of the rules, by its name."""

    typed: TypedSide | None = None

    @model_validator(mode="after")
    def _cards_or_typed(self) -> SideSheet:
        if self.typed is not None and (self.melds or self.laid or self.buried or any(self.left)):
            raise ValueError("expected cards or typed points of a side, got both")
        return self

    @model_serializer(mode="wrap")
    def _without_empty_keys(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leaves out bonuses and typed points where there are none, so that sheets without them stay as they are."""
        data: dict[str, Any] = write(self)
        return {key: value for key, value in data.items() if value or key not in ("bonuses", "typed")}


class RoundSheet(Frozen):
    """One finished round: rule set, round number (from 1), number of players and sides."""

    rules: Text
    round: Number
    players: Number
    sides: tuple[SideSheet, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Returns the sheet as JSON data; ``read_sheet`` is the inverse."""
        return self.model_dump(mode="json")


def read_sheet(data: object) -> RoundSheet:
    """Reads a round sheet from JSON data.

    Raises:
        SheetError: anything is unknown, missing, negative or contradictory; one sentence lists all such locations.

    >>> read_sheet({"rules": "tanglewood", "round": 1, "players": 4, "sides": [{"left": [["4H", "KS"]]}]}).sides[0].left
    ((Face(rank='4', suit='H'), Face(rank='K', suit='S')),)
    """
    try:
        return RoundSheet.model_validate(data)
    except ValidationError as error:
        raise SheetError(error_sentence(error, RoundSheet)) from error
