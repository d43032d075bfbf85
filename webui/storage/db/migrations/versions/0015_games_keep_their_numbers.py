"""Ids of games are never reused, not even after a rehearsal was deleted.

A photo of a game may wait at a station to be sent, while the game is deleted and another one begins.
"""

from __future__ import annotations

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _rebuild(True)


def downgrade() -> None:
    _rebuild(False)


def _rebuild(autoincrement: bool) -> None:
    if op.get_bind().dialect.name != "sqlite":  # PostgreSQL sequences never reuse a number
        return
    with op.batch_alter_table(
        "games", recreate="always", table_kwargs={"sqlite_autoincrement": autoincrement}
    ) as games:
        games.alter_column("id", autoincrement=True)
