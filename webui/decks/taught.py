"""The household's own decks, as folders of the data folder: list, add, rename, remove, and their pictures."""

from __future__ import annotations

import itertools
import re
import threading
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import ValidationError

from scorer.data import error_sentence
from scorer.deck import DECK_FILE, DeckFile, DeckProfile, is_deck_id, load_deck, own_decks, parse_deck_file
from scorer.deck_profile import ProfileFields
from scorer.errors import DeckError
from scorer.faces import Face
from webui.storage.errors import disk_errors
from webui.storage.files.atomic_files import replace_file
from webui.storage.files.deck_files import (
    DECKS,
    FACES,
    LONGEST_ID,
    MAX_VARIANTS,
    Decode,
    check_picture,
    check_room,
    content_hash,
    deck_text,
    free_id,
    parse_picture_name,
    picture_name,
    read_pictures,
    remove_tree,
    write_deck,
)
from webui.wording import tidy

_REMOVED = ".removed"
"""The end of the name of a picture that was removed; the last one of each number is kept."""
_writing = threading.Lock()
"""Two decks made at once would take the same id, two pictures the same number."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A rectified picture of one face; a face may have several, such as old and new jokers, numbered from 1."""

    face: Face
    variant: int
    path: Path


@dataclass(frozen=True)
class TaughtDeck:
    """One design of cards of a household.

    Attributes:
        file: what its file says: id, name, profile, whether it is removed.
        profile: the faces that it has.
        pictures: those that were taken of them, in the order of the profile.
    """

    file: DeckFile
    folder: Path
    profile: DeckProfile
    pictures: tuple[Picture, ...]

    @property
    def id(self) -> str:
        return self.file.id

    @property
    def name(self) -> str:
        return self.file.name

    @cached_property
    def faces(self) -> dict[Face, tuple[Picture, ...]]:
        """The pictures of each face that has any."""
        held: dict[Face, tuple[Picture, ...]] = {}
        for picture in self.pictures:
            held[picture.face] = (*held.get(picture.face, ()), picture)
        return held

    @property
    def missing(self) -> tuple[Face, ...]:
        """The faces of which there is no picture."""
        return tuple(face for face in self.profile.faces if face not in self.faces)

    def content_hash(self) -> str:
        """The hash of its faces and pictures, by which is told whether it was learnt as it is.

        Raises:
            StorageError: a picture cannot be read.
        """
        with disk_errors("the deck cannot be read"):
            return content_hash(self.file, read_pictures(self.folder))


