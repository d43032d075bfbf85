"""Alembic's environment: runs migrations on the connection that ``webui.storage.db.connect`` passes in."""

from __future__ import annotations

from alembic import context

from webui.storage.db.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,  # SQLite can alter a table only by rebuilding it
)
with context.begin_transaction():
    context.run_migrations()
