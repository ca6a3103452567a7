"""Entries hold commands, the form of their hash and the number of the engine; kept books have a table of their own.

No entry is rewritten: those that are there are of form 1, without a command.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add what is new, and move the kept books out of the records."""
    op.add_column("entries", sa.Column("form", sa.SmallInteger, nullable=False, server_default="1"))
    op.add_column("entries", sa.Column("engine", sa.Integer))
    op.add_column("entries", sa.Column("command", sa.LargeBinary))
    op.create_table(
        "books",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("text", sa.LargeBinary, nullable=False),
    )
    sqlite = op.get_bind().dialect.name == "sqlite"
    as_bytes = "CAST(body AS BLOB)" if sqlite else "convert_to(body, 'UTF8')"
    op.execute(f"INSERT INTO books (digest, text) SELECT name, {as_bytes} FROM records WHERE kind = 'book'")
    op.execute("DELETE FROM records WHERE kind = 'book'")
    if sqlite:
        for what in ("update", "delete"):
            op.execute(
                f"CREATE TRIGGER books_no_{what} BEFORE {what} ON books "
                "BEGIN SELECT RAISE(ABORT, 'books are never changed'); END"
            )
        op.execute(
            "CREATE TRIGGER books_no_replace BEFORE INSERT ON books "
            "WHEN EXISTS (SELECT 1 FROM books WHERE digest = NEW.digest) "
            "BEGIN SELECT RAISE(ABORT, 'books are never changed'); END"
        )
    else:
        op.execute(
            "CREATE TRIGGER books_never_changed BEFORE UPDATE OR DELETE ON books "
            "FOR EACH ROW EXECUTE FUNCTION punto_never_changed()"
        )
        op.execute(
            "CREATE TRIGGER books_never_emptied BEFORE TRUNCATE ON books "
            "FOR EACH STATEMENT EXECUTE FUNCTION punto_never_changed()"
        )


def downgrade() -> None:
    """A journal is not undone."""
    raise NotImplementedError("A journal is not undone.")
