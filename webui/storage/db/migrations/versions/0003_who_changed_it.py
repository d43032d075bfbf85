"""The author of a change."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("log") as log:
        log.add_column(sa.Column("who", sa.String(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("log") as log:
        log.drop_column("who")
