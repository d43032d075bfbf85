"""Writes every change to a game into the table ``log``, in the transaction of the change itself.

It listens to the flushes of SQLAlchemy's sessions, so that no code that changes a game can forget to log it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

from sqlalchemy import event, insert, inspect, select
from sqlalchemy.orm import Session, UOWTransaction, sessionmaker

from webui.storage.db.stale_edits import UNDONE
from webui.storage.db.tables import (
    Base,
    CorrectionRow,
    FirstMeldRow,
    GameRow,
    LogRow,
    PhotoRow,
    RoundRow,
    SheetRow,
    exact_utc_text,
)

AUTHOR: ContextVar[str | None] = ContextVar("author", default=None)
"""Who makes the changes of the current request or photo job."""
GAME_COLUMNS = ("rules", "sides", "state", "first", "decks")
"""The columns of a game that may change; also the kinds of their log entries."""
_UNCHANGED = object()
_MADE_AT = "made_at"
"""Where a session, which lasts one transaction, keeps its time, which all of its entries get: by it they are undone
together."""


def attach_audit_log(sessions: sessionmaker[Session], on_commit: Callable[[], None]) -> None:
    """Logs what these sessions write; ``on_commit`` is called after each commit."""
    event.listen(sessions, "after_flush", _write_entries)
    event.listen(sessions, "after_commit", lambda _: on_commit())


def _write_entries(session: Session, _: UOWTransaction) -> None:
    entries = [entry for row in session.new for entry in _added(session, row)]
    entries += [entry for row in session.dirty for entry in _changed(session, row)]
    entries += [entry for row in session.deleted for entry in _deleted(session, row)]
    entries += _rules_changed(session)
    if session.info.get(UNDONE):
        entries = [{**entry, "what": entry["what"].removesuffix(UNDONE) + UNDONE} for entry in entries]
    if entries:
        made_at = session.info.setdefault(_MADE_AT, exact_utc_text())
        session.execute(insert(LogRow), [{**entry, _MADE_AT: made_at} for entry in entries])


def _added(session: Session, row: Base) -> Iterator[dict[str, Any]]:
    match row:
        case GameRow():
            begun = {"rules": row.rules, "sides": row.sides, "first": row.first}
            begun |= {"decks": row.decks} if row.decks else {}
            yield _entry(row.id, None, None, "begun", None, begun)
        case FirstMeldRow():
            yield _entry(row.game_id, row.round, row.side, "first-meld", None, _first_meld(row))
        case RoundRow():
            yield _entry(row.game_id, row.number, None, "round-begun", None, None)
        case PhotoRow():
            yield _entry(*_game_and_round(session, row.round_id), row.side, "photo", None, _photo(row))
        case CorrectionRow():
            yield _entry(*_game_and_round(session, row.round_id), row.side, "correction", None, _correction(row))
        case SheetRow():
            before, _ = _earlier_sheet(session, row)
            if before is None or not same_facts(before, row.sheet):  # else see ``_rules_changed``
                yield _entry(*_game_and_round(session, row.round_id), None, "confirmed", before, row.sheet)


def _changed(session: Session, row: Base) -> Iterator[dict[str, Any]]:
    match row:
        case GameRow():
            for column in GAME_COLUMNS[1:]:  # of the rules see ``_rules_changed``
                if (before := _before(row, column)) is not _UNCHANGED:
                    yield _entry(row.id, None, None, column, {column: before}, {column: getattr(row, column)})
        case RoundRow():
            if (before := _before(row, "facts")) is not _UNCHANGED:
                yield _entry(row.game_id, row.number, None, "facts", before, row.facts)
        case FirstMeldRow() if (before := _before(row, "faces")) is not _UNCHANGED:
            earlier = {"id": row.id, "faces": before}
            yield _entry(row.game_id, row.round, row.side, "first-meld", earlier, _first_meld(row))
        case PhotoRow() if _before(row, "reading") is not _UNCHANGED:
            yield _entry(*_game_and_round(session, row.round_id), row.side, "read", None, _photo(row))
        case CorrectionRow() if (before := _before(row, "change")) is not _UNCHANGED:
            where = _game_and_round(session, row.round_id)
            yield _entry(*where, row.side, "correction", before, _correction(row))


def _rules_changed(session: Session) -> Iterator[dict[str, Any]]:
    """One entry for each game with other rules: those of further rounds, and of agreed rounds that are scored anew.

    ``rules`` is the id of the game's rule set, ``rounds`` the hash of the kept rules of each round scored anew.
    """
    games = [row for row in session.dirty if isinstance(row, GameRow)]
    changed = {row.id: _before(row, "rules") for row in games if _before(row, "rules") is not _UNCHANGED}
    rounds: dict[int, dict[int, tuple[str | None, str | None]]] = {}
    for row in session.new:
        if isinstance(row, SheetRow):
            before, rules_hash = _earlier_sheet(session, row)
            if before is not None and same_facts(before, row.sheet) and rules_hash != row.rules_hash:
                game_id, number = _game_and_round(session, row.round_id)
                rounds.setdefault(game_id, {})[number] = (rules_hash, row.rules_hash)
    for game_id in changed | rounds:
        now = session.get_one(GameRow, game_id).rules
        documents = [{"rules": changed.get(game_id, now)}, {"rules": now}]
        if anew := rounds.get(game_id):
            for at, document in enumerate(documents):
                document["rounds"] = {str(number): hashes[at] for number, hashes in sorted(anew.items())}
        yield _entry(game_id, None, None, "rules", *documents)


def _earlier_sheet(session: Session, row: SheetRow) -> tuple[dict[str, Any] | None, str | None]:
    """The sheet that a round had before this one, and the hash of its rules."""
    earlier = select(SheetRow.sheet, SheetRow.rules_hash)
    earlier = earlier.where(SheetRow.round_id == row.round_id, SheetRow.id < row.id).order_by(SheetRow.id.desc())
    found = session.execute(earlier.limit(1)).first()
    return (None, None) if found is None else (found[0], found[1])


def log_switched(session: Session, game_id: int, number: int, on: bool) -> None:
    """Logs that somebody switched the watching of a round on or off, or that it ended."""
    made_at = session.info.setdefault(_MADE_AT, exact_utc_text())
    entry = _entry(game_id, number, None, "watching", {"on": not on}, {"on": on})
    session.execute(insert(LogRow), [{**entry, _MADE_AT: made_at}])


def same_facts(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two sheets differ at most in the rule set by which they are scored."""
    return {**one, "rules": None} == {**other, "rules": None}


