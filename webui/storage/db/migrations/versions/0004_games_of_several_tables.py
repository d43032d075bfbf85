"""The club's table of a game, and a mark that identifies the same game in every copy of the database."""

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
        # derived from what never changes, so that older copies of this database get the same marks
        mark = uuid.uuid5(_SPACE, f"{id} {created_at}").hex
        connection.execute(games.update().where(games.c.id == id).values(mark=mark))
    op.create_index("ix_games_mark", "games", ["mark"], unique=True)


def downgrade() -> None:
    op.drop_index("ix_games_mark", "games")
    with op.batch_alter_table("games") as games:
        games.drop_column("at_table")
        games.drop_column("mark")
