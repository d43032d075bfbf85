"""What was learned of the household's decks together, as files in ``decks/learnt``: read, checked, set aside, replaced.

They may come from anybody, with decks that were brought in. So the note says of which cards they were learned, by the
hash of a deck's content and never by its id alone; and the arrays are checked before they are loaded, at each start
too. Nothing here is a program: the network's graph is the program's own.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Protocol

from pydantic import BaseModel, ConfigDict, Field, StrictStr

from scorer.faces import STANDARD_FACES, Face
from vision.engines.weights import networks_hash
from vision.errors import MisfitError, WeightsError
from vision.recognise.deck_head import load_deck_head
from webui.storage.errors import StorageError, disk_errors
from webui.storage.files.atomic_files import read_file, read_json, replace_file
from webui.storage.files.deck_files import LEARNT_FILES
from webui.storage.files.folder_lock import only_one

LOCK = "learning.lock"
"""Held while the cards are being learned, or what was learned is changed otherwise."""
_ASIDE = "set-aside"
LEARNT_ON = ("roi_head",)
"""The networks whose embeddings are named; with others it must be learned anew."""
OTHER_VERSION = "it was learned by another version of the program"
_MAX_NOTE = 1024**2
_NAMES, _NOTE = LEARNT_FILES
Sha256 = Annotated[StrictStr, Field(pattern=r"^[0-9a-f]{64}$")]
_FaceName = Annotated[StrictStr, Field(pattern=r"^[0-9A-Z]{1,12}$")]
_log = logging.getLogger(__name__)


class DeckTest(BaseModel):
    """What the test on drawn tables came to for a deck: the faces that people are asked about or must ``check``, and
    those that they must ``type``; the others are read well."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    check: tuple[_FaceName, ...] = Field(default=(), max_length=2000)
    type: tuple[_FaceName, ...] = Field(default=(), max_length=2000)


class LearningNow(StorageError):
    """The cards are being learned, so that nobody else may change what was learnt."""


class Deck(Protocol):
    """A deck as it is now."""

    @property
    def id(self) -> str: ...

    def content_hash(self) -> str: ...


class Learnt(BaseModel):
    """What was learnt, as its note ``learnt.json`` says; further keys are for others.

    Attributes:
        folder: where it lies.
        sha256: the hash of the other file, by its name.
        faces: the faces.
        decks: the hash of each deck that it was learnt of, by its id.
        whole: ids of the standard decks that it reads better than the shipped networks do.
        networks: identifies the networks whose embeddings are named.
        seconds: how long it was learnt.
        self_test: how the self-test ended; empty where that tells of cards that were removed since.
        tests: how the test on drawn tables ended for each deck, by its id.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    folder: Path = Field(default=Path(), exclude=True)
    sha256: dict[str, Sha256]
    faces: tuple[_FaceName, ...] = Field(default=(), max_length=2000)
    decks: dict[str, Sha256] = {}
    whole: tuple[StrictStr, ...] = Field(default=(), max_length=2000)
    networks: Annotated[StrictStr, Field(max_length=64)] = ""
    seconds: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    self_test: Annotated[StrictStr, Field(max_length=1000)] = ""
    tests: dict[str, DeckTest] = {}

    @property
    def names(self) -> Path:
        return self.folder / _NAMES

    def covers(self, deck: Deck) -> bool:
        """Whether it was learnt of this deck as it is now; not where the deck's pictures cannot be read."""
        try:
            return deck.id in self.decks and self.decks[deck.id] == deck.content_hash()
        except StorageError:  # its pictures cannot be read
            return False


def read_learnt_in(folder: Path) -> Learnt | None:
    """Reads what was learnt; None where nothing was, or a file is not the one that the note names."""
    with suppress(OSError, ValueError):
        note = _note_in(folder)
        if note.sha256 == {_NAMES: _sha256(note.names)}:
            return note
    return None


def check_learnt(folder: Path) -> Learnt | None:
    """Reads what was learnt and checks every array of it; None where nothing was.

    Raises:
        MisfitError: a file does not fit; says which, and why.
    """
    if not (folder / _NOTE).exists():
        return None
    found = read_learnt_in(folder)
    if found is None:
        with suppress(OSError, ValueError):
            if _note_in(folder).sha256.keys() != {_NAMES}:
                raise MisfitError(OTHER_VERSION)
        raise MisfitError("its files are damaged")
    if found.networks != networks_hash(LEARNT_ON):
        raise MisfitError(OTHER_VERSION)
    load_deck_head(found.names, [Face.parse(name) for name in found.faces])
    return found


