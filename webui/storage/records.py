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
    """One round: its photos, the corrections to their readings, facts no camera sees, the last confirmed sheet."""

    id: int
    number: int
    facts: dict[str, Any]
    photos: tuple[PhotoRecord, ...]
    corrections: tuple[CorrectionRecord, ...]
    sheet: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game with the confirmed rounds and those begun, by number."""

    id: int
    created_at: str
    rules: str
    players: int
    sides: tuple[SideRecord, ...]
    rounds: tuple[RoundRecord, ...]

    def round(self, number: int) -> RoundRecord | None:
        return next((held for held in self.rounds if held.number == number), None)
