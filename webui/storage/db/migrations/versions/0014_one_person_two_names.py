"""Names that are one person's, written differently."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "other_names",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("written", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("made_at", sa.String(), nullable=False),
        sa.Column("who", sa.String(), nullable=True),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_other_names_key", "other_names", ["key"], unique=True)


def downgrade() -> None:
    op.drop_table("other_names")
