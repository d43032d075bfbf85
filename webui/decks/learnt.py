"""What was learnt of the household's decks together: whether it is whole, and of which decks it was learnt."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StrictStr, ValidationError

from webui.decks.taught import TaughtDeck
from webui.storage.files.deck_files import DECKS, LEARNT, LEARNT_FILES

_MAX_NOTE = 1024**2
_NETWORK, _FACES, _NOTE = LEARNT_FILES
Sha256 = Annotated[StrictStr, Field(pattern=r"^[0-9a-f]{64}$")]


class _Note(BaseModel):
    """``learnt.json``; further keys are for others."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    sha256: dict[str, Sha256]
    faces: tuple[StrictStr, ...] = Field(default=(), max_length=2000)
    decks: dict[str, Sha256] = {}
    whole: tuple[StrictStr, ...] = Field(default=(), max_length=2000)
    dark: tuple[StrictStr, ...] = Field(default=(), max_length=2000)
    seconds: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    self_test: Annotated[StrictStr, Field(max_length=1000)] = ""


@dataclass(frozen=True, slots=True)
class Learnt:
    """What was learnt.

    Attributes:
        folder: where it lies.
        decks: the hash of each deck that it was learnt of, by its id.
        faces: the faces.
        seconds: how long it was learnt.
        self_test: how the self-test ended.
        whole: ids of the standard decks that it reads better than the shipped networks do.
        dark: ids of the decks on dark paper, which are read on negatives.
    """

    folder: Path
    decks: dict[str, str]
    faces: tuple[str, ...]
    seconds: float
    self_test: str
    whole: tuple[str, ...] = ()
    dark: tuple[str, ...] = ()

    def covers(self, deck: TaughtDeck) -> bool:
        """Whether it was learnt of this deck as it is now.

        Raises:
            StorageError: the deck's pictures cannot be read.
        """
        return deck.id in self.decks and self.decks[deck.id] == deck.content_hash()


def read_learnt(data_dir: Path) -> Learnt | None:
    """Reads what was learnt in a data folder; None where nothing was, or a file is not the one that the note names."""
    return read_learnt_in(data_dir / DECKS / LEARNT)


def read_learnt_in(folder: Path) -> Learnt | None:
    """As ``read_learnt``, of the folder itself."""
    try:
        with (folder / _NOTE).open("rb") as file:
            note = _Note.model_validate_json(file.read(_MAX_NOTE))
        whole = all(_sha256(folder / name) == note.sha256.get(name) for name in (_NETWORK, _FACES))
    except (OSError, ValidationError, ValueError):
        return None
    if not whole:
        return None
    return Learnt(folder, dict(note.decks), note.faces, note.seconds, note.self_test, note.whole, note.dark)


def is_up_to_date(learnt: Learnt | None, decks: Iterable[TaughtDeck]) -> bool:
    """Whether all decks with pictures were learnt as they are now."""
    return learnt is not None and all(learnt.covers(deck) for deck in decks if deck.pictures)


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(1024**2):
            digest.update(chunk)
    return digest.hexdigest()
