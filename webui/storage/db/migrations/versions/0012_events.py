"""Events of many tables, the games of their tables, and devices that are let in for one table alone."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("mark", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("rules", sa.String(), nullable=False),
        sa.Column("setup", sa.JSON(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_events_mark", "events", ["mark"], unique=True)
    op.create_table(
        "event_facts",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("event_id", sa.Integer(), sa.ForeignKey("events.id"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("fact", sa.JSON(), nullable=False),
        sa.Column("made_at", sa.String(), nullable=False),
        sa.Column("who", sa.String(), nullable=True),
        sa.UniqueConstraint("event_id", "number"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_event_facts_event_id", "event_facts", ["event_id"])
    op.create_table(
        "event_squares",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("event_id", sa.Integer(), sa.ForeignKey("events.id"), nullable=False),
        sa.Column("table_number", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.UniqueConstraint("event_id", "table_number"),
    )
    op.create_index("ix_event_squares_key", "event_squares", ["key"], unique=True)
    for table in ("games", "devices"):  # in place: others refer to their rows
        op.execute(f"ALTER TABLE {table} ADD COLUMN event_id INTEGER REFERENCES events (id)")
        op.add_column(table, sa.Column("event_table", sa.Integer(), nullable=True))
    op.add_column("games", sa.Column("event_stage", sa.Integer(), nullable=True))
    op.create_index("ix_games_event_id", "games", ["event_id"])


def downgrade() -> None:
    with op.batch_alter_table("devices") as devices:
        devices.drop_column("event_table")
        devices.drop_column("event_id")
    with op.batch_alter_table("games") as games:
        games.drop_index("ix_games_event_id")
        games.drop_column("event_table")
        games.drop_column("event_stage")
        games.drop_column("event_id")
    op.drop_table("event_squares")
    op.drop_table("event_facts")
    op.drop_table("events")
