"""Maps database rows to the frozen values of ``webui.storage.records``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from webui.storage.db.tables import GameRow, KeptRulesRow, LogRow, PhotoRow, RoundRow
from webui.storage.records import (
    CorrectionRecord,
    EventSeat,
    GameRecord,
    KeptRules,
    LogEntry,
    PhotoRecord,
    RoundRecord,
    SideRecord,
)


def side_documents(sides: Sequence[SideRecord]) -> list[dict[str, Any]]:
    """Sides as the column ``games.sides`` holds them."""
    return [{"name": side.name, "players": list(side.players)} for side in sides]


def deck_ids(text: str | None) -> tuple[str, ...]:
    """The ids of decks that the column ``games.decks`` holds."""
    return tuple(text.split(",")) if text else ()


def game_of(row: GameRow, rounds: Sequence[RoundRecord]) -> GameRecord:
    return GameRecord(
        id=row.id,
        created_at=row.created_at,
        rules=row.rules,
        players=row.players,
        sides=tuple(SideRecord(side["name"], tuple(side["players"])) for side in row.sides),
        rounds=tuple(rounds),
        state=row.state,
        first=row.first,
        decks=deck_ids(row.decks),
        at_table=row.at_table,
        practice=row.practice,
        event=_seat(row),
    )


def _seat(row: GameRow) -> EventSeat | None:
    if row.event_id is None or row.event_stage is None or row.event_table is None:
        return None
    return EventSeat(row.event_id, row.event_stage, row.event_table)


def round_of(row: RoundRow) -> RoundRecord:
    agreed = row.sheets[-1] if row.sheets else None
    return RoundRecord(
        id=row.id,
        number=row.number,
        facts=row.facts,
        photos=tuple(photo_of(photo) for photo in row.photos),
        corrections=tuple(CorrectionRecord(made.id, made.side, made.change) for made in row.corrections),
        agreed_text=json.dumps(agreed.sheet) if agreed else None,
        agreed_sheet_id=agreed.id if agreed else None,
        agreed_rules=kept_rules_of(agreed.kept_rules) if agreed else None,
    )


def kept_rules_of(row: KeptRulesRow | None) -> KeptRules | None:
    return KeptRules(row.hash, row.text) if row else None


def photo_of(row: PhotoRow) -> PhotoRecord:
    return PhotoRecord(
        row.id, row.side, row.player, row.file, row.width, row.height, row.source, row.taken_at, row.reading
    )


def log_entry_of(row: LogRow) -> LogEntry:
    return LogEntry(row.id, row.round, row.side, row.what, row.before, row.after, row.made_at, row.who)
