"""The events of the database, their facts, the games of their tables, and the keys of the tables' private addresses."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, delete, func, or_, select, true
from sqlalchemy.orm import Session, joinedload

from webui.storage.db.audit_log import AUTHOR
from webui.storage.db.row_mapping import kept_rules_of, side_documents
from webui.storage.db.sessions import Sessions
from webui.storage.db.tables import (
    CorrectionRow,
    DeviceRow,
    EventFactRow,
    EventKeyRow,
    EventRow,
    FirstMeldRow,
    GameRow,
    LogRow,
    PhotoRow,
    RoundRow,
    SheetRow,
    exact_utc_text,
)
from webui.storage.events.facts import EventRecord, Fact, FactRecord, Setup, State, Undo, read_fact
from webui.storage.records import KeptRules, SideRecord

_STANDS = or_(GameRow.state.is_(None), GameRow.state != "removed")


@dataclass(frozen=True, slots=True)
class TableGame:
    """A game to be made for a table: in which stage, at which table, and between whom."""

    stage: int
    table: int
    sides: tuple[SideRecord, SideRecord]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a decision changes: facts to record, games to make, games (by id) to take off the list, and columns of
    games (by id) to change, as ``Store.change_game`` has them."""

    facts: tuple[Fact, ...]
    games: tuple[TableGame, ...] = ()
    removed: tuple[int, ...] = ()
    changed: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AgreedSheet:
    """A sheet that a round of a table was once agreed with, and when."""

    stage: int
    table: int
    round: int
    sheet: dict[str, Any]
    rules: KeptRules | None
    agreed_at: str


