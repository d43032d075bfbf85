"""The files of taught decks: what may lie in their folders, and decks that are put there whole or not at all.

``decks/ID/deck.toml`` says what a deck is, ``decks/ID/faces/FACE-N.webp`` are pictures of its faces, ``decks/learnt``
holds what was learnt of all decks together.
"""

from __future__ import annotations

import hashlib
import itertools
import re
import secrets
import shutil
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path

import tomli_w

from scorer.deck import DECK_FILE, DeckFile, DeckProfile, is_deck_id, load_deck, parse_deck_file
from scorer.errors import DeckError
from scorer.faces import Face
from vision.errors import PhotoError
from vision.values import Frame
from webui.storage.files.atomic_files import read_file, rename_durably, replace_file

DECKS, FACES, LEARNT, LOOKS = "decks", "faces", "learnt", "looks.npz"
"""Among them the file in the folder of a deck with what rounds taught of its cards on the computer it came from."""
PICTURE_WIDTH = 480
_HEIGHTS = range(480, 1201)
MAX_PICTURE, MAX_DECK_FILE, MAX_DECK = 1024**2, 64 * 1024, 16 * 1024**2
"""The most bytes of a picture, of the file that says what a deck is, and of a deck's pictures together."""
MAX_DECKS, MAX_VARIANTS, MAX_PICTURES = 40, 20, 400
LEARNT_FILES = {"faces.deck.npz": 2 * 1024**2, "learnt.json": 1024**2}
"""What was learned, with the most bytes of each file: the last layers, and the note, which is written last."""
LONGEST_ID = 50
"""Letters of an id that is made here, without a number after it."""
_PICTURE = re.compile(r"([A-Z0-9]{1,12})-([1-9][0-9]?)\.webp")
Decode = Callable[[bytes, str], tuple[Frame, bytes]]
"""Decodes a picture file by its name, as ``vision.images.sandbox.Decoder.decode``. Raises PhotoError."""


def picture_name(face: Face, variant: int) -> str:
    """The file of one of several pictures of a face, from 1."""
    return f"{face}-{variant}.webp"


def parse_picture_name(name: str) -> tuple[Face, int] | None:
    """The face and number that a file's name says; None for another file."""
    match = _PICTURE.fullmatch(name)
    return (Face.parse(match[1]), int(match[2])) if match else None


def check_picture(name: str, data: bytes, deck: DeckFile, decode: Decode) -> None:
    """Checks one picture of a deck.

    Raises:
        DeckError: no face of the deck has this name, or it is no WebP picture of the right size.
    """
    found = parse_picture_name(name)
    if found is None:
        raise DeckError(f"expected pictures named by their face and number, such as 8H-1.webp, got {name[:40]!r}")
    face, variant = found
    if face not in profile_of(deck).copies:
        raise DeckError(f"expected pictures of the deck's own faces, got one of {face}")
    if variant > MAX_VARIANTS:
        raise DeckError(f"expected {MAX_VARIANTS} pictures of a face or fewer, got {name}")
    if len(data) > MAX_PICTURE or data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        raise DeckError(f"expected a WebP picture of {MAX_PICTURE // 1024**2} MB or less, got another file as {name}")
    try:
        frame, _ = decode(data, name)
    except PhotoError as error:
        raise DeckError(f"expected a picture that can be opened, got {name}, which is damaged") from error
    if frame.width != PICTURE_WIDTH or frame.height not in _HEIGHTS:
        size = f"{PICTURE_WIDTH} pixels wide and {_HEIGHTS[0]} to {_HEIGHTS[-1]} high"
        raise DeckError(f"expected pictures {size}, got {name} with {frame.width} by {frame.height}")


def profile_of(deck: DeckFile) -> DeckProfile:
    """The profile that a deck's file lists, or names."""
    return deck.own_profile or load_deck(str(deck.profile))


def deck_text(deck: DeckFile) -> str:
    """A deck's file as text; ``parse_deck_file`` reads it."""
    return tomli_w.dumps(deck.model_dump(mode="json", exclude_defaults=True))


def content_hash(deck: DeckFile, pictures: Mapping[str, bytes]) -> str:
    """The hash of what a deck teaches, its faces and pictures: SHA-256 in hexadecimal. Its name is no part of it."""
    digest = hashlib.sha256()
    parts = [deck.model_dump_json(exclude={"id", "name", "removed"}, exclude_defaults=True)]
    for name in sorted(pictures):
        parts += [name, hashlib.sha256(pictures[name]).hexdigest()]
    for part in parts:
        digest.update(f"{len(part)}:{part}".encode())
    return digest.hexdigest()


def read_pictures(folder: Path) -> dict[str, bytes]:
    """The pictures in the folder of a deck, by the names of their files; none where there are none.

    Raises:
        OSError: one cannot be read.
    """
    files = sorted((folder / FACES).glob("*.webp")) if (folder / FACES).is_dir() else []
    return {file.name: read_file(file, MAX_PICTURE) for file in files if _PICTURE.fullmatch(file.name)}


def write_deck(decks: Path, deck: DeckFile, pictures: Mapping[str, bytes], looks: bytes = b"") -> None:
    """Writes the folder of a new deck, with what rounds taught of its cards elsewhere; it appears whole.

    Raises:
        DeckError: its file could not be read back, or there are too many pictures.
        FileExistsError: there is a deck of this id.
        OSError: the disk does not take it.
    """
    text = deck_text(deck)
    parse_deck_file(text, deck.id)
    if len(pictures) > MAX_PICTURES:
        raise DeckError(f"expected {MAX_PICTURES} pictures in a deck or fewer, got {len(pictures)}")
    target = decks / deck.id
    if target.exists():
        raise FileExistsError(target)
    decks.mkdir(parents=True, exist_ok=True)
    part = decks / f".from-{secrets.token_hex(4)}"
    try:
        (part / FACES).mkdir(parents=True)
        replace_file(part / DECK_FILE, text.encode())
        if looks:
            replace_file(part / LOOKS, looks)
        for name, data in pictures.items():
            replace_file(part / FACES / name, data)
        rename_durably(part, target)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def check_room(decks: Path, more: int = 0) -> None:
    """Whether there is room for another deck, beside those here and ``more``. One removed for good takes none.

    Raises:
        DeckError: there are as many as fit.
    """
    if sum(1 for _ in decks.glob(f"*/{FACES}")) + more >= MAX_DECKS:
        raise DeckError(f"expected {MAX_DECKS} decks of your own or fewer; remove one for good first")


def free_id(decks: Path, wanted: str, taken: Collection[str] = ()) -> str:
    """The id that a new deck gets: the one ``wanted``, or the first with a number after it that no deck has."""
    numbered = (f"{wanted[:LONGEST_ID]}-{number}" for number in itertools.count(2))
    ids = itertools.chain([wanted], numbered)
    return next(id for id in ids if is_deck_id(id) and id not in taken and not (decks / id).exists())


def remove_tree(path: Path) -> None:
    """Removes a folder, so that nothing reads it half removed."""
    gone = path.with_name(f".from-{secrets.token_hex(4)}")
    with suppress(FileNotFoundError):
        path.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)
