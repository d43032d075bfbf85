"""A photo's number is never given twice, not even after a backup was restored: browsers keep pictures by it."""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _write_anew(True)


def downgrade() -> None:
    _write_anew(False)


def _write_anew(never_twice: bool) -> None:
    if op.get_bind().dialect.name == "sqlite":  # a server's numbers go on by themselves
        with op.batch_alter_table(
            "photos", recreate="always", table_kwargs={"sqlite_autoincrement": never_twice}
        ) as photos:
            photos.alter_column("id", autoincrement=True)
