"""Decks of an archive: checked one by one, staged whole, and put in place together."""

from __future__ import annotations

import itertools
import logging
import re
import shutil
import zipfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from scorer.deck import DECK_FILE, DeckFile, is_deck_id, parse_deck_file
from scorer.deck_profile import LONGEST_NAME
from scorer.errors import DeckError
from vision.errors import MisfitError, WeightsError
from vision.looks.looks import Looks, LooksError
from webui.storage.files.atomic_files import rename_durably, replace_file
from webui.storage.files.deck_files import (
    DECKS,
    FACES,
    LEARNT,
    LEARNT_FILES,
    LOOKS,
    MAX_DECK,
    MAX_DECK_FILE,
    MAX_PICTURE,
    MAX_PICTURES,
    Decode,
    check_picture,
    check_room,
    content_hash,
    free_id,
    read_pictures,
    write_deck,
)
from webui.storage.files.learnt_files import (
    OTHER_VERSION,
    LearningNow,
    changing_learnt,
    check_learnt,
    keep_ids_of,
    read_learnt_in,
)

_log = logging.getLogger(__name__)
_IN_DECK = rf"{re.escape(DECK_FILE)}|{re.escape(LOOKS)}|{FACES}/[A-Z0-9]{{1,12}}-[1-9][0-9]?\.webp"
_OWN = re.compile(rf"{DECKS}/([\w-]{{1,60}})/({_IN_DECK})", re.ASCII)
_LEARNT = re.compile(rf"{DECKS}/{LEARNT}/({'|'.join(map(re.escape, LEARNT_FILES))})")
Read = Callable[[str], bytes]
"""Reads a file of an archive by its name. Raises zipfile.BadZipFile."""


def largest(name: str) -> int | None:
    """How many bytes a file of decks may have by its name in an archive; None for any other file."""
    if match := _OWN.fullmatch(name):
        return None if match[1] == LEARNT else MAX_DECK_FILE if match[2] == DECK_FILE else MAX_PICTURE
    return LEARNT_FILES[match[1]] if (match := _LEARNT.fullmatch(name)) else None


def deck_file_names(names: Iterable[str]) -> list[str]:
    """The files that say what a deck is, among the names of an archive."""
    return [name for name in names if largest(name) == MAX_DECK_FILE]


def deck_paths(folder: Path, learnt: bool) -> list[Path]:
    """The files of decks in a data folder, as an archive has them; ``learnt``: with what was learnt of them.

    What rounds taught is not among them: it is in no backup.
    """
    paths = [path for path in sorted((folder / DECKS).glob("*/**/*")) if path.name != LOOKS]
    names = {path: path.relative_to(folder).as_posix() for path in paths if path.is_file()}
    return [path for path, name in names.items() if largest(name) and (learnt or not _LEARNT.fullmatch(name))]


@dataclass(frozen=True, slots=True)
class NewDeck:
    """A deck that is added: its id and name here, and the name that it came by, which another deck may have here."""

    id: str
    name: str
    came_as: str


class Installed:
    """Files and folders that were put in place, and how to undo it. In a ``with`` block, an exception undoes all."""

    def __init__(self) -> None:
        self._undo = ExitStack()

    def __enter__(self) -> Installed:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._undo.close()

    def install(self, moves: Iterable[tuple[Path, Path]]) -> None:
        """Moves staged files to their target paths, in place of those that are there; or folders, where none is.

        Raises:
            OSError: the disk does not take them.
        """
        for staged, target in moves:
            target.parent.mkdir(parents=True, exist_ok=True)
            self._undo.callback(_put_back, target, target.read_bytes() if target.is_file() else None)
            rename_durably(staged, target)


def _put_back(target: Path, content: bytes | None) -> None:
    with suppress(OSError):
        if content is not None:
            replace_file(target, content)
        elif target.is_dir():
            shutil.rmtree(target)
        else:
            target.unlink(missing_ok=True)


@dataclass(slots=True)
class StagedDecks:
    """Decks of an archive in a temporary folder.

    Decks are compared by what they teach, their faces and pictures, never by an id, which is made from a name. No deck
    that is here changes: one of the same id or name gets others.

    Attributes:
        new: those that are not here.
        ids: the id here of each deck of the archive that is here then, by its id there.
        left_out: why a deck was not taken, by its id.
    """

    work: Path
    folder: Path
    new: list[NewDeck] = field(default_factory=list)
    ids: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    _here: dict[str, str] = field(default_factory=dict)
    _has_learnt: bool = False

    def renamed(self) -> dict[str, str]:
        """The decks that have another id here, by their id there."""
        return {there: here for there, here in self.ids.items() if there != here}

    def install(self, installed: Installed) -> None:
        """Puts the new decks in place, and what was learned of them where nothing was learned of the decks here: else
        they are to be learned together.

        Raises:
            OSError, StorageError: the disk does not take them.
        """
        installed.install((self.work / deck.id, self.folder / deck.id) for deck in self.new)
        if not self._has_learnt:
            return
        brought, target = self.work / LEARNT, self.folder / LEARNT
        new, now = read_learnt_in(brought), read_learnt_in(target)
        known = now.decks if now else {}
        if new is None or not new.decks.items() - known.items() or known.items() & self._here.items():
            return  # it gains nothing, or takes away
        with suppress(LearningNow), changing_learnt(target):
            installed.install((brought / name, target / name) for name in LEARNT_FILES)  # the note last