def _deleted(session: Session, row: Base) -> Iterator[dict[str, Any]]:
    if isinstance(row, CorrectionRow):
        where = _game_and_round(session, row.round_id)
        yield _entry(*where, row.side, "correction-undone", _correction(row), None)
    if isinstance(row, SheetRow):
        earlier, _ = _earlier_sheet(session, row)
        if earlier is None or not same_facts(earlier, row.sheet):
            yield _entry(*_game_and_round(session, row.round_id), None, "confirmed-undone", row.sheet, earlier)


def _before(row: Base, column: str) -> Any:
    """The value of a column before this flush; ``_UNCHANGED`` where it is equal."""
    history = inspect(row).attrs[column].history
    before = history.deleted[0] if history.deleted else None
    return before if history.added and before != history.added[0] else _UNCHANGED


def _game_and_round(session: Session, round_id: int) -> tuple[int, int]:
    """A round's game id and number."""
    game_id, number = session.execute(select(RoundRow.game_id, RoundRow.number).where(RoundRow.id == round_id)).one()
    return game_id, number


def _correction(row: CorrectionRow) -> dict[str, Any]:
    return {"id": row.id, **row.change}


def _first_meld(row: FirstMeldRow) -> dict[str, Any]:
    return {"id": row.id, "faces": row.faces}


def _photo(row: PhotoRow) -> dict[str, Any]:
    cards = len(row.reading["cards"]) if row.reading and "cards" in row.reading else None
    return {"id": row.id, "source": row.source, "player": row.player, "cards": cards}


def _entry(
    game_id: int, number: int | None, side: int | None, what: str, before: object, after: object
) -> dict[str, Any]:
    where = {"game_id": game_id, "round": number, "side": side}
    return {**where, "what": what, "before": before, "after": after, "who": AUTHOR.get()}