def set_aside_misfit(folder: Path, when: str) -> None:
    """Moves what was learnt aside where it does not fit, and notes why; not while it is being learned anew.

    Args:
        folder: where it lies.
        when: a part of the name that it gets, such as the time.
    """
    try:
        check_learnt(folder)
        return
    except MisfitError as error:
        _log.warning("what was learned of the decks does not fit: %s", error)
    except WeightsError:
        return
    with suppress(StorageError, OSError), changing_learnt(folder):
        try:
            check_learnt(folder)  # it may have been learned anew meanwhile
        except MisfitError as error:
            _move_aside(folder, when, str(error))


def _move_aside(folder: Path, when: str, why: str) -> None:
    aside = folder / f"{_ASIDE}-{when}"
    aside.mkdir(exist_ok=True)
    for name in (*LEARNT_FILES, "roi_head.npz", "roi_head.onnx"):  # the last two of earlier versions
        with suppress(FileNotFoundError):
            (folder / name).rename(aside / name)
    replace_file(folder / f"{_ASIDE}.json", json.dumps({"why": why, "kept": aside.name}).encode())


def why_set_aside(folder: Path) -> tuple[str, str] | None:
    """Why what was learnt was set aside, and by what name; None where nothing was, or other was learned since."""
    if (folder / _NOTE).exists():
        return None
    try:
        note = read_json(folder / f"{_ASIDE}.json")
        return str(note["why"]), str(note["kept"])
    except (KeyError, TypeError):
        return None


@contextmanager
def changing_learnt(folder: Path) -> Iterator[None]:
    """A block in which nobody else changes what was learnt.

    Raises:
        LearningNow: somebody does.
        StorageError: it cannot be changed.
    """
    busy = LearningNow("the cards are being learned right now; wait until that is done, or stop it, and try again")
    otherwise = "what was learned cannot be changed"
    with only_one(folder / LOCK, otherwise, busy), disk_errors(otherwise):
        yield


def keep_ids_of(folder: Path, here: Mapping[str, str]) -> None:
    """Writes the note of what was brought in anew: of the decks that are ``here``, found by their content.

    Args:
        folder: what was brought in; it was checked.
        here: the hash of the content of each deck here, by its id.
    """
    note = _note_in(folder)
    there = {digest: id for id, digest in note.decks.items()}
    _write_note(note, {id: there[digest] for id, digest in here.items() if digest in there})


def forget_deck(folder: Path, id: str, faces_of: Callable[[str], Iterable[Face]]) -> None:
    """Removes what was learnt of a deck.

    Args:
        folder: where what was learnt lies.
        id: the deck.
        faces_of: the faces of another deck by its id; none where that is not here.

    Raises:
        StorageError: the disk does not take it.
    """
    with changing_learnt(folder):
        found = read_learnt_in(folder)
        if found is None or id not in found.decks:
            return
        others = [other for other in found.decks if other != id]
        if not others:
            for name in reversed(LEARNT_FILES):
                (folder / name).unlink()
            return
        faces = {*STANDARD_FACES, *(face for other in others for face in faces_of(other))}
        kept = tuple(name for name in found.faces if Face.parse(name) in faces)
        with suppress(WeightsError):  # another reason not to use it, which the next start tells
            head = load_deck_head(found.names)
            head.restricted_to([face for face in head.vocabulary.faces if face in faces]).save(folder / ".names.npz")
            replace_file(found.names, (folder / ".names.npz").read_bytes())
            (folder / ".names.npz").unlink()
        shorter = found.model_copy(update={"faces": kept, "self_test": ""})
        _write_note(shorter, {other: other for other in others})


def _write_note(note: Learnt, ids: Mapping[str, str]) -> None:
    """Writes a note anew, of the decks ``ids`` alone: the id that each has now, and the one that the note has it by."""
    told = note.model_dump(mode="json") | {
        "sha256": {_NAMES: _sha256(note.names)},
        "decks": {id: note.decks[there] for id, there in ids.items()},
        "whole": [id for id, there in ids.items() if there in note.whole],
        "tests": {id: note.tests[there].model_dump() for id, there in ids.items() if there in note.tests},
    }
    replace_file(note.folder / _NOTE, json.dumps(told, indent=1).encode() + b"\n")


def _note_in(folder: Path) -> Learnt:
    """Raises OSError, and ValueError where it is no such note."""
    read = Learnt.model_validate_json(read_file(folder / _NOTE, _MAX_NOTE))
    return read.model_copy(update={"folder": folder})


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
