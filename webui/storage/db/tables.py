"""The tables of the database. JSON columns hold documents that no query searches, but for the kind of a fact."""

from __future__ import annotations

import uuid
from typing import Any, cast

from sqlalchemy import JSON, Boolean, ForeignKey, String, Table, UniqueConstraint, false
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from webui.storage import clock


def utc_text() -> str:
    """The current UTC time as ISO 8601 text with its offset; SQLite's own times have no time zone."""
    return clock.now().isoformat(timespec="milliseconds")


def exact_utc_text() -> str:
    """As ``utc_text``, to the microsecond."""
    return clock.now().isoformat(timespec="microseconds")


class Base(DeclarativeBase):
    type_annotation_map = {dict[str, Any]: JSON, list[dict[str, Any]]: JSON}  # noqa: RUF012


class VersionRow(Base):
    """The one row that says of which version the tables are, in a table named as early versions did."""

    __tablename__ = "alembic_version"

    version_num: Mapped[str] = mapped_column(String(32), primary_key=True)


class GameRow(Base):
    __tablename__ = "games"

    # Ids are never reused, not even after a rehearsal was deleted: photos that wait to be sent name their game.
    __table_args__ = {"sqlite_autoincrement": True}  # noqa: RUF012

    id: Mapped[int] = mapped_column(primary_key=True)
    created_at: Mapped[str] = mapped_column(String, default=utc_text)
    rules: Mapped[str]
    players: Mapped[int]
    sides: Mapped[list[dict[str, Any]]]
    """One object per side: ``name`` and ``players``."""
    state: Mapped[str | None]
    """``ended`` before its last round, ``open`` again after it, ``removed`` from the list; null: the rounds decide."""
    first: Mapped[str | None]
    """Who plays first in round 1; null where nobody said."""
    decks: Mapped[str | None]
    """The ids of the decks in play, with commas; null where nobody said, and the deck of the rules is."""
    mark: Mapped[str | None] = mapped_column(String, default=lambda: uuid.uuid4().hex, unique=True, index=True)
    """Identifies this game in every copy of it, whatever its id there."""
    at_table: Mapped[str | None]
    """The club's table where it is played; null where there is only one."""
    practice: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())
    """Whether it is played with the sample tables, to try the program; it counts nowhere."""
    event_id: Mapped[int | None] = mapped_column(ForeignKey("events.id"), index=True)
    """The event that it is part of, with the stage (game or set) and the table; null for most games."""
    event_stage: Mapped[int | None]
    event_table: Mapped[int | None]
    rounds: Mapped[list[RoundRow]] = relationship(order_by="RoundRow.number", back_populates="game")


class EventRow(Base):
    """An event of many tables; everything that happens to it is in ``event_facts``."""

    __tablename__ = "events"
    __table_args__ = {"sqlite_autoincrement": True}  # noqa: RUF012

    id: Mapped[int] = mapped_column(primary_key=True)
    created_at: Mapped[str] = mapped_column(String, default=utc_text)
    mark: Mapped[str] = mapped_column(String, default=lambda: uuid.uuid4().hex, unique=True, index=True)
    """Identifies this event in every copy of it, whatever its id there."""
    name: Mapped[str]
    rules: Mapped[str]
    setup: Mapped[dict[str, Any]]
    """How it is played: ``webui.storage.events.facts.Setup``."""


class EventFactRow(Base):
    """One change to an event, which is never changed itself: the event's state and its history."""

    __tablename__ = "event_facts"
    __table_args__ = (UniqueConstraint("event_id", "number"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), index=True)
    number: Mapped[int]
    """From 1 in each event; an undo names the fact that it takes back by it."""
    fact: Mapped[dict[str, Any]]
    made_at: Mapped[str] = mapped_column(String, default=utc_text)
    who: Mapped[str | None]


