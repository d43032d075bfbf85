"""Decks that are shipped as examples, to be tried without cards: each a file of a deck, with pictures of its cards."""

from __future__ import annotations

from pathlib import Path

from scorer.errors import DeckError
from webui.decks.deck_archive import import_decks
from webui.decks.taught import TaughtDecks
from webui.storage.files.deck_files import DECKS, Decode

_FILE = "deck.zip"


def example_folder(samples: Path, kind: str) -> Path:
    """The folder of the example with the cards of a kind."""
    return samples / DECKS / kind


def example_kinds(samples: Path) -> list[str]:
    """The kinds of cards of which there is an example, by the ids of their profiles."""
    return sorted(path.parent.name for path in (samples / DECKS).glob(f"*/{_FILE}"))


def add_example(decks: TaughtDecks, samples: Path, kind: str, decode: Decode) -> str:
    """Adds the example of a kind to the household's decks, or brings it back; returns its id there.

    Raises:
        ArchiveError: its file is damaged.
        DeckError: there is no room for it.
        StorageError: the disk does not take it.
    """
    found = import_decks(example_folder(samples, kind) / _FILE, decks.folder.parent, decode)
    for id in found.ids.values():
        if decks.get(id).file.removed:
            decks.bring_back(id)
        return id
    raise DeckError(next(iter(found.left_out.values()), "the example is damaged; install the program again"))
