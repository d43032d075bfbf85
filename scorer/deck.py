"""The list of decks: the shipped profiles in ``decks/``, and a household's own, each in a folder of the data folder."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Discriminator, Tag

from scorer.data import TAG, Frozen, parse_toml, read_toml, shown
from scorer.deck_profile import DeckProfile, Name, ProfileFields, joined
from scorer.errors import DeckError
from scorer.faces import Face

__all__ = ["DECK_FILE", "DeckFile", "DeckProfile", "joined", "list_decks", "load_deck"]

_FOLDER = Path(__file__).parent / "decks"
DECK_FILE = "deck.toml"
"""The file in the folder of an own deck that says what it is."""
_ID = re.compile(r"[\w-]{1,60}", re.ASCII)  # a valid folder name on every operating system
_RESERVED = frozenset({"learnt"})
"""Folders beside those of own decks that hold something else."""
_COURTS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
_own_folder: list[Path] = []
_State = tuple[tuple[Path, int], ...]
"""The files of the own decks and when each was changed, in nanoseconds."""


def _profile_tag(value: object) -> str:
    return f"{TAG}id" if isinstance(value, str) else f"{TAG}table"


class DeckFile(Frozen):
    """The file of a household's own deck: a name for its design, and its faces, by the id of a profile or listed.

    ``removed``: it is off all lists, but what was played with it can still be read.
    """

    id: str
    name: Name
    profile: Annotated[
        Annotated[str, Tag(f"{TAG}id")] | Annotated[ProfileFields, Tag(f"{TAG}table")], Discriminator(_profile_tag)
    ]
    removed: bool = False

    @cached_property
    def own_profile(self) -> DeckProfile | None:
        """The profile that it lists; None where it has that of a shipped deck."""
        if isinstance(self.profile, str):
            return None
        return DeckProfile(id=self.id, name=self.name, **dict(self.profile))


def use_deck_folder(folder: Path | None) -> None:
    """Sets the folder of the household's own decks, ``ID/deck.toml``, or none; the folder need not exist."""
    _own_folder[:] = [] if folder is None else [folder]


@cache
def shipped_decks() -> tuple[str, ...]:
    """Returns the ids of the shipped profiles."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


def own_decks() -> dict[str, DeckFile]:
    """Returns the household's own decks by id, those removed among them; ``broken_decks`` returns the others."""
    return {id: found for id, found in _read_own().items() if isinstance(found, DeckFile)}


def broken_decks() -> dict[str, str]:
    """Returns the error of each own deck that cannot be loaded, by id."""
    return {id: found for id, found in _read_own().items() if isinstance(found, str)}


def list_decks() -> tuple[str, ...]:
    """Returns the ids of all profiles: those shipped, and own decks that list faces of their own."""
    own = (id for id, deck in own_decks().items() if not deck.removed and deck.own_profile)
    return tuple(sorted({*shipped_decks(), *own}))


def load_deck(id: str) -> DeckProfile:
    """Loads a profile by its id, or by that of an own deck, whose cards it describes.

    Raises:
        DeckError: the deck does not exist or its file is invalid.
    """
    if id in shipped_decks():
        return _shipped(id)
    found = _read_own().get(id)
    if isinstance(found, str):
        raise DeckError(found)
    if found is None:
        known = sorted({*list_decks(), *(own for own, deck in own_decks().items() if not deck.removed)})
        raise DeckError(f"expected a deck, one of {', '.join(known)}, got {id!r}")
    return found.own_profile or _shipped(str(found.profile))


def parse_deck_file(text: str, id: str) -> DeckFile:
    """Reads the text of an own deck's file as it would be read from the folder of that id.

    Raises:
        DeckError: it is invalid; names the file, each key, what was expected and what came.
    """
    try:
        return _checked(parse_toml(text, f"{id}/{DECK_FILE}", DeckFile), id)
    except ValueError as error:
        raise error if isinstance(error, DeckError) else DeckError(str(error)) from error


def is_deck_id(id: str) -> bool:
    """Whether an own deck may have this id."""
    return bool(_ID.fullmatch(id)) and id not in _RESERVED and id not in shipped_decks()


