"""What is kept, as frozen values: the database's own types stop at ``Store``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class SideRecord:
    """One side of a game: its name and its players, in the order of their seats."""

    name: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PhotoRecord:
    """A photo of one side's cards.

    ``player`` is the place of the player whose left-over cards these are, or None for the cards on the table;
    ``file`` its name in the folder of photos; ``width`` and ``height`` its upright size in pixels; ``reading`` as the
    reader gave it, or None where it has not been read.
    """

    id: int
    side: int
    player: int | None
    file: str
    width: int
    height: int
    source: str
    taken_at: str
    reading: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class CorrectionRecord:
    """One thing a person changed, in the order in which it was done."""

    id: int
    side: int
    change: dict[str, Any]


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One round: its photos, the corrections to their readings, facts no camera sees, the last confirmed sheet.

    ``sheet_id`` is the sheet's number; no other sheet ever has it.
    """

    id: int
    number: int
    facts: dict[str, Any]
    photos: tuple[PhotoRecord, ...]
    corrections: tuple[CorrectionRecord, ...]
    sheet: dict[str, Any] | None
    sheet_id: int | None = None


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game with the confirmed rounds and those begun, by number.

    ``state`` is ``ended`` for a game ended before its last round, ``open`` for one taken up again after it, ``removed``
    for one taken from the list; None goes by the rounds. ``first`` plays first in round 1, None where nobody said;
    ``at_table`` is the table of a club where it is played, None where there is only one.
    """

    id: int
    created_at: str
    rules: str
    players: int
    sides: tuple[SideRecord, ...]
    rounds: tuple[RoundRecord, ...]
    state: str | None = None
    first: str | None = None
    at_table: str | None = None

    def round(self, number: int) -> RoundRecord | None:
        return next((held for held in self.rounds if held.number == number), None)


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One change to a game: what kind, in which round and on which side (None: the whole game), before and after.

    ``who`` is the person or the device that made it, None where nobody knows.
    """

    id: int
    round: int | None
    side: int | None
    what: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    made_at: str
    who: str | None = None


@dataclass(frozen=True, slots=True)
class FirstMeldRecord:
    """A photo of a first meld with its reading.

    ``faces`` are its cards as they stand: ``face`` and ``index``, the place in the reading (None: added by hand).
    """

    id: int
    game_id: int
    round: int
    side: int
    file: str
    width: int
    height: int
    reading: dict[str, Any]
    faces: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class DeviceRecord:
    """A device of the network that was let in: what it is called, when it came and was last here (ISO 8601, UTC)."""

    id: int
    name: str
    came_at: str
    seen_at: str
