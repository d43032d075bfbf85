"""By which square a device came in, and whether it may look after the games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("devices") as devices:
        devices.add_column(sa.Column("square", sa.String(), nullable=True))
        devices.add_column(sa.Column("keeper", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    with op.batch_alter_table("devices") as devices:
        devices.drop_column("keeper")
        devices.drop_column("square")