class Events:
    """The events of the database; each call is one transaction."""

    def __init__(self, sessions: Sessions) -> None:
        self._session = sessions

    def add(self, name: str, rules: str, setup: Setup, facts: Iterable[Fact] = ()) -> int:
        """Adds an event. Returns its id."""
        with self._session.begin() as session:
            row = EventRow(name=name, rules=rules, setup=setup.model_dump(mode="json"))
            session.add(row)
            session.flush()
            _record(session, row.id, facts)
            return row.id

    def all(self, most: int | None = None) -> list[EventRecord]:
        """All events, newest first, or so many of the newest."""
        with self._session() as session:
            rows = session.scalars(select(EventRow).order_by(EventRow.id.desc()).limit(most)).all()
            return [_event(row, _facts(session, row.id)) for row in rows]

    def with_substitutes(self) -> list[EventRecord]:
        """The events in which somebody ever played for somebody else."""
        ids = select(EventFactRow.event_id).where(EventFactRow.fact["op"].as_string() == "substitute")
        with self._session() as session:
            rows = session.scalars(select(EventRow).where(EventRow.id.in_(ids))).all()
            return [_event(row, _facts(session, row.id)) for row in rows]

    def find(self, event_id: int) -> EventRecord | None:
        """The event with this id, None where there is none."""
        with self._session() as session:
            row = session.get(EventRow, event_id)
            return None if row is None else _event(row, _facts(session, event_id))

    def change(self, event_id: int, decide: Callable[[EventRecord], Outcome]) -> Outcome:
        """Records what is decided about an event as it is at this moment, while nobody else can change anything.

        Args:
            event_id: the event's id.
            decide: is given the event, and returns what is to change; what it raises leaves everything as it was.

        Returns:
            What was decided.
        """
        with self._session.begin() as session:
            row = session.get_one(EventRow, event_id)
            session.flush()
            outcome = decide(_event(row, _facts(session, event_id)))
            practice = bool(row.setup.get("rehearsal"))
            for new in outcome.games:
                session.add(
                    GameRow(
                        rules=row.rules,
                        players=sum(len(side.players) for side in new.sides),
                        sides=side_documents(new.sides),
                        practice=practice,
                        event_id=event_id,
                        event_stage=new.stage,
                        event_table=new.table,
                    )
                )
            for game_id in outcome.removed:
                session.get_one(GameRow, game_id).state = "removed"
            for game_id, columns in outcome.changed.items():
                game = session.get_one(GameRow, game_id)
                for column, value in columns.items():
                    setattr(game, column, value)
            _record(session, event_id, outcome.facts)
            return outcome

    def delete_rehearsal(self, event_id: int) -> bool:
        """Deletes a rehearsal for good, with the games of its tables and the devices that were let in for them.

        Returns:
            Whether it was one; other events stay.
        """
        games = select(GameRow.id).where(GameRow.event_id == event_id).scalar_subquery()
        rounds = select(RoundRow.id).where(RoundRow.game_id.in_(games)).scalar_subquery()
        with self._session.begin() as session:
            row = session.get(EventRow, event_id)
            if row is None or not row.setup.get("rehearsal"):
                return False
            for part in (PhotoRow, CorrectionRow, SheetRow):
                session.execute(delete(part).where(part.round_id.in_(rounds)))
            for part_of_game in (RoundRow, FirstMeldRow, LogRow):
                session.execute(delete(part_of_game).where(part_of_game.game_id.in_(games)))
            for part_of_event in (GameRow, DeviceRow, EventKeyRow, EventFactRow):
                session.execute(delete(part_of_event).where(part_of_event.event_id == event_id))
            session.execute(delete(EventRow).where(EventRow.id == event_id))
            return True

    def version(self, event_id: int, table: int | None = None) -> int:
        """A number that grows with every change to an event or to a game of it, or to a game of one table alone."""
        games = select(GameRow.id).where(GameRow.event_id == event_id)
        if table is not None:
            games = games.where(GameRow.event_table == table)
        facts = select(func.max(EventFactRow.id)).where(EventFactRow.event_id == event_id)
        log = select(func.max(LogRow.id)).where(LogRow.game_id.in_(games))
        newest = (func.coalesce(one.scalar_subquery(), 0) for one in (facts, log))
        with self._session() as session:
            return sum(session.execute(select(*newest)).one())

    def newest_change(self) -> int:
        """The number of the newest fact of all events, 0 where there is none."""
        with self._session() as session:
            return session.scalar(select(func.max(EventFactRow.id))) or 0

    def round_facts(self, game_ids: Iterable[int]) -> dict[int, dict[int, dict[str, Any]]]:
        """What people said about the rounds of games: by game id, then by the round's number."""
        query = select(RoundRow.game_id, RoundRow.number, RoundRow.facts)
        found: dict[int, dict[int, dict[str, Any]]] = {}
        with self._session() as session:
            for game_id, number, facts in session.execute(query.where(RoundRow.game_id.in_(list(game_ids)))):
                found.setdefault(game_id, {})[number] = facts
        return found

    def agreed_again(self, event_id: int) -> list[AgreedSheet]:
        """The sheets of those rounds of an event that were agreed more than once, in the order of their agreement."""
        again = select(SheetRow.round_id).group_by(SheetRow.round_id).having(func.count() > 1)
        query = select(SheetRow, RoundRow.number, GameRow.event_stage, GameRow.event_table)
        query = query.join(RoundRow, RoundRow.id == SheetRow.round_id).join(GameRow, GameRow.id == RoundRow.game_id)
        query = query.where(GameRow.event_id == event_id, _STANDS, SheetRow.round_id.in_(again)).order_by(SheetRow.id)
        with self._session() as session:
            found = session.execute(query.options(joinedload(SheetRow.kept_rules))).all()
            return [
                AgreedSheet(stage or 0, table or 0, number, row.sheet, kept_rules_of(row.kept_rules), row.confirmed_at)
                for row, number, stage, table in found
            ]

    def game_at(self, event_id: int, table: int) -> int | None:
        """The id of the game that is played at a table now, in the newest stage that has games; None without one."""
        newest = select(func.max(GameRow.event_stage)).where(GameRow.event_id == event_id, _STANDS).scalar_subquery()
        here = GameRow.event_id == event_id, GameRow.event_table == table, GameRow.event_stage == newest, _STANDS
        with self._session() as session:
            return session.scalar(select(GameRow.id).where(*here).order_by(GameRow.id.desc()).limit(1))

    def is_over(self, event_id: int) -> bool:
        """Whether an event was ended or taken off the list. Reads few of its facts: devices of tables ask each time."""
        return self._states(EventFactRow.event_id == event_id).get(event_id) is not None

    def removed(self) -> frozenset[int]:
        """The ids of the events that were taken off the list."""
        return frozenset(event_id for event_id, state in self._states(true()).items() if state == "removed")

    def _states(self, which: ColumnElement[bool]) -> dict[int, str | None]:
        """The newest state of the events for which one was ever recorded, by id."""
        kind = EventFactRow.fact["op"].as_string()
        query = select(EventFactRow).where(which, kind.in_(("state", "undo"))).order_by(EventFactRow.number)
        with self._session() as session:
            told = [(row.event_id, row.number, read_fact(row.fact)) for row in session.scalars(query)]
        undone = {(event_id, fact.number) for event_id, _number, fact in told if isinstance(fact, Undo)}
        return {
            event_id: fact.state
            for event_id, number, fact in told
            if isinstance(fact, State) and (event_id, number) not in undone
        }

    def was_game_at(self, event_id: int, table: int, game_id: int) -> bool:
        """Whether a game was played at a table, in any stage."""
        with self._session() as session:
            game = session.get(GameRow, game_id)
            return game is not None and (game.event_id, game.event_table) == (event_id, table)

    def key(self, event_id: int, table: int) -> str:
        """The key of a table's private address, which is made where there is none yet."""
        with self._session() as session:
            if found := session.scalar(select(EventKeyRow.key).where(*_of_table(event_id, table))):
                return found
        return self._new_key(event_id, table, renew=False)

    def new_key(self, event_id: int, table: int) -> str:
        """Makes a new key for a table; the one before leads nowhere any more. Its devices are removed elsewhere."""
        return self._new_key(event_id, table, renew=True)

    def _new_key(self, event_id: int, table: int, renew: bool) -> str:
        key, here = secrets.token_urlsafe(16), _of_table(event_id, table)
        with self._session.begin() as session:
            if not renew and (made := session.scalar(select(EventKeyRow.key).where(*here))):
                return made  # by somebody who opened the cards at the same moment, and may print them
            session.execute(delete(EventKeyRow).where(*here))
            session.add(EventKeyRow(event_id=event_id, table_number=table, key=key))
        return key

    def table_of(self, key: str) -> tuple[int, int] | None:
        """The event and the table that a key leads to; None for a key that was never given or is none any more."""
        with self._session() as session:
            row = session.scalars(select(EventKeyRow).where(EventKeyRow.key == key)).first()
            return None if row is None else (row.event_id, row.table_number)


def _of_table(event_id: int, table: int) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return EventKeyRow.event_id == event_id, EventKeyRow.table_number == table


def _record(session: Session, event_id: int, facts: Iterable[Fact]) -> None:
    last = session.scalar(select(func.max(EventFactRow.number)).where(EventFactRow.event_id == event_id)) or 0
    made_at, who = exact_utc_text(), AUTHOR.get()  # one time for all: they are one step, taken back together
    for number, fact in enumerate(facts, last + 1):
        document = fact.model_dump(mode="json")
        session.add(EventFactRow(event_id=event_id, number=number, fact=document, made_at=made_at, who=who))


def _facts(session: Session, event_id: int) -> Sequence[EventFactRow]:
    rows = select(EventFactRow).where(EventFactRow.event_id == event_id).order_by(EventFactRow.number)
    return session.scalars(rows).all()


def _event(row: EventRow, facts: Sequence[EventFactRow]) -> EventRecord:
    told = tuple(FactRecord(one.number, read_fact(one.fact), one.made_at, one.who) for one in facts)
    return EventRecord(row.id, row.created_at, row.name, row.rules, Setup.model_validate(row.setup), told)
