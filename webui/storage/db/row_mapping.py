"""The database's rows as the frozen values of ``webui.storage.records``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from webui.storage.db.tables import GameRow, PhotoRow, RoundRow
from webui.storage.records import CorrectionRecord, GameRecord, PhotoRecord, RoundRecord, SideRecord


def side_documents(sides: Sequence[SideRecord]) -> list[dict[str, Any]]:
    """Sides as the database keeps them."""
    return [{"name": side.name, "players": list(side.players)} for side in sides]


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
        at_table=row.at_table,
    )


def round_of(row: RoundRow) -> RoundRecord:
    return RoundRecord(
        id=row.id,
        number=row.number,
        facts=row.facts,
        photos=tuple(photo_of(photo) for photo in row.photos),
        corrections=tuple(CorrectionRecord(made.id, made.side, made.change) for made in row.corrections),
        sheet=row.sheets[-1].sheet if row.sheets else None,
        sheet_id=row.sheets[-1].id if row.sheets else None,
    )


def photo_of(row: PhotoRow) -> PhotoRecord:
    return PhotoRecord(
        row.id, row.side, row.player, row.file, row.width, row.height, row.source, row.taken_at, row.reading
    )