def stage_decks(names: Iterable[str], read: Read, work: Path, folder: Path, decode: Decode) -> StagedDecks:
    """Stages the decks of an archive that are not here.

    Args:
        names: the names of all files of the archive.
        read: reads one of them.
        work: a temporary folder on the disk of the data folder.
        folder: the data folder.
        decode: decodes pictures that come from anybody.

    Raises:
        OSError: the disk does not take them.
    """
    names = list(dict.fromkeys(names))
    staged = StagedDecks(work / DECKS, folder / DECKS)
    here = _decks_in(staged.folder)
    staged._here = {id: digest for id, (_, digest) in here.items()}
    held: dict[str, list[str]] = {}
    for name in names:
        if (match := _OWN.fullmatch(name)) and match[1] != LEARNT:
            held.setdefault(match[1], []).append(name)
    for id, files in sorted(held.items()):
        try:
            if not is_deck_id(id):
                raise DeckError("no deck of one's own can have this name")
            deck, pictures, looks = _deck_of(id, files, read, decode)
            _stage(staged, deck, pictures, looks, [file for file, _ in here.values()])
        except DeckError as error:
            staged.left_out[id] = str(error)[:300]
        except zipfile.BadZipFile as error:
            _log.warning("left out of what was brought in: %s", error)
            staged.left_out[id] = "the file is damaged where this deck is; save it again where it came from"
    if f"{DECKS}/{LEARNT}/{[*LEARNT_FILES][-1]}" in names:
        staged._has_learnt = _stage_learnt(read, names, staged)
    return staged


def _stage(
    staged: StagedDecks, deck: DeckFile, pictures: Mapping[str, bytes], looks: bytes, here: list[DeckFile]
) -> None:
    """Stages a deck under a free id and name, unless one of the same content is here or among the new ones."""
    digest = content_hash(deck, pictures)
    same = sorted((id for id, other in staged._here.items() if other == digest), key=lambda id: (id != deck.id, id))
    if same:
        staged.ids[deck.id] = same[0]
        return
    check_room(staged.folder, len(staged.new))
    learnt = read_learnt_in(staged.folder / LEARNT)  # of a deck that had this id once
    taken_ids = {*(new.id for new in staged.new), *(learnt.decks if learnt else ())}
    id = free_id(staged.folder, deck.id, taken_ids)
    taken = {file.name.casefold() for file in here if not file.removed} | {new.name.casefold() for new in staged.new}
    name = deck.name if deck.removed else next(one for one in _numbered(deck.name) if one.casefold() not in taken)
    write_deck(staged.work, deck.model_copy(update={"id": id, "name": name}), pictures, looks)
    staged.new.append(NewDeck(id, name, deck.name))
    staged.ids[deck.id] = id
    staged._here[id] = digest


def _numbered(name: str) -> Iterable[str]:
    yield name
    for number in itertools.count(2):
        end = f" {number}"
        yield name[: LONGEST_NAME - len(end)] + end


def _decks_in(folder: Path) -> dict[str, tuple[DeckFile, str]]:
    """The decks that are here, and the hash of the content of each; without those that cannot be read."""
    found = {}
    for path in sorted(folder.glob(f"*/{DECK_FILE}")):
        with suppress(OSError, ValueError):
            deck = parse_deck_file(path.read_text(encoding="utf-8"), path.parent.name)
            found[deck.id] = deck, content_hash(deck, read_pictures(path.parent))
    return found


def _deck_of(id: str, files: list[str], read: Read, decode: Decode) -> tuple[DeckFile, dict[str, bytes], bytes]:
    """A deck of an archive, its pictures, and what rounds taught of its cards; empty where there is nothing."""
    start = f"{DECKS}/{id}/"
    if start + DECK_FILE not in files:
        raise DeckError(f"expected the file {DECK_FILE}, got none")
    looks = read(start + LOOKS) if start + LOOKS in files else b""
    try:
        if looks:
            Looks.from_bytes(looks)
    except LooksError as error:
        raise DeckError(str(error)) from error
    files = [name for name in files if name != start + LOOKS]
    if len(files) > MAX_PICTURES + 1:
        raise DeckError(f"expected {MAX_PICTURES} pictures in a deck or fewer, got {len(files) - 1}")
    deck = parse_deck_file(read(start + DECK_FILE).decode("utf-8", "replace"), id)
    pictures = {}
    for name in files:
        if name != start + DECK_FILE:
            plain = name.removeprefix(f"{start}{FACES}/")
            pictures[plain] = read(name)
            if sum(map(len, pictures.values())) > MAX_DECK:
                raise DeckError(f"expected a deck of {MAX_DECK // 1024**2} MB or less, got a larger one")
            check_picture(plain, pictures[plain], deck, decode)
    return deck, pictures, looks


def _stage_learnt(read: Read, names: Iterable[str], staged: StagedDecks) -> bool:
    """Stages what was learned, if all that it holds fits, for the decks that are here by then."""
    folder = staged.work / LEARNT
    try:
        if not {f"{DECKS}/{LEARNT}/{name}" for name in LEARNT_FILES} <= {*names}:
            raise MisfitError(OTHER_VERSION)
        folder.mkdir(parents=True)
        for name in LEARNT_FILES:
            replace_file(folder / name, read(f"{DECKS}/{LEARNT}/{name}"))
        if check_learnt(folder) is None:
            return False
        keep_ids_of(folder, staged._here)
        return True
    except WeightsError as error:
        staged.left_out[LEARNT] = f"what was learned of the decks cannot be used: {error}; learn the cards here"[:300]
    except zipfile.BadZipFile:
        staged.left_out[LEARNT] = "what was learned of the decks is damaged; save the file again where it came from"
    return False
