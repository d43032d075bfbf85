"""What was learnt of the household's decks, and whether it counts for them as they are."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from webui.decks.taught import TaughtDeck
from webui.storage.files.deck_files import DECKS, LEARNT
from webui.storage.files.learnt_files import Learnt, read_learnt_in


def read_learnt(data_dir: Path) -> Learnt | None:
    """Reads what was learnt in a data folder; None where nothing was, or a file is not the one that the note names."""
    return read_learnt_in(data_dir / DECKS / LEARNT)


def is_up_to_date(learnt: Learnt | None, decks: Iterable[TaughtDeck]) -> bool:
    """Whether all decks with pictures were learnt as they are now."""
    return learnt is not None and all(learnt.covers(deck) for deck in decks if deck.pictures)
