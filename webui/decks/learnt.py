"""What was learnt of the household's decks: whether it counts for them as they are, and what else is offered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from webui.decks.taught import TaughtDeck
from webui.storage.files.deck_files import DECKS, LEARNT
from webui.storage.files.learnt_files import BEFORE, OFFERED, Learnt, read_learnt_in


@dataclass(frozen=True, slots=True)
class Offer:
    """What was learned elsewhere, or here before, and may be used in place of what is used now.

    ``gained`` are the decks that only it has learned as they are now, ``lost`` those that only the other has.
    """

    gained: tuple[TaughtDeck, ...]
    lost: tuple[TaughtDeck, ...]


def read_learnt(data_dir: Path) -> Learnt | None:
    """Reads what was learnt in a data folder; None where nothing was, or a file is not the one that the note names."""
    return read_learnt_in(data_dir / DECKS / LEARNT)


def is_up_to_date(learnt: Learnt | None, decks: Iterable[TaughtDeck]) -> bool:
    """Whether all decks with pictures were learnt as they are now."""
    return learnt is not None and all(learnt.covers(deck) for deck in decks if deck.pictures)


def offered(data_dir: Path, decks: Sequence[TaughtDeck]) -> Offer | None:
    """What a file brought in that nobody has decided about; None where it would gain nothing."""
    found = _compared(data_dir, OFFERED, decks)
    return found if found and found.gained else None


def replaced(data_dir: Path, decks: Sequence[TaughtDeck]) -> Offer | None:
    """What was learned here before it was replaced; None where there is none that counts for any deck now."""
    before = read_learnt_in(data_dir / DECKS / LEARNT / BEFORE)
    if before is None or not any(map(before.covers, decks)):
        return None
    return _compared(data_dir, BEFORE, decks)


def _compared(data_dir: Path, place: str, decks: Sequence[TaughtDeck]) -> Offer | None:
    now, other = read_learnt(data_dir), read_learnt_in(data_dir / DECKS / LEARNT / place)
    if other is None:
        return None
    known = {deck.id: (now is not None and now.covers(deck), other.covers(deck)) for deck in decks}
    gained = tuple(deck for deck in decks if known[deck.id] == (False, True))
    return Offer(gained, tuple(deck for deck in decks if known[deck.id] == (True, False)))