class EventKeyRow(Base):
    """The key of the private address of a table, which its printed card shows."""

    __tablename__ = "event_squares"
    __table_args__ = (UniqueConstraint("event_id", "table_number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    table_number: Mapped[int]
    key: Mapped[str] = mapped_column(String, unique=True, index=True)


class RoundRow(Base):
    __tablename__ = "rounds"

    # Ids are never reused, not even after a rehearsal was deleted: a photo of the round may just be read.
    __table_args__ = (UniqueConstraint("game_id", "number"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), index=True)
    number: Mapped[int]
    facts: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """Bonuses and penalties: who went out, exact deals, improper melds."""
    game: Mapped[GameRow] = relationship(back_populates="rounds")
    photos: Mapped[list[PhotoRow]] = relationship(order_by="PhotoRow.id")
    corrections: Mapped[list[CorrectionRow]] = relationship(order_by="CorrectionRow.id")
    sheets: Mapped[list[SheetRow]] = relationship(order_by="SheetRow.id")


class PhotoRow(Base):
    __tablename__ = "photos"
    __table_args__ = {"sqlite_autoincrement": True}  # noqa: RUF012

    id: Mapped[int] = mapped_column(primary_key=True)
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id"), index=True)
    side: Mapped[int]
    player: Mapped[int | None]
    """Index of the player whose left-over cards these are; null for cards on the table."""
    file: Mapped[str]
    """The photo's file name, made of the hash of its content."""
    width: Mapped[int]
    height: Mapped[int]
    source: Mapped[str]
    taken_at: Mapped[str]
    reading: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    """The reader's result, never changed; null until the photo is read."""


class CorrectionRow(Base):
    __tablename__ = "corrections"

    # Ids are never reused, not even after an undo: added cards and groups are named after them.
    __table_args__ = {"sqlite_autoincrement": True}  # noqa: RUF012

    id: Mapped[int] = mapped_column(primary_key=True)
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id"), index=True)
    side: Mapped[int]
    change: Mapped[dict[str, Any]]
    made_at: Mapped[str] = mapped_column(String, default=utc_text)


class KeptRulesRow(Base):
    """A rule set that a round was agreed under, as text that never changes."""

    __tablename__ = "kept_rules"

    id: Mapped[int] = mapped_column(primary_key=True)
    hash: Mapped[str] = mapped_column(String, unique=True)
    text: Mapped[str]


class SheetRow(Base):
    __tablename__ = "sheets"

    # Ids are never reused, not even after an undo: forms say by them which sheet they were shown.
    __table_args__ = {"sqlite_autoincrement": True}  # noqa: RUF012

    id: Mapped[int] = mapped_column(primary_key=True)
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id"), index=True)
    sheet: Mapped[dict[str, Any]]
    confirmed_at: Mapped[str] = mapped_column(String, default=utc_text)
    rules_hash: Mapped[str | None] = mapped_column(ForeignKey("kept_rules.hash"))
    """The rules that it was agreed under; null in an early database whose rule set was gone."""
    kept_rules: Mapped[KeptRulesRow | None] = relationship()


class LogRow(Base):
    """One change to a game, written by ``webui.storage.db.audit_log``."""

    __tablename__ = "log"
    __table_args__ = {"sqlite_autoincrement": True}  # noqa: RUF012

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), index=True)
    round: Mapped[int | None]
    side: Mapped[int | None]
    what: Mapped[str]
    before: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    after: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    made_at: Mapped[str] = mapped_column(String, default=utc_text)
    who: Mapped[str | None]


class FirstMeldRow(Base):
    """A photo of a first meld, its reading, and its cards as corrected: faces with their indices in the reading."""

    __tablename__ = "first_melds"
    __table_args__ = {"sqlite_autoincrement": True}  # noqa: RUF012

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), index=True)
    round: Mapped[int]
    side: Mapped[int]
    file: Mapped[str]
    width: Mapped[int]
    height: Mapped[int]
    reading: Mapped[dict[str, Any]]
    faces: Mapped[list[dict[str, Any]]]
    made_at: Mapped[str] = mapped_column(String, default=utc_text)


class OtherNameRow(Base):
    """A name that is another spelling of a person's name; totals of many games count them as one."""

    __tablename__ = "other_names"
    __table_args__ = {"sqlite_autoincrement": True}  # noqa: RUF012

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String, unique=True, index=True)
    """``wording.name_key`` of ``written``."""
    written: Mapped[str]
    name: Mapped[str]
    """What the person is called; may itself be another name of somebody."""
    made_at: Mapped[str] = mapped_column(String, default=utc_text)
    who: Mapped[str | None]


class DeviceRow(Base):
    """A device that was let in."""

    __tablename__ = "devices"
    __table_args__ = {"sqlite_autoincrement": True}  # noqa: RUF012

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    secret_hash: Mapped[str] = mapped_column(String, unique=True)
    """SHA-256 of the secret in the device's cookie."""
    came_at: Mapped[str] = mapped_column(String, default=utc_text)
    seen_at: Mapped[str]
    key_id: Mapped[str | None] = mapped_column("square")
    """Identifies the code and QR code by which it came in; null for devices of before these were told apart."""
    keeper: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())
    """Whether it may do what only this machine may: backups, exports, who is in."""
    event_id: Mapped[int | None] = mapped_column(ForeignKey("events.id"))
    """The event for one table of which it was let in, by the card of that table, and for nothing else."""
    event_table: Mapped[int | None]


GAME_TABLES = tuple(
    cast(Table, row.__table__)
    for row in (
        *(EventRow, EventFactRow, GameRow, RoundRow, PhotoRow, CorrectionRow),
        *(KeptRulesRow, SheetRow, LogRow, FirstMeldRow, OtherNameRow),
    )
)
"""The tables that games and events consist of, parents before children."""
