"""Deck profiles: the faces of a deck, the copies of each in one pack, and what they are called."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from scorer.data import Frozen, Whole, shown
from scorer.faces import JOKER, SUITS, Face, FaceError

_MOST_FACES, _MOST_COPIES = 200, 99
_MOST_SUITS = len(SUITS) + 1
"""Each once, and none: a file of 64 kB could name hundreds of millions of faces."""
_LONGEST_FACE, LONGEST_NAME = 12, 40


_NOT_SHOWN, _JOINERS = {"Cc", "Cf", "Cs", "Zl", "Zp"}, "\u200c\u200d"
"""Categories of signs that a name cannot hold, and those of them that some scripts and emoji are written with."""


def _name(text: str) -> str:
    hidden = any(unicodedata.category(sign) in _NOT_SHOWN and sign not in _JOINERS for sign in text)
    if not text.strip() or hidden or len(text) > LONGEST_NAME:
        raise ValueError(f"expected a name of 1 to {LONGEST_NAME} characters, got {shown(text)}")
    return text


Name = Annotated[str, AfterValidator(_name)]


class PackPart(Frozen):
    """Faces with the same number of copies in a pack: every listed rank in every listed suit, or without a suit."""

    ranks: tuple[str, ...] = Field(min_length=1, max_length=_MOST_FACES)
    suits: tuple[str, ...] = Field(default=("",), min_length=1, max_length=_MOST_SUITS)
    copies: Whole = Field(ge=1, le=_MOST_COPIES, description="how many of each face one pack holds")

    @property
    def faces(self) -> Iterator[Face]:
        """Its faces, suit by suit."""
        return (Face(rank, suit) for suit in self.suits for rank in self.ranks)

    @model_validator(mode="after")
    def _has_faces(self) -> PackPart:
        if strange := [suit for suit in self.suits if suit not in ("", *SUITS)]:
            raise ValueError(f"suits: expected suits of {', '.join(SUITS)}, got {shown(strange[0])}")
        for face in self.faces:
            if not _is_written_so(face):
                text = f"capital letters and digits, {_LONGEST_FACE} at most, and a suit only for a standard rank"
                raise ValueError(f'ranks: expected {text}, such as "8" or "LADY", got {shown(str(face))}')
        return self


def _is_written_so(face: Face) -> bool:
    """Whether the text of a face is read as that face again."""
    try:
        return len(str(face)) <= _LONGEST_FACE and str(face).isascii() and Face.parse(str(face)) == face
    except FaceError:
        return False


class ProfileFields(Frozen):
    """What a deck's file says of its faces. Keys of the tables are ranks."""

    cards: tuple[PackPart, ...] = Field(min_length=1, max_length=_MOST_FACES, description="what one pack holds")
    wild_ranks: tuple[str, ...] = Field(default=(), description="ranks that a rule set may make wild")
    names: dict[str, Name] = Field(default={}, description="how one card of a rank is spoken of")
    plurals: dict[str, Name] = Field(default={}, description="how several cards of a rank are called")
    called: dict[str, str] = Field(
        default={}, description="the card of a rule set that a rank stands for, where the rules do not name it"
    )

    @model_validator(mode="after")
    def _names_its_own_ranks(self) -> ProfileFields:
        faces = [face for part in self.cards for face in part.faces]
        if len(faces) > _MOST_FACES:
            raise ValueError(f"cards: expected {_MOST_FACES} faces or fewer, got {len(faces)}")
        if repeated := [face for face in dict.fromkeys(faces) if faces.count(face) > 1]:
            raise ValueError(f"cards: expected each face once, got {repeated[0]} more often")
        ranks = {face.rank for face in faces}
        for key in ("wild_ranks", "names", "plurals", "called"):
            if strange := [rank for rank in getattr(self, key) if rank not in ranks]:
                raise ValueError(f"{key}: expected ranks of the deck's cards, got {shown(strange[0])}")
        return self


class DeckProfile(ProfileFields):
    """One kind of playing cards."""

    id: str
    name: str

    @cached_property
    def copies(self) -> dict[Face, int]:
        """Copies of each face in one pack."""
        return {face: part.copies for part in self.cards for face in part.faces}

    @cached_property
    def faces(self) -> tuple[Face, ...]:
        """Every face of the deck, once."""
        return tuple(self.copies)

    @cached_property
    def ranks(self) -> tuple[str, ...]:
        """Every rank of the deck, once."""
        return tuple(dict.fromkeys(face.rank for face in self.copies))

    @property
    def has_suits(self) -> bool:
        """Whether any card has a suit."""
        return any(face.suit for face in self.copies)

    def plural(self, rank: str) -> str:
        """The plural name of a rank: ``8s``, ``aces``."""
        return self.plurals.get(rank, f"{self.names.get(rank, rank)}s")

    @cached_property
    def jokers(self) -> tuple[Face, ...]:
        """Its jokers, and cards that are called so."""
        return tuple(face for face in self.copies if JOKER.rank in (face.rank, self.called.get(face.rank)))

    def with_jokers(self, number: int | None) -> DeckProfile:
        """This deck with so many of each of its jokers in a pack; as it is for None, or if it has no jokers."""
        if number is None or not self.jokers:
            return self
        copies = self.copies | dict.fromkeys(self.jokers, number)
        left_out = {face.rank for face in self.jokers} if number == 0 else set()
        return DeckProfile(
            id=self.id,
            name=self.name,
            cards=_parts({face: count for face, count in copies.items() if count}),
            wild_ranks=tuple(rank for rank in self.wild_ranks if rank not in left_out),
            names={rank: name for rank, name in self.names.items() if rank not in left_out},
            plurals={rank: name for rank, name in self.plurals.items() if rank not in left_out},
            called={rank: name for rank, name in self.called.items() if rank not in left_out},
        )


def _parts(copies: Mapping[Face, int]) -> tuple[PackPart, ...]:
    """What one pack holds, by the copies of each face."""
    return tuple(PackPart(ranks=(face.rank,), suits=(face.suit,), copies=number) for face, number in copies.items())


def joined(decks: Sequence[DeckProfile]) -> DeckProfile:
    """Several decks as one: all of their faces, of a face that several have the most copies.

    Raises:
        ValueError: there is no deck, or together they have too many faces.
    """
    if len(decks) == 1:
        return decks[0]
    copies: dict[Face, int] = {}
    for deck in decks:
        for face, number in deck.copies.items():
            copies[face] = max(number, copies.get(face, 0))
    tables = {
        key: {rank: text for deck in reversed(decks) for rank, text in getattr(deck, key).items()}
        for key in ("names", "plurals", "called")
    }
    return DeckProfile(
        id="+".join(deck.id for deck in decks),
        name=" and ".join(deck.name for deck in decks),
        cards=_parts(copies),
        wild_ranks=tuple(dict.fromkeys(rank for deck in decks for rank in deck.wild_ranks)),
        **tables,
    )
