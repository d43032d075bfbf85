"""Copies games from one database into another that has games already, giving everything new ids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select
from sqlalchemy.orm import Session

from webui.storage.db.stale_edits import UNDONE
from webui.storage.db.tables import (
    CorrectionRow,
    EventFactRow,
    EventRow,
    FirstMeldRow,
    GameRow,
    KeptRulesRow,
    LogRow,
    OtherNameRow,
    PhotoRow,
    RoundRow,
    SheetRow,
)
from webui.storage.kept_rules import keep_rules
from webui.storage.records import KeptRules

_PHOTO_ITEM = re.compile(r"p(\d+)([cg]\d+)")
_CORRECTION_ITEM = re.compile(r"([an])(\d+)(\.\d+)?")
_REFERENCE_KEYS = ("card", "cards", "group", "into")


@dataclass(slots=True)
class _NewIds:
    """The new id of everything that was copied, by its old one."""

    rounds: dict[int, int] = field(default_factory=dict)
    photos: dict[int, int] = field(default_factory=dict)
    corrections: dict[int, int] = field(default_factory=dict)
    first_melds: dict[int, int] = field(default_factory=dict)

    def correction(self, change: Mapping[str, Any]) -> dict[str, Any]:
        """A correction whose cards, groups and photos are referred to by their new ids."""
        new = dict(change)
        for key in _REFERENCE_KEYS:
            match new.get(key):
                case str(name):
                    new[key] = self._reference(name)
                case list(names):
                    new[key] = [self._reference(name) for name in names]
        if isinstance(new.get("photo"), int):
            new["photo"] = self.photos.get(new["photo"], 0)
        return new

    def _reference(self, name: str) -> str:
        """Translates ``p12c3`` (card 3 of photo 12), ``a7``, ``a7.2`` and ``n7`` (cards and group of correction 7)."""
        if match := _PHOTO_ITEM.fullmatch(name):
            return f"p{self.photos.get(int(match[1]), 0)}{match[2]}"
        if match := _CORRECTION_ITEM.fullmatch(name):
            return f"{match[1]}{self.corrections.get(int(match[2]), 0)}{match[3] or ''}"
        return name

    def log_document(self, what: str, document: dict[str, Any] | None) -> dict[str, Any] | None:
        """The ``before`` or ``after`` of a log entry, with the new ids."""
        ids = {"photo": self.photos, "read": self.photos, "first-meld": self.first_melds}
        kind = what.removesuffix(UNDONE)
        if document is None or kind not in (*ids, "correction"):
            return document
        new = self.correction(document) if kind == "correction" else dict(document)
        if "id" in new:
            new["id"] = ids.get(kind, self.corrections).get(new["id"], 0)
        return new


def missing(old: Connection, session: Session, table: type[GameRow | EventRow]) -> list[int]:
    """The ids in ``old`` of the games or events that this database does not have."""
    present = set(session.scalars(select(table.mark)))
    rows = old.execute(select(table.id, table.mark).order_by(table.id))
    return [id for id, mark in rows if mark not in present]


def add_game(old: Connection, session: Session, game_id: int) -> None:
    """Copies one game with everything that belongs to it. Both databases have the newest schema."""
    new = session.connection()
    (game,) = _rows(old, GameRow, GameRow.id == game_id)
    if game["event_id"] is not None:
        game["event_id"] = _event_here(old, new, game["event_id"])
    new_id = _add(new, GameRow, game)
    ids = _NewIds()
    for row in _rows(old, RoundRow, RoundRow.game_id == game_id):
        ids.rounds[row["id"]] = _add(new, RoundRow, {**row, "game_id": new_id})

    def rows_of_rounds(table: Any) -> list[dict[str, Any]]:
        rows = _rows(old, table, table.round_id.in_(list(ids.rounds)))
        return [{**row, "round_id": ids.rounds[row["round_id"]]} for row in rows]

    for row in rows_of_rounds(PhotoRow):
        ids.photos[row["id"]] = _add(new, PhotoRow, row)
    log = _rows(old, LogRow, LogRow.game_id == game_id)
    _add_corrections(new, rows_of_rounds(CorrectionRow), log, ids)
    for row in rows_of_rounds(SheetRow):
        for kept in _rows(old, KeptRulesRow, KeptRulesRow.hash == row["rules_hash"]):
            keep_rules(session, KeptRules(kept["hash"], kept["text"]))
        _add(new, SheetRow, row)
    for row in _rows(old, FirstMeldRow, FirstMeldRow.game_id == game_id):
        ids.first_melds[row["id"]] = _add(new, FirstMeldRow, {**row, "game_id": new_id})
    entries = []
    for row in log:
        documents = {key: ids.log_document(row["what"], row[key]) for key in ("before", "after")}
        entries.append({key: value for key, value in {**row, **documents, "game_id": new_id}.items() if key != "id"})
    if entries:
        new.execute(insert(LogRow), entries)  # all at once: nothing refers to them, and others wait for this


def add_event(old: Connection, new: Connection, event_id: int) -> int:
    """Copies an event without its games, and what was recorded about it. Returns its new id."""
    (event,) = _rows(old, EventRow, EventRow.id == event_id)
    new_id = _add(new, EventRow, event)
    for row in _rows(old, EventFactRow, EventFactRow.event_id == event_id):
        _add(new, EventFactRow, {**row, "event_id": new_id})
    return new_id


def add_other_names(old: Connection, new: Connection) -> tuple[tuple[str, str], ...]:
    """Copies other names of people, but those of which this database says something already.

    Returns:
        Those that were copied, each with the name as whose spelling it counts.
    """
    known = set(new.scalars(select(OtherNameRow.key)))
    added = []
    for row in old.execute(select(OtherNameRow.__table__).order_by(OtherNameRow.id)).mappings():
        if row["key"] not in known:
            _add(new, OtherNameRow, dict(row))
            added.append((row["written"], row["name"]))
    return tuple(added)


def _event_here(old: Connection, new: Connection, event_id: int) -> int:
    """The id here of an event of the other database, which is copied where it is missing."""
    (event,) = _rows(old, EventRow, EventRow.id == event_id)
    found = new.scalar(select(EventRow.id).where(EventRow.mark == event["mark"]))
    return add_event(old, new, event_id) if found is None else found


def _add_corrections(
    new: Connection, rows: Iterable[dict[str, Any]], log: Iterable[dict[str, Any]], ids: _NewIds
) -> None:
    """Copies corrections in their order, as one may refer to a card that an earlier one added.

    Corrections that were undone are in the log alone. Each gets an id of its own too, which a row takes that is
    removed again: the log goes on to tell them apart, and no later correction gets that id.
    """
    by_id = {row["id"]: row for row in rows}
    undone = _logged_corrections(log) - by_id.keys() if ids.rounds else set()
    numbers = []
    for id in sorted(by_id.keys() | undone):
        if id in by_id:
            ids.corrections[id] = _add(new, CorrectionRow, {**by_id[id], "change": ids.correction(by_id[id]["change"])})
        else:
            any_round = next(iter(ids.rounds.values()))
            ids.corrections[id] = _add(new, CorrectionRow, {"round_id": any_round, "side": 0, "change": {}})
            numbers.append({"id": ids.corrections[id]})
    if numbers:
        new.execute(delete(CorrectionRow).where(CorrectionRow.id == bindparam("id")), numbers)


def _logged_corrections(log: Iterable[dict[str, Any]]) -> set[int]:
    """The ids of the corrections that a log tells of."""
    corrections = [row for row in log if row["what"].removesuffix(UNDONE) == "correction"]
    documents = [row[key] for row in corrections for key in ("before", "after") if row[key] is not None]
    return {document["id"] for document in documents if "id" in document}


def _rows(old: Connection, table: Any, where: Any) -> list[dict[str, Any]]:
    """The rows of a table that match a condition, in the order of their ids."""
    query = select(table.__table__).where(where).order_by(table.id)
    return [dict(row) for row in old.execute(query).mappings()]


def _add(new: Connection, table: Any, row: Mapping[str, Any]) -> int:
    """Inserts a row with a new id, which it returns."""
    values = {key: value for key, value in row.items() if key != "id"}
    return int(new.scalars(insert(table).values(**values).returning(table.id)).one())
