"""Runs migrations on the connection that ``webui.storage.db.connect`` hands over."""

from __future__ import annotations

from alembic import context

from webui.storage.db.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,  # SQLite alters a table only by writing it anew
)
with context.begin_transaction():
    context.run_migrations()
