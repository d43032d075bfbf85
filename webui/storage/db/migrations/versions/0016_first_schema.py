"""The first schema; what its columns hold is said in ``webui.storage.db.tables``. Ids are not used again."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = None
branch_labels = None
depends_on = None

_WHOLE, _TEXT, _DOCUMENT = sa.Integer, sa.String, sa.JSON


def upgrade() -> None:
    _create(
        "events",
        *_columns(_TEXT, "created_at", "mark", "name", "rules"),
        *_columns(_DOCUMENT, "setup"),
        unique_index="mark",
    )
    _create(
        "event_facts",
        _parent("event"),
        *_columns(_WHOLE, "number"),
        *_columns(_DOCUMENT, "fact"),
        *_columns(_TEXT, "made_at", "who?"),
        sa.UniqueConstraint("event_id", "number"),
        index="event_id",
    )
    _create(
        "event_squares",
        _parent("event"),
        *_columns(_WHOLE, "table_number"),
        *_columns(_TEXT, "key"),
        sa.UniqueConstraint("event_id", "table_number"),
        unique_index="key",
        sqlite_autoincrement=False,
    )
    _create(
        "games",
        *_columns(_TEXT, "created_at", "rules", "state?", "first?", "decks?", "mark?", "at_table?"),
        *_columns(_WHOLE, "players", "event_stage?", "event_table?"),
        *_columns(_DOCUMENT, "sides"),
        sa.Column("practice", sa.Boolean(), nullable=False, server_default=sa.false()),
        _parent("event", nullable=True),
        index="event_id",
        unique_index="mark",
    )
    _create(
        "rounds",
        _parent("game"),
        *_columns(_WHOLE, "number"),
        *_columns(_DOCUMENT, "facts"),
        sa.UniqueConstraint("game_id", "number"),
        index="game_id",
    )
    _create(
        "photos",
        _parent("round"),
        *_columns(_WHOLE, "side", "player?", "width", "height"),
        *_columns(_TEXT, "file", "source", "taken_at"),
        *_columns(_DOCUMENT, "reading?"),
        index="round_id",
    )
    _create(
        "corrections",
        _parent("round"),
        *_columns(_WHOLE, "side"),
        *_columns(_DOCUMENT, "change"),
        *_columns(_TEXT, "made_at"),
        index="round_id",
    )
    _create("kept_rules", *_columns(_TEXT, "hash", "text"), sa.UniqueConstraint("hash"), sqlite_autoincrement=False)
    _create(
        "sheets",
        _parent("round"),
        *_columns(_DOCUMENT, "sheet"),
        *_columns(_TEXT, "confirmed_at"),
        sa.Column("rules_hash", sa.String(), sa.ForeignKey("kept_rules.hash")),
        index="round_id",
    )
    _create(
        "log",
        _parent("game"),
        *_columns(_WHOLE, "round?", "side?"),
        *_columns(_TEXT, "what", "made_at", "who?"),
        *_columns(_DOCUMENT, "before?", "after?"),
        index="game_id",
    )
    _create(
        "first_melds",
        _parent("game"),
        *_columns(_WHOLE, "round", "side", "width", "height"),
        *_columns(_TEXT, "file", "made_at"),
        *_columns(_DOCUMENT, "reading", "faces"),
        index="game_id",
    )
    _create("other_names", *_columns(_TEXT, "key", "written", "name", "made_at", "who?"), unique_index="key")
    _create(
        "devices",
        *_columns(_TEXT, "name", "secret_hash", "came_at", "seen_at", "square?"),
        sa.Column("keeper", sa.Boolean(), nullable=False, server_default=sa.false()),
        _parent("event", nullable=True),
        *_columns(_WHOLE, "event_table?"),
        sa.UniqueConstraint("secret_hash"),
    )


def _create(name: str, *parts: Any, index: str = "", unique_index: str = "", sqlite_autoincrement: bool = True) -> None:
    id = sa.Column("id", sa.Integer(), primary_key=True)
    op.create_table(name, id, *parts, sqlite_autoincrement=sqlite_autoincrement)
    for column, unique in ((index, False), (unique_index, True)):
        if column:
            op.create_index(f"ix_{name}_{column}", name, [column], unique=unique)


def _columns(kind: Any, *names: str) -> list[sa.Column[Any]]:
    """Columns of one type; a question mark behind those that may be null."""
    return [sa.Column(name.rstrip("?"), kind(), nullable=name.endswith("?")) for name in names]


def _parent(table: str, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(f"{table}_id", sa.Integer(), sa.ForeignKey(f"{table}s.id"), nullable=nullable)
