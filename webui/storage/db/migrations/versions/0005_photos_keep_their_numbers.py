"""Photo ids are never reused, not even after a restore: browsers cache pictures by them."""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _rebuild(True)


def downgrade() -> None:
    _rebuild(False)


def _rebuild(autoincrement: bool) -> None:
    if op.get_bind().dialect.name == "sqlite":  # PostgreSQL sequences never reuse a number
        with op.batch_alter_table(
            "photos", recreate="always", table_kwargs={"sqlite_autoincrement": autoincrement}
        ) as photos:
            photos.alter_column("id", autoincrement=True)
