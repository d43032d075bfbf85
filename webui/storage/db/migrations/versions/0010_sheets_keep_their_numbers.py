"""Sheet ids are never reused, not even after an agreement was undone: forms say by them which sheet they were shown."""

from __future__ import annotations

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _rebuild(True)


def downgrade() -> None:
    _rebuild(False)


def _rebuild(autoincrement: bool) -> None:
    if op.get_bind().dialect.name == "sqlite":  # PostgreSQL sequences never reuse a number
        with op.batch_alter_table(
            "sheets", recreate="always", table_kwargs={"sqlite_autoincrement": autoincrement}
        ) as sheets:
            sheets.alter_column("id", autoincrement=True)
