"""Maps database rows to the frozen values of ``webui.storage.records``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, TypeVar, cast

from sqlalchemy.orm import selectinload

from webui.storage.db.tables import Base, GameRow, KeptRulesRow, RoundRow, SheetRow
from webui.storage.records import (
    CorrectionRecord,
    EventSeat,
    GameRecord,
    KeptRules,
    PhotoRecord,
    RoundRecord,
    SideRecord,
)

WHOLE_GAME = selectinload(GameRow.rounds).options(
    selectinload(RoundRow.photos),
    selectinload(RoundRow.corrections),
    selectinload(RoundRow.sheets).joinedload(SheetRow.kept_rules),
)
"""Loads a game with everything that belongs to its rounds, in few queries."""


def side_documents(sides: Sequence[SideRecord]) -> list[dict[str, Any]]:
    """Sides as the column ``games.sides`` holds them."""
    return [{"name": side.name, "players": list(side.players)} for side in sides]


def deck_ids(text: str | None) -> tuple[str, ...]:
    """The ids of decks that the column ``games.decks`` holds."""
    return tuple(text.split(",")) if text else ()


R = TypeVar("R")


def record_of(kind: type[R], row: Base, **made: Any) -> R:
    """A row as a value; each field is the column of its name, but for those that are ``made`` otherwise."""
    names = [field.name for field in fields(cast(Any, kind)) if field.name not in made]
    return kind(**{name: getattr(row, name) for name in names}, **made)


def columns_of(record: Any) -> dict[str, Any]:
    """The columns of a new row for a value, but for its id."""
    return {field.name: getattr(record, field.name) for field in fields(record) if field.name != "id"}


def game_of(row: GameRow, rounds: Sequence[RoundRecord]) -> GameRecord:
    sides = tuple(SideRecord(side["name"], tuple(side["players"])) for side in row.sides)
    seat = row.event_id, row.event_stage, row.event_table
    event = None if None in seat else EventSeat(*map(int, cast(Any, seat)))
    return record_of(GameRecord, row, sides=sides, rounds=tuple(rounds), decks=deck_ids(row.decks), event=event)


def round_of(row: RoundRow) -> RoundRecord:
    agreed = row.sheets[-1] if row.sheets else None
    return record_of(
        RoundRecord,
        row,
        photos=tuple(record_of(PhotoRecord, photo) for photo in row.photos),
        corrections=tuple(record_of(CorrectionRecord, made) for made in row.corrections),
        agreed_text=json.dumps(agreed.sheet) if agreed else None,
        agreed_sheet_id=agreed.id if agreed else None,
        agreed_rules=kept_rules_of(agreed.kept_rules) if agreed else None,
    )


def kept_rules_of(row: KeptRulesRow | None) -> KeptRules | None:
    return KeptRules(row.hash, row.text) if row else None
