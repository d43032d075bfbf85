"""Decks of an archive: checked one by one, staged whole, and put in place together."""

from __future__ import annotations

import hashlib
import json
import logging
import re
import shutil
import zipfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from scorer.deck import DECK_FILE, DeckFile, is_deck_id, parse_deck_file
from scorer.errors import DeckError
from webui.storage.files.atomic_files import rename_durably, replace_file
from webui.storage.files.deck_files import (
    DECKS,
    FACES,
    LEARNT,
    LEARNT_FILES,
    MAX_DECK,
    MAX_DECK_FILE,
    MAX_DECKS,
    MAX_LEARNT,
    MAX_PICTURE,
    MAX_PICTURES,
    Decode,
    check_picture,
    content_hash,
    read_pictures,
    write_deck,
)

_log = logging.getLogger(__name__)
_IN_DECK = rf"{re.escape(DECK_FILE)}|{FACES}/[A-Z0-9]{{1,12}}-[1-9][0-9]?\.webp"
_OWN = re.compile(rf"{DECKS}/([\w-]{{1,60}})/({_IN_DECK})", re.ASCII)
_LEARNT = re.compile(rf"{DECKS}/{LEARNT}/({'|'.join(map(re.escape, LEARNT_FILES))})")
Read = Callable[[str], bytes]
"""Reads a file of an archive by its name. Raises zipfile.BadZipFile."""


def largest(name: str) -> int | None:
    """How many bytes a file of decks may have by its name in an archive; None for any other file."""
    if match := _OWN.fullmatch(name):
        return None if match[1] == LEARNT else MAX_DECK_FILE if match[2] == DECK_FILE else MAX_PICTURE
    return MAX_LEARNT if _LEARNT.fullmatch(name) else None


def deck_file_names(names: Iterable[str]) -> list[str]:
    """The files that say what a deck is, among the names of an archive."""
    return [name for name in names if largest(name) == MAX_DECK_FILE]


def deck_paths(folder: Path, learnt: bool) -> list[Path]:
    """The files of decks in a data folder, as an archive has them; ``learnt``: with what was learnt of them."""
    paths = sorted((folder / DECKS).glob("*/**/*"))
    names = {path: path.relative_to(folder).as_posix() for path in paths if path.is_file()}
    return [path for path, name in names.items() if largest(name) and (learnt or not _LEARNT.fullmatch(name))]


@dataclass(slots=True)
class StagedDecks:
    """Decks of an archive in a temporary folder.

    What was learnt is taken along where nothing was learnt here, or where it was learnt of every deck that is here
    then.
    ``new`` are the ids of those that are not here, ``differing`` of those whose id another deck has here, which stays;
    ``left_out`` says why a deck was not taken, by its id.
    """

    work: Path
    folder: Path
    new: list[str] = field(default_factory=list)
    differing: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    has_learnt: bool = False
    learnt_of: frozenset[str] = frozenset()
    _installed: list[tuple[Path, bytes | None]] = field(default_factory=list)

    def refused(self) -> dict[str, str]:
        """Why each deck that was not taken was not, by its id."""
        other = "another deck of this name is here, which was left as it is"
        return {**dict.fromkeys(self.differing, other), **self.left_out}

    def install(self) -> None:
        """Puts the new decks in place, and what was learnt where nothing was learnt here.

        Raises:
            OSError: the disk does not take them.
        """
        if self.new or self.has_learnt:
            self.folder.mkdir(exist_ok=True)
        for id in self.new:
            rename_durably(self.work / id, self.folder / id)
            self._installed.append((self.folder / id, None))
        target = self.folder / LEARNT
        here = {path.parent.name for path in self.folder.glob(f"*/{DECK_FILE}")}
        if self.has_learnt and (not (target / LEARNT_FILES[-1]).exists() or here <= self.learnt_of):
            target.mkdir(exist_ok=True)
            for name in LEARNT_FILES:  # the note last: its hashes say whether the others are whole
                before = (target / name).read_bytes() if (target / name).exists() else None
                self._installed.append((target / name, before))
                rename_durably(self.work / LEARNT / name, target / name)

    def roll_back(self) -> None:
        """Undoes ``install``."""
        for path, before in reversed(self._installed):
            with suppress(OSError):
                if before is not None:
                    replace_file(path, before)
                elif path.is_dir():
                    shutil.rmtree(path)
                else:
                    path.unlink()


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
    held: dict[str, list[str]] = {}
    for name in names:
        if (match := _OWN.fullmatch(name)) and match[1] != LEARNT:
            held.setdefault(match[1], []).append(name)
    for id, files in sorted(held.items()):
        try:
            if not is_deck_id(id):
                raise DeckError("no deck of one's own can have this name")
            if len(staged.new) >= MAX_DECKS:
                raise DeckError(f"expected {MAX_DECKS} decks or fewer")
            deck, pictures = _deck_of(id, files, read, decode)
            target = staged.folder / id
            if not target.exists():
                write_deck(staged.work, deck, pictures)
                staged.new.append(id)
            elif _hash_of(target, id) != content_hash(deck, pictures):
                staged.differing.append(id)
        except DeckError as error:
            staged.left_out[id] = str(error)[:300]
        except zipfile.BadZipFile as error:
            _log.warning("left out of what was brought in: %s", error)
            staged.left_out[id] = "the file is damaged where this deck is; save it again where it came from"
    if all(f"{DECKS}/{LEARNT}/{name}" in names for name in LEARNT_FILES):
        staged.has_learnt = _stage_learnt(read, staged)
    return staged


def _deck_of(id: str, files: list[str], read: Read, decode: Decode) -> tuple[DeckFile, dict[str, bytes]]:
    start = f"{DECKS}/{id}/"
    if start + DECK_FILE not in files:
        raise DeckError(f"expected the file {DECK_FILE}, got none")
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
    return deck, pictures


def _hash_of(folder: Path, id: str) -> str:
    """The hash of a deck that is here; empty if it cannot be read."""
    try:
        deck = parse_deck_file((folder / DECK_FILE).read_text(encoding="utf-8"), id)
        return content_hash(deck, read_pictures(folder))
    except (OSError, ValueError):
        return ""


def _stage_learnt(read: Read, staged: StagedDecks) -> bool:
    """Stages what was learnt, if its files are those that its note names."""
    try:
        files = {name: read(f"{DECKS}/{LEARNT}/{name}") for name in LEARNT_FILES}
        note = json.loads(files[LEARNT_FILES[-1]])
        whole = all(hashlib.sha256(files[name]).hexdigest() == note["sha256"][name] for name in LEARNT_FILES[:-1])
        staged.learnt_of = frozenset(note.get("decks", {}))
    except (zipfile.BadZipFile, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        whole = False
    if not whole:
        staged.left_out[LEARNT] = "what was learnt of the decks is damaged"
        return False
    (staged.work / LEARNT).mkdir(parents=True)
    for name, data in files.items():
        replace_file(staged.work / LEARNT / name, data)
    return True
