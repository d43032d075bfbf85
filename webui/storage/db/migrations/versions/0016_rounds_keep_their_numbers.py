"""Ids of rounds and first melds are never reused, not even after a rehearsal was deleted.

A photo of a round may be read while its game is deleted and another round begins. Of a first meld no more is at stake
than a correction that is sent at that moment.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _rebuild(True)


def downgrade() -> None:
    _rebuild(False)


def _rebuild(autoincrement: bool) -> None:
    if op.get_bind().dialect.name != "sqlite":  # PostgreSQL sequences never reuse a number
        return
    op.create_table(  # by hand, as Alembic copies several constraints in an order of chance
        "rounds_new",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "number"),
        sqlite_autoincrement=autoincrement,
    )
    op.execute("INSERT INTO rounds_new (id, game_id, number, facts) SELECT id, game_id, number, facts FROM rounds")
    op.drop_table("rounds")
    op.rename_table("rounds_new", "rounds")
    op.create_index("ix_rounds_game_id", "rounds", ["game_id"])
    with op.batch_alter_table(
        "first_melds", recreate="always", table_kwargs={"sqlite_autoincrement": autoincrement}
    ) as melds:
        melds.alter_column("id", autoincrement=True)
