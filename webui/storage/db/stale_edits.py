"""Refuses edits of something that somebody else changed in the meantime, and finds the change that an undo reverts.

Both are decided from the audit log: a form sends the number of the newest log entry that the person has seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from webui.storage.changes import ALL_CARDS, touched
from webui.storage.db.row_mapping import record_of
from webui.storage.db.tables import LogRow, RoundRow
from webui.storage.errors import StorageError
from webui.storage.records import LogEntry

UNDONE = "-undone"
"""Suffix of the kind of a log entry that undoes another; also the key that marks a session as undoing."""
_UNDOABLE = ("correction", "facts", "photo", "confirmed")
_FRACTION_DIGITS = 6


class StaleEditError(StorageError):
    """Somebody else changed the same thing after this person had seen it; ``entries`` are those changes."""

    def __init__(self, entries: Iterable[LogEntry]) -> None:
        super().__init__("Someone else changed this first. Look at it again and try again.")
        self.entries = tuple(entries)


def lock_round(session: Session, round_id: int) -> None:
    """Starts writing, so that nothing changes between the check for stale edits and the edit itself."""
    session.execute(update(RoundRow).where(RoundRow.id == round_id).values(number=RoundRow.number))


def round_log(session: Session, round_id: int, after: int = 0) -> list[LogEntry]:
    """The log entries of a round with a number above ``after``, oldest first."""
    where = select(RoundRow.game_id, RoundRow.number).where(RoundRow.id == round_id)
    game_id, number = session.execute(where).one()
    rows = select(LogRow).where(LogRow.game_id == game_id, LogRow.round == number, LogRow.id > after)
    return [record_of(LogEntry, row) for row in session.scalars(rows.order_by(LogRow.id))]


def reject_stale_cards(
    session: Session,
    round_id: int,
    side: int,
    last_seen_change: int | None,
    changes: Iterable[Mapping[str, Any]],
    relies_on: Iterable[str] = (),
) -> None:
    """Checks that nobody changed the same cards or groups of a side after ``last_seen_change``; None skips the check.

    Nor the cards that a change ``relies_on`` as they were seen, such as all of a group that is said to be right.

    Raises:
        StaleEditError: somebody did.
    """
    if last_seen_change is None:
        return
    changing = [*map(touched, changes), frozenset(relies_on)]
    newer = [
        entry
        for entry in round_log(session, round_id, last_seen_change)
        if entry.side == side and entry.what.removesuffix(UNDONE) in ("correction", "photo")
    ]
    theirs = [touched(entry.after or entry.before or {}) for entry in newer]
    conflicts = [
        entry for entry, one in zip(newer, theirs, strict=True) if any(_same_cards(one, mine) for mine in changing)
    ]
    if conflicts:
        raise StaleEditError(conflicts)


def _same_cards(one: frozenset[str], other: frozenset[str]) -> bool:
    return ALL_CARDS in one | other or bool(one & other)


def reject_stale_facts(
    session: Session, round_id: int, last_seen_change: int | None, before: Mapping[str, Any], after: Mapping[str, Any]
) -> None:
    """Checks that nobody changed the facts that differ between ``before`` and ``after`` since ``last_seen_change``.

    None skips the check.

    Raises:
        StaleEditError: somebody did.
    """
    if last_seen_change is None:
        return
    changing = _changed(before, after)
    entries = round_log(session, round_id, last_seen_change)
    newer = [entry for entry in entries if entry.what.removesuffix(UNDONE) == "facts"]
    conflicts = [entry for entry in newer if changing & _changed(entry.before or {}, entry.after or {})]
    if conflicts:
        raise StaleEditError(conflicts)


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> set[tuple[str, str]]:
    """The keys of the facts that differ. Which steps were answered (``said``) does not count as a fact."""
    old, new = _facts(before), _facts(after)
    return {key for key in old.keys() | new.keys() if old.get(key) != new.get(key) and key[0] != "said"}


def _facts(document: Mapping[str, Any]) -> dict[tuple[str, str], Any]:
    """Each single fact by its path in the document; None, zero and false count as absent."""
    facts: dict[tuple[str, str], Any] = {}
    for key, value in document.items():
        inner = value if isinstance(value, dict) else {"": value}
        for name, fact in inner.items():
            if name == "nothing":
                facts |= {(key, place): True for place in fact}
            elif fact:
                facts[(key, name)] = fact
    return facts


def last_undoable(entries: Iterable[LogEntry]) -> tuple[LogEntry, ...]:
    """The newest step of a round that has not been undone yet, in the order of its changes; empty where there is none.

    A step is what one form changed, in one transaction: a dealt pile is many cards, a form may hold counts and facts,
    and with the agreement of the last side the round is agreed.
    """
    steps: list[list[LogEntry]] = []
    before: LogEntry | None = None
    for entry in entries:
        same = before is not None and _is_same_step(before, entry)
        if entry.what.endswith(UNDONE):
            if not same:
                del steps[-1:]
        elif entry.what in _UNDOABLE:
            if same and steps:
                steps[-1].append(entry)
            else:
                steps.append([entry])
        else:
            continue
        before = entry
    return tuple(steps[-1]) if steps else ()


def _is_same_step(before: LogEntry, entry: LogEntry) -> bool:
    """Whether two entries were written in one transaction: they have one time, to the microsecond.

    Older entries have milliseconds and a time each; of these only an agreed round belongs to the agreement before it.
    """
    if before.what.endswith(UNDONE) != entry.what.endswith(UNDONE):
        return False
    fraction = entry.made_at.partition(".")[2].partition("+")[0]
    if len(fraction) == _FRACTION_DIGITS:
        return before.made_at == entry.made_at
    return entry.what == "confirmed" and before.what == "facts"
