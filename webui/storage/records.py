"""What is stored, as frozen values; SQLAlchemy's row types do not leave ``webui.storage``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class SideRecord:
    """One side of a game: its name, and its players in seating order."""

    name: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PhotoRecord:
    """A photo of one side's cards.

    ``player`` is the index of the player whose left-over cards these are, None for cards on the table; ``file`` the
    name in the photo folder; ``width`` and ``height`` the upright size in pixels; ``reading`` the reader's unchanged
    result, None where the photo has not been read.
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
    """One correction of a side's cards; ids follow the order in which corrections were made."""

    id: int
    side: int
    change: dict[str, Any]


@dataclass(frozen=True, slots=True)
class KeptRules:
    """A rule set that a round was agreed under, as ``scorer.rules.rules_text`` writes it, and the text's hash."""

    hash: str
    text: str


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One round: its photos, the corrections to their readings, and the facts that no camera sees.

    ``agreed_text`` is the sheet that the sides last agreed to as JSON text, None before they did; a list of all games
    holds thousands of them, and as text they take a tenth of the memory. ``agreed_sheet_id`` is the sheet's id, which
    is never used for another sheet. ``agreed_rules`` are the rules that it was agreed under, None where an early
    database does not tell; they stay, whatever becomes of the rule set's file.
    """

    id: int
    number: int
    facts: dict[str, Any]
    photos: tuple[PhotoRecord, ...]
    corrections: tuple[CorrectionRecord, ...]
    agreed_text: str | None
    agreed_sheet_id: int | None = None
    agreed_rules: KeptRules | None = None

    @property
    def agreed_sheet(self) -> dict[str, Any] | None:
        """The sheet that the sides last agreed to, None before they did; a copy each time."""
        return None if self.agreed_text is None else json.loads(self.agreed_text)


@dataclass(frozen=True, slots=True)
class EventSeat:
    """Where a game belongs in an event: the game of this table in this stage, a game or set of the event, from 1."""

    event_id: int
    stage: int
    table: int


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game with its rounds, agreed or begun, by number.

    ``state`` is ``ended`` for a game ended before its last round, ``open`` for one resumed after it, ``removed`` for
    one hidden from the list; None leaves it to the rounds. ``first`` plays first in round 1, None where nobody said.
    ``at_table`` is the club's table where the game is played, None where there is only one. ``practice`` is whether
    it is played with the sample tables, to try the program; then it counts nowhere. ``decks`` are the ids of the decks
    in play, none where nobody said; then the first deck of the rules is.
    ``event`` is the event that it is part of, None for most games.
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
    practice: bool = False
    decks: tuple[str, ...] = ()
    event: EventSeat | None = None

    @property
    def sets_before(self) -> int:
        """How many games or sets of its event come before this one; 0 for most games."""
        return self.event.stage - 1 if self.event else 0

    def round(self, number: int) -> RoundRecord | None:
        """The round with this number, None where it has not begun."""
        return next((record for record in self.rounds if record.number == number), None)


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One change to a game: what kind, in which round and side (None: the whole game), before and after.

    ``who`` is the person or device that made it, None where unknown.
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

    ``faces`` are its cards as corrected: ``face``, and ``index``, its index in the reading (None: added by hand).
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
    """A device that was let in: its name, when it was added and when it was last here (ISO 8601, UTC).

    ``keeper`` is whether it may do what else only the machine itself may: backups, exports, who is in. ``table`` is
    the event and the table for which it was let in, and for nothing else; None for devices that play all games.
    """

    id: int
    name: str
    came_at: str
    seen_at: str
    keeper: bool = False
    table: tuple[int, int] | None = None
