"""Who plays first and whether a game was ended, the audit log, and first melds."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("games") as games:
        games.add_column(sa.Column("state", sa.String(), nullable=True))
        games.add_column(sa.Column("first", sa.String(), nullable=True))
    op.create_table(
        "log",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("games.id"), nullable=False, index=True),
        sa.Column("round", sa.Integer(), nullable=True),
        sa.Column("side", sa.Integer(), nullable=True),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("before", sa.JSON(), nullable=True),
        sa.Column("after", sa.JSON(), nullable=True),
        sa.Column("made_at", sa.String(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "first_melds",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("games.id"), nullable=False, index=True),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("side", sa.Integer(), nullable=False),
        sa.Column("file", sa.String(), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("reading", sa.JSON(), nullable=False),
        sa.Column("faces", sa.JSON(), nullable=False),
        sa.Column("made_at", sa.String(), nullable=False),
    )


def downgrade() -> None:
    for table in ("first_melds", "log"):
        op.drop_table(table)
    with op.batch_alter_table("games") as games:
        games.drop_column("first")
        games.drop_column("state")
