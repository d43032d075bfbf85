"""Brings games of one database into another that has its own, each with a new number and everything that is its."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, insert, select
from sqlalchemy.orm import Session

from webui.storage.db.tables import (
    CorrectionRow,
    FirstMeldRow,
    GameRow,
    LogRow,
    PhotoRow,
    RoundRow,
    SheetRow,
)

_OF_PHOTO = re.compile(r"p(\d+)([cg]\d+)")
_OF_CORRECTION = re.compile(r"([an])(\d+)")
_CARDS_AND_GROUPS = ("card", "cards", "group", "into")
_ROW_OF_A_ROUND = (PhotoRow, CorrectionRow, SheetRow)


@dataclass(slots=True)
class _Numbers:
    """The new number of everything that has one, by its old."""

    rounds: dict[int, int] = field(default_factory=dict)
    photos: dict[int, int] = field(default_factory=dict)
    corrections: dict[int, int] = field(default_factory=dict)
    first_melds: dict[int, int] = field(default_factory=dict)

    def change(self, change: Mapping[str, Any]) -> dict[str, Any]:
        """A correction in which cards, groups and photos go by their new numbers."""
        new = dict(change)
        for key in _CARDS_AND_GROUPS:
            match new.get(key):
                case str(name):
                    new[key] = self._name(name)
                case list(names):
                    new[key] = [self._name(name) for name in names]
        if isinstance(new.get("photo"), int):
            new["photo"] = self.photos.get(new["photo"], 0)
        return new

    def _name(self, name: str) -> str:
        """``p12c3`` is card 3 of photo 12, ``a7`` and ``n7`` the card and the group that correction 7 made."""
        if found := _OF_PHOTO.fullmatch(name):
            return f"p{self.photos.get(int(found[1]), 0)}{found[2]}"
        if found := _OF_CORRECTION.fullmatch(name):
            return f"{found[1]}{self.corrections.get(int(found[2]), 0)}"
        return name

    def logged(self, what: str, document: dict[str, Any] | None) -> dict[str, Any] | None:
        """What the log says of a change, with the new numbers."""
        known = {"photo": self.photos, "read": self.photos, "first-meld": self.first_melds}
        kind = what.removesuffix("-undone")
        if document is None or kind not in (*known, "correction"):
            return document
        new = self.change(document) if kind == "correction" else dict(document)
        if "id" in new:
            new["id"] = known.get(kind, self.corrections).get(new["id"], 0)
        return new


def missing_games(old: Connection, session: Session) -> list[int]:
    """The games of ``old``, by their numbers there, that this database does not have."""
    present = set(session.scalars(select(GameRow.mark)))
    held = old.execute(select(GameRow.id, GameRow.mark).order_by(GameRow.id))
    return [id for id, mark in held if mark not in present]


def add_game(old: Connection, session: Session, game_id: int) -> None:
    """Adds one game with all that belongs to it; both databases are up to date."""
    new = session.connection()
    (game,) = _rows(old, select(GameRow.__table__).where(GameRow.id == game_id))
    id = _add(new, GameRow, game)
    numbers = _Numbers()
    for row in _rows(old, select(RoundRow.__table__).where(RoundRow.game_id == game_id).order_by(RoundRow.id)):
        numbers.rounds[row["id"]] = _add(new, RoundRow, {**row, "game_id": id})
    of_these = {table: table.round_id.in_(list(numbers.rounds)) for table in _ROW_OF_A_ROUND}
    for row in _rows(old, select(PhotoRow.__table__).where(of_these[PhotoRow]).order_by(PhotoRow.id)):
        numbers.photos[row["id"]] = _add(new, PhotoRow, {**row, "round_id": numbers.rounds[row["round_id"]]})
    # in their order, as one may speak of the cards that another before it has made
    corrections = _rows(old, select(CorrectionRow.__table__).where(of_these[CorrectionRow]).order_by(CorrectionRow.id))
    for row in corrections:
        held = {**row, "round_id": numbers.rounds[row["round_id"]], "change": numbers.change(row["change"])}
        numbers.corrections[row["id"]] = _add(new, CorrectionRow, held)
    for row in _rows(old, select(SheetRow.__table__).where(of_these[SheetRow]).order_by(SheetRow.id)):
        _add(new, SheetRow, {**row, "round_id": numbers.rounds[row["round_id"]]})
    for row in _rows(old, select(FirstMeldRow.__table__).where(FirstMeldRow.game_id == game_id)):
        numbers.first_melds[row["id"]] = _add(new, FirstMeldRow, {**row, "game_id": id})
    for row in _rows(old, select(LogRow.__table__).where(LogRow.game_id == game_id).order_by(LogRow.id)):
        told = {key: numbers.logged(row["what"], row[key]) for key in ("before", "after")}
        _add(new, LogRow, {**row, **told, "game_id": id})


def _rows(old: Connection, query: Any) -> list[dict[str, Any]]:
    return [dict(row) for row in old.execute(query).mappings()]


def _add(new: Connection, table: Any, row: Mapping[str, Any]) -> int:
    """Adds a row under a new number, which it returns."""
    values = {key: value for key, value in row.items() if key != "id"}
    return int(new.scalars(insert(table).values(**values).returning(table.id)).one())
