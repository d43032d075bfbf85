"""What others changed since a person looked, and which change an undo takes back. Both are read from the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from webui.storage.db.tables import LogRow, RoundRow
from webui.storage.errors import StorageError
from webui.storage.records import LogEntry

UNDONE = "-undone"
_UNDOABLE = ("correction", "facts", "photo")


class ChangedMeanwhile(StorageError):
    """Somebody else changed the same thing after this person looked at it; ``entries`` are those changes."""

    def __init__(self, entries: Iterable[LogEntry]) -> None:
        super().__init__("Somebody else changed this in the meantime; look at it again and repeat the step.")
        self.entries = tuple(entries)


def hold(session: Session, round_id: int) -> None:
    """Takes the database for writing at once, so that nobody changes anything between looking and writing."""
    session.execute(update(RoundRow).where(RoundRow.id == round_id).values(number=RoundRow.number))


def entries_of(session: Session, round_id: int, since: int = 0) -> list[LogEntry]:
    """The log of a round, the oldest first, from after an entry on."""
    place = select(RoundRow.game_id, RoundRow.number).where(RoundRow.id == round_id)
    game_id, number = session.execute(place).one()
    rows = select(LogRow).where(LogRow.game_id == game_id, LogRow.round == number, LogRow.id > since)
    return [entry(row) for row in session.scalars(rows.order_by(LogRow.id))]


def entry(row: LogRow) -> LogEntry:
    return LogEntry(row.id, row.round, row.side, row.what, row.before, row.after, row.made_at, row.who)


def refuse_stale_cards(session: Session, round_id: int, side: int, seen: int | None) -> None:
    """Refuses a correction by somebody who has not seen the last ones of that side.

    Raises:
        ChangedMeanwhile: there are such; ``seen`` is the last log entry that was seen, None asks nothing.
    """
    if seen is None:
        return
    since = [made for made in entries_of(session, round_id, seen) if made.side == side]
    if any(made.what.removesuffix(UNDONE) in ("correction", "photo") for made in since):
        raise ChangedMeanwhile(since)


def refuse_stale_facts(
    session: Session, round_id: int, seen: int | None, before: Mapping[str, Any], after: Mapping[str, Any]
) -> None:
    """Refuses to change facts that somebody else changed since.

    Raises:
        ChangedMeanwhile: any of them was; ``seen`` is the last log entry that was seen, None asks nothing.
    """
    if seen is None:
        return
    changing = _changed(before, after)
    since = [made for made in entries_of(session, round_id, seen) if made.what.removesuffix(UNDONE) == "facts"]
    clashing = [made for made in since if changing & _changed(made.before or {}, made.after or {})]
    if clashing:
        raise ChangedMeanwhile(clashing)


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> set[tuple[str, str]]:
    """The facts that differ, each by its place in the document. What was only said to be done is none."""
    old, new = _facts(before), _facts(after)
    return {place for place in old.keys() | new.keys() if old.get(place) != new.get(place) and place[0] != "said"}


def _facts(document: Mapping[str, Any]) -> dict[tuple[str, str], Any]:
    """Each single fact by its place; none, zero and no are the same as nothing said."""
    found: dict[tuple[str, str], Any] = {}
    for key, value in document.items():
        inner = value if isinstance(value, dict) else {"": value}
        for name, held in inner.items():
            if name == "nothing":
                found |= {(key, place): True for place in held}
            elif held:
                found[(key, name)] = held
    return found


def undoable(entries: Iterable[LogEntry]) -> LogEntry | None:
    """The change of a round that an undo takes back: the last that was not taken back before, None where all were."""
    done: list[LogEntry] = []
    for made in entries:
        if made.what.endswith(UNDONE):
            del done[-1:]
        elif made.what in _UNDOABLE:
            done.append(made)
    return done[-1] if done else None
