"""The rules that each agreed round was agreed under, as text; ``webui.storage.kept_rules`` fills them in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "kept_rules",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("hash", sa.String(), nullable=False, unique=True),
        sa.Column("text", sa.String(), nullable=False),
    )
    with op.batch_alter_table("sheets") as sheets:
        sheets.add_column(sa.Column("rules_hash", sa.String(), nullable=True))
        sheets.create_foreign_key("sheets_rules_hash_fkey", "kept_rules", ["rules_hash"], ["hash"])


def downgrade() -> None:
    with op.batch_alter_table("sheets") as sheets:
        sheets.drop_constraint("sheets_rules_hash_fkey", type_="foreignkey")
        sheets.drop_column("rules_hash")
    op.drop_table("kept_rules")