class TaughtDecks:
    """The own decks of a data folder. Thread-safe.

    Every method that writes raises StorageError where the disk does not take it, and then nothing has changed.

    Args:
        data_dir: the data folder; ``scorer.deck.use_deck_folder`` must name its folder of decks.
        decode: decodes pictures that come from anybody.
    """

    def __init__(self, data_dir: Path, decode: Decode) -> None:
        self.folder = data_dir / DECKS
        self._decode = decode

    def all(self, removed: bool = False) -> list[TaughtDeck]:
        """The decks by name, or those removed. A deck whose file is wrong is among ``scorer.deck.broken_decks``."""
        found = [self._deck(file) for file in own_decks().values() if file.removed == removed]
        return sorted(found, key=lambda deck: (deck.name.casefold(), deck.id))

    def get(self, id: str) -> TaughtDeck:
        """A deck by its id, a removed one too.

        Raises:
            DeckError: there is none.
        """
        file = own_decks().get(id)
        if file is None:
            raise DeckError(f"expected one of your own decks, got {id[:60]!r}")
        return self._deck(file)

    def has_name(self, name: str, but: str = "") -> bool:
        """Whether a deck on the list, other than that of the id ``but``, is called so, whatever the capitals."""
        return any(deck.name.casefold() == tidy(name).casefold() for deck in self.all() if deck.id != but)

    def add(
        self, name: str, profile: str | ProfileFields, pictures: Sequence[tuple[Face, bytes]] = (), id: str = ""
    ) -> TaughtDeck:
        """Adds a deck with its pictures, each of a face; several of one face are numbered in their order.

        Args:
            name: what the household calls it.
            profile: the id of a shipped profile, or faces of its own.
            pictures: WebP files.
            id: the id that it gets; made from the name if empty.

        Raises:
            DeckError: there are too many decks, the id is taken, or a picture is not one of the deck; says what came.
        """
        name = tidy(name)
        with _writing, disk_errors("the deck cannot be kept"):
            check_room(self.folder)
            file = _checked_file({"id": id or self._free_id(name), "name": name or "Our cards", "profile": profile})
            if not is_deck_id(file.id) or (self.folder / file.id).exists():
                raise DeckError(f"expected an id that no deck has yet, of letters, digits and hyphens, got {file.id!r}")
            files = dict(_numbered(pictures))
            for picture, data in files.items():
                check_picture(picture, data, file, self._decode)
            write_deck(self.folder, file, files)
        return self.get(file.id)

    def add_picture(self, id: str, face: Face, data: bytes) -> Picture:
        """Adds another picture of a face, a WebP file.

        Raises:
            DeckError: there is no such deck, or it is no picture of one of its faces.
        """
        with _writing, disk_errors("the picture cannot be kept"):
            deck = self.get(id)
            taken = {picture.variant for picture in deck.faces.get(face, ())}
            variant = next(number for number in itertools.count(1) if number not in taken)
            name = picture_name(face, variant)
            check_picture(name, data, deck.file, self._decode)
            (deck.folder / FACES).mkdir(exist_ok=True)
            replace_file(deck.folder / FACES / name, data)
            return Picture(face, variant, deck.folder / FACES / name)

    def teach(self, id: str, pictures: Mapping[Face, Sequence[bytes]], more: Collection[Face] = ()) -> TaughtDeck:
        """Adds pictures, WebP files, in place of those that the deck has of the same faces.

        Args:
            id: the deck.
            pictures: those of each face.
            more: faces of which those that the deck has stay, as there are several kinds.

        Raises:
            DeckError: there is no such deck, or one is no picture of one of its faces.
        """
        had = self.get(id).pictures
        for face, files in pictures.items():
            for data in files:
                self.add_picture(id, face, data)
        for old in had:
            if old.face in pictures and old.face not in more:
                self.remove_picture(id, old.face, old.variant)
        return self.get(id)

    def remove_picture(self, id: str, face: Face, variant: int) -> None:
        """Removes one picture of a face, if there is such; ``put_picture_back`` undoes it.

        Raises:
            DeckError: there is no such deck.
        """
        with _writing, disk_errors("the picture cannot be removed"):
            path = self.get(id).folder / FACES / picture_name(face, variant)
            if path.exists():
                path.replace(path.with_name(path.name + _REMOVED))

    def put_picture_back(self, id: str, face: Face, variant: int) -> bool:
        """Brings a removed picture back; False where it is gone, or another has its number now.

        Raises:
            DeckError: there is no such deck.
        """
        with _writing, disk_errors("the picture cannot be brought back"):
            path = self.get(id).folder / FACES / picture_name(face, variant)
            removed = path.with_name(path.name + _REMOVED)
            if path.exists() or not removed.exists():
                return False
            removed.replace(path)
            return True

    def rename(self, id: str, name: str) -> TaughtDeck:
        """Gives a deck another name; its id stays.

        Raises:
            DeckError: there is no such deck, or the name shows nothing.
        """
        name = tidy(name)
        if not name:
            raise DeckError("expected a name that shows, got an empty one")
        return self._change(id, name=name)

    def remove(self, id: str) -> TaughtDeck:
        """Takes a deck off all lists. Its files stay, so that it can be brought back and old rounds can be read."""
        return self._change(id, removed=True)

    def bring_back(self, id: str) -> TaughtDeck:
        """Brings a removed deck back as it was."""
        return self._change(id, removed=False)

    def remove_for_good(self, id: str) -> None:
        """Deletes the pictures of a removed deck, and the deck itself unless it lists faces that old rounds may name.

        Raises:
            DeckError: there is no such deck, or it is not removed.
        """
        with _writing, disk_errors("the deck cannot be removed"):
            deck = self.get(id)
            if not deck.file.removed:
                raise DeckError(f"expected a deck that was removed before, got {deck.name}")
            remove_tree(deck.folder / FACES if deck.file.own_profile else deck.folder)

    def _change(self, id: str, **changed: object) -> TaughtDeck:
        with _writing, disk_errors("the deck cannot be kept"):
            deck = self.get(id)
            file = _checked_file({**deck.file.model_dump(), **changed})
            replace_file(deck.folder / DECK_FILE, deck_text(file).encode())
        return self.get(id)

    def _deck(self, file: DeckFile) -> TaughtDeck:
        folder = self.folder / file.id
        profile = load_deck(file.id)
        order = {face: place for place, face in enumerate(profile.faces)}
        found = []
        for path in (folder / FACES).glob("*.webp") if (folder / FACES).is_dir() else ():
            named = parse_picture_name(path.name)
            if named and named[0] in order and named[1] <= MAX_VARIANTS:
                found.append(Picture(*named, path))
        found.sort(key=lambda picture: (order[picture.face], picture.variant))
        return TaughtDeck(file, folder, profile, tuple(found))

    def _free_id(self, name: str) -> str:
        ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        return free_id(self.folder, re.sub(r"[^a-z0-9]+", "-", ascii_name).strip("-")[:LONGEST_ID] or "our-cards")


def _checked_file(data: dict[str, object]) -> DeckFile:
    try:
        file = DeckFile.model_validate(data)
    except ValidationError as error:
        raise DeckError(error_sentence(error, DeckFile)) from error
    return parse_deck_file(deck_text(file), file.id)  # as it will be read


def _numbered(pictures: Iterable[tuple[Face, bytes]]) -> Iterable[tuple[str, bytes]]:
    variants: dict[Face, int] = {}
    for face, data in pictures:
        variants[face] = variants.get(face, 0) + 1
        yield picture_name(face, variants[face]), data