def known_faces() -> frozenset[Face]:
    """Returns every face of every deck, removed ones among them, since old sheets name them."""
    return _all_faces(decks_state())


def known_wilds() -> frozenset[str]:
    """Returns every rank that may be wild in some deck."""
    return _all_wilds(decks_state())


def suitless_wilds() -> frozenset[Face]:
    """Returns the wilds without a suit, such as jokers; a natural 2 of a deck without suits is none."""
    return _all_suitless_wilds(decks_state())


def spoken(face: Face) -> str:
    """How sentences for people name a card: ``5♦``, ``joker``, ``lady``, ``red 3``, and ``king`` of no suit."""
    if face.suit:
        return face.shown
    if face.rank in _COURTS:
        return _COURTS[face.rank]
    return next((deck.names[face.rank] for deck in _every(decks_state()) if face.rank in deck.names), face.shown)


@lru_cache(maxsize=16)
def _every(state: _State) -> tuple[DeckProfile, ...]:
    """Every profile, shipped and own."""
    own = (deck.own_profile for deck in _read_all(state).values() if isinstance(deck, DeckFile))
    return (*map(_shipped, shipped_decks()), *(profile for profile in own if profile))


@lru_cache(maxsize=16)
def _all_faces(state: _State) -> frozenset[Face]:
    return frozenset(face for deck in _every(state) for face in deck.faces)


@lru_cache(maxsize=16)
def _all_wilds(state: _State) -> frozenset[str]:
    return frozenset(rank for deck in _every(state) for rank in deck.wild_ranks)


@lru_cache(maxsize=16)
def _all_suitless_wilds(state: _State) -> frozenset[Face]:
    decks = _every(state)
    return frozenset(face for deck in decks for face in deck.faces if not face.suit and face.rank in deck.wild_ranks)


@cache
def _shipped(id: str) -> DeckProfile:
    try:
        deck = read_toml(_FOLDER / f"{id}.toml", DeckProfile)
    except ValueError as error:
        raise DeckError(str(error)) from error
    if deck.id != id:
        raise DeckError(f"{id}.toml: id: expected the file's name {id!r}, got {deck.id!r}")
    return deck


def _read_own() -> dict[str, DeckFile | str]:
    """Each own deck, or the error of its file, by id; a file that has changed is read again."""
    return dict(_read_all(decks_state()))


def decks_state() -> _State:
    """Returns which own decks there are now, for caches of what depends on them."""
    files = []
    for folder in _own_folder:
        try:
            ids = sorted(path.name for path in folder.iterdir())
        except OSError:  # there is none
            continue
        for id in ids:
            if id not in _RESERVED and not id.startswith("."):
                file = folder / id / DECK_FILE
                with suppress(OSError):  # another folder, or one that is going
                    files.append((file, file.stat().st_mtime_ns))
    return tuple(files)


@lru_cache(maxsize=16)
def _read_all(state: _State) -> dict[str, DeckFile | str]:
    decks: dict[str, DeckFile | str] = {}
    for file, _ in state:
        id = file.parent.name
        try:
            decks[id] = _checked(read_toml(file, DeckFile), id)
        except ValueError as error:
            text = str(error)
            decks[id] = text if text.startswith(f"{id}/") else f"{id}/{text}"
    return decks


def _checked(deck: DeckFile, id: str) -> DeckFile:
    where = f"{id}/{DECK_FILE}"
    if not is_deck_id(id):
        expected = "letters, digits and hyphens, 60 at most, and not the name of a shipped deck"
        raise DeckError(f"{where}: id: expected {expected}, got {shown(id)}")
    if deck.id != id:
        raise DeckError(f"{where}: id: expected the folder's name {shown(id)}, got {shown(deck.id)}")
    if isinstance(deck.profile, str) and deck.profile not in shipped_decks():
        known = ", ".join(shipped_decks())
        raise DeckError(f"{where}: profile: expected one of {known} or a table of cards, got {shown(deck.profile)}")
    return deck
