"""Deck profiles: the faces of a deck and the copies of each in one pack. One TOML file per deck in ``decks/``."""

from __future__ import annotations

from functools import cache, cached_property
from pathlib import Path

from pydantic import Field

from scorer.data import Frozen, Whole, read_toml
from scorer.errors import DeckError
from scorer.faces import Face

_FOLDER = Path(__file__).parent / "decks"


class PackPart(Frozen):
    """Faces with the same number of copies in a pack: every listed rank in every listed suit, or without a suit."""

    ranks: tuple[str, ...] = Field(min_length=1)
    suits: tuple[str, ...] = ("",)
    copies: Whole = Field(ge=1, description="how many of each face one pack holds")


class DeckProfile(Frozen):
    """One kind of playing cards."""

    id: str
    name: str
    cards: tuple[PackPart, ...] = Field(min_length=1, description="what one pack holds")
    wild_ranks: tuple[str, ...] = Field(default=(), description="ranks that a rule set may make wild")
    plurals: dict[str, str] = Field(default={}, description="how several cards of a rank are called")

    @cached_property
    def copies(self) -> dict[Face, int]:
        """Copies of each face in one pack."""
        return {Face(rank, suit): part.copies for part in self.cards for suit in part.suits for rank in part.ranks}

    @property
    def faces(self) -> tuple[Face, ...]:
        """Every face of the deck, once."""
        return tuple(self.copies)

    @property
    def ranks(self) -> tuple[str, ...]:
        """Every rank of the deck, once."""
        return tuple(dict.fromkeys(face.rank for face in self.copies))

    def copies_of_rank(self, rank: str) -> int:
        """Cards of a rank in one pack, over all suits."""
        return sum(copies for face, copies in self.copies.items() if face.rank == rank)

    def plural(self, rank: str) -> str:
        """The plural name of a rank: ``8s``, ``aces``."""
        return self.plurals.get(rank, f"{rank}s")


def list_decks() -> tuple[str, ...]:
    """Returns the ids of all decks."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


@cache
def load_deck(id: str) -> DeckProfile:
    """Loads a deck by id.

    Raises:
        DeckError: the deck does not exist or its file is invalid.
    """
    if id not in list_decks():
        raise DeckError(f"expected a deck, one of {', '.join(list_decks())}, got {id!r}")
    try:
        deck = read_toml(_FOLDER / f"{id}.toml", DeckProfile)
    except ValueError as error:
        raise DeckError(str(error)) from error
    if deck.id != id:
        raise DeckError(f"{id}.toml: id: expected the file's name {id!r}, got {deck.id!r}")
    return deck


@cache
def known_faces() -> frozenset[Face]:
    """Returns every face of every deck."""
    return frozenset(face for id in list_decks() for face in load_deck(id).faces)


@cache
def known_wilds() -> frozenset[str]:
    """Returns every rank that may be wild in some deck."""
    return frozenset(rank for id in list_decks() for rank in load_deck(id).wild_ranks)


@cache
def suitless_wilds() -> frozenset[Face]:
    """Returns the wilds without a suit, such as jokers; a natural 2 of a deck without suits is none."""
    decks = [load_deck(id) for id in list_decks()]
    return frozenset(face for deck in decks for face in deck.faces if not face.suit and face.rank in deck.wild_ranks)
