"""Games, events and other names of an archive, row by row: everything that pages and scores rely on.

All functions raise ValueError where a row is not valid.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import Field, StrictInt, StrictStr, TypeAdapter
from sqlalchemy import Column, select
from sqlalchemy.orm import Session

from scorer.rules import rules_from_text
from webui.storage.backup.checks.documents import (
    FirstMeldCard,
    ReadingDocument,
    SideOfGame,
    check_correction,
    check_facts,
    check_logged,
    check_sheet,
    most_players,
)
from webui.storage.backup.checks.values import (
    DeckIds,
    FileName,
    Hash,
    Id,
    Name,
    Pixels,
    RoundNumber,
    RulesId,
    Seat,
    Stamp,
    Word,
)
from webui.storage.db.row_mapping import WHOLE_GAME
from webui.storage.db.tables import (
    Base,
    EventFactRow,
    EventRow,
    FirstMeldRow,
    GameRow,
    LogRow,
    OtherNameRow,
    RoundRow,
    SheetRow,
)
from webui.storage.events.facts import Fact, Setup
from webui.wording import name_key

_PLANNED, _PLANNED_A_PLAYER = 99, 9
"""The most rounds that a rule set can plan, and the most that each player adds; see ``scorer.rules.table_parts``."""
_MOST_FACTS = 20_000
"""The most facts of an event; one of a hundred tables has some thousand."""
_MOST_OF_GAME, _MOST_PHOTOS, _MOST_CORRECTIONS, _MOST_SHEETS = 50_000, 500, 5000, 1000
"""The most log entries or first melds of a game, and the most of a round that pages can show."""
_KINDS: dict[str, Any] = {
    **dict.fromkeys(("id", "game_id", "round_id", "event_id"), Id),
    **dict.fromkeys(("created_at", "made_at", "confirmed_at", "taken_at"), Stamp),
    **dict.fromkeys(("round", "number", "event_stage", "event_table"), RoundNumber),
    **dict.fromkeys(("first", "at_table", "source", "who", "name", "written"), Name),
    **dict.fromkeys(("change", "sheet", "facts", "before", "after"), dict[str, Any]),
    **dict.fromkeys(("width", "height"), Pixels),
    **dict.fromkeys(("side", "player"), Seat),
    **dict.fromkeys(("mark", "what"), Word),
    "rules": RulesId,
    "players": Annotated[StrictInt, Field(ge=1, le=99)],
    "sides": Annotated[tuple[SideOfGame, ...], Field(min_length=2, max_length=99)],
    "state": Literal["ended", "open", "removed"],
    "practice": bool,
    "decks": DeckIds,
    "file": FileName,
    "reading": ReadingDocument,
    "faces": tuple[FirstMeldCard, ...],
    "rules_hash": Hash,
    "key": StrictStr,
    "setup": Setup,
    "event_facts.number": Annotated[StrictInt, Field(ge=1, le=10**6)],
    "fact": Fact,
}
"""What the columns of each name hold; of one table, where another has something else by that name."""


@cache
def _adapter(column: Column[Any]) -> TypeAdapter[Any]:
    kind = _KINDS.get(str(column)) or _KINDS[column.name]
    return TypeAdapter(kind | None if column.nullable else kind)


def _check_row(row: Base) -> dict[str, Any]:
    """Checks each column by itself. Returns what it holds, documents as models."""
    columns = row.__table__.columns
    return {column.name: _adapter(column).validate_python(getattr(row, column.name)) for column in columns}


def _check_all(rows: Iterable[Base], most: int) -> None:
    for number, row in enumerate(rows):
        if number >= most:
            raise ValueError(f"expected {most} rows of {row.__tablename__} or fewer, got more")
        _check_row(row)


def check_games(session: Session, ids: Sequence[int]) -> None:
    """Checks games with everything that belongs to them."""
    melds, log = (_of_games(session, table, ids) for table in (FirstMeldRow, LogRow))
    for game in session.scalars(select(GameRow).where(GameRow.id.in_(ids)).options(WHOLE_GAME)):
        _check_game(game, melds[game.id], log[game.id])


def _of_games(session: Session, table: Any, ids: Sequence[int]) -> dict[int, list[Any]]:
    """The rows of a table by their game, each checked by itself; all games together may have as many as one."""
    rows = session.scalars(select(table).where(table.game_id.in_(ids)).limit(_MOST_OF_GAME + 1)).all()
    _check_all(rows, _MOST_OF_GAME)
    return {id: [row for row in rows if row.game_id == id] for id in ids}


def _check_game(game: GameRow, melds: Sequence[FirstMeldRow], log: Sequence[LogRow]) -> None:
    """Checks that rounds and documents of a game name sides, players and rules of it."""
    sides = _check_row(game)["sides"]
    _check_all(game.rounds, _MOST_OF_GAME)
    played = {record.number for record in game.rounds}
    for number in {*played, *(meld.round for meld in melds), *(change.round for change in log)}:
        _check_round(number, game.players, played)
    for record in game.rounds:
        _check_parts(record, sides)
    for meld in melds:
        _check_place(sides, meld.side)
    for change in log:
        check_logged(change.what, change.before, change.after, sides)


def _check_parts(record: RoundRow, sides: tuple[SideOfGame, ...]) -> None:
    check_facts(record.facts, sides)
    _check_all(record.photos, _MOST_PHOTOS)
    for photo in record.photos:
        _check_place(sides, photo.side, photo.player)
    _check_all(record.corrections, _MOST_CORRECTIONS)
    for correction in record.corrections:
        _check_place(sides, correction.side)
        check_correction(correction.change)
    _check_all(record.sheets, _MOST_SHEETS)
    for sheet in record.sheets:
        check_sheet(sheet.sheet, sides)
        _check_rules(sheet)


def _check_round(number: int | None, players: int, played: set[int]) -> None:
    """Checks that there can be a round: planned by some rules, or one more than was played before."""
    if number is not None and number > _PLANNED + _PLANNED_A_PLAYER * players and number - 1 not in played:
        raise ValueError(f"expected a round of the game or its next one, got {number}")


def _check_place(sides: tuple[SideOfGame, ...], side: int, player: int | None = None) -> None:
    if side >= len(sides) or (player or 0) >= most_players(sides):
        raise ValueError(f"expected a side and player of the game, got {side} and {player}")


def _check_rules(sheet: SheetRow) -> None:
    if sheet.rules_hash is None:
        return
    text = sheet.kept_rules.text if sheet.kept_rules else ""
    if not isinstance(text, str) or hashlib.sha256(text.encode()).hexdigest()[:32] != sheet.rules_hash:
        raise ValueError(f"expected kept rules that match their hash, got others than {sheet.rules_hash}")
    rules_from_text(text)


def check_events(session: Session, ids: Sequence[int]) -> None:
    """Checks events with their facts, which are numbered from 1 on."""
    for event in session.scalars(select(EventRow).where(EventRow.id.in_(ids))):
        _check_row(event)
        query = select(EventFactRow).where(EventFactRow.event_id == event.id).order_by(EventFactRow.number)
        facts = session.scalars(query.limit(_MOST_FACTS + 1)).all()
        _check_all(facts, _MOST_FACTS)
        if [fact.number for fact in facts] != list(range(1, len(facts) + 1)):
            raise ValueError("expected facts numbered from 1 on, got others")


def check_other_names(session: Session, ids: Sequence[int]) -> None:
    """Checks other names of people."""
    for name in session.scalars(select(OtherNameRow).where(OtherNameRow.id.in_(ids))):
        _check_row(name)
        if name.key != name_key(name.written):
            raise ValueError("expected the key of the name, got another")
