"""At which table of a club a game is played, and a mark by which the same game is known in a copy."""

from __future__ import annotations

import uuid

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_SPACE = uuid.UUID("6f1d2c0e-5a52-4f0e-9d0c-3b6f6f0d7a41")


def upgrade() -> None:
    op.add_column("games", sa.Column("mark", sa.String(), nullable=True))
    op.add_column("games", sa.Column("at_table", sa.String(), nullable=True))
    games = sa.table("games", sa.column("id"), sa.column("created_at"), sa.column("mark"))
    connection = op.get_bind()
    for id, created_at in connection.execute(sa.select(games.c.id, games.c.created_at)).all():
        # made of what never changes, so that an older copy of this database gives the same mark
        mark = uuid.uuid5(_SPACE, f"{id} {created_at}").hex
        connection.execute(games.update().where(games.c.id == id).values(mark=mark))
    op.create_index("ix_games_mark", "games", ["mark"], unique=True)


def downgrade() -> None:
    op.drop_index("ix_games_mark", "games")
    with op.batch_alter_table("games") as games:
        games.drop_column("at_table")
        games.drop_column("mark")
