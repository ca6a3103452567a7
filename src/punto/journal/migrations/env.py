"""Run by Alembic: the connection comes from whoever asked for the upgrade."""

from alembic import context

from punto.journal.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
