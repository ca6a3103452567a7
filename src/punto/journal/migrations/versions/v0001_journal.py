"""The journal: chains of entries that can be added to and never changed."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_BIG = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_FOREVER = ("entries", "checkpoints")


def upgrade() -> None:
    """Make the tables, and let the database itself refuse to change what was written."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("sequence", _BIG, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
    )
    op.create_table(
        "entries",
        sa.Column("table", sa.String(64), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("sequence", _BIG, primary_key=True, autoincrement=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("who", sa.String(200), nullable=False),
        sa.Column("key", sa.String(100), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("before", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
    )
    op.create_index("entries_by_key", "entries", ["table", "key"])
    op.create_table(
        "checkpoints",
        sa.Column("table", sa.String(64), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("sequence", _BIG, primary_key=True, autoincrement=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("signature", sa.String(128), nullable=False),
    )
    op.create_table(
        "secrets",
        sa.Column("table", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(100), primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "records",
        sa.Column("kind", sa.String(40), primary_key=True),
        sa.Column("name", sa.String(200), primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
    )
    _refuse_changes()


def _refuse_changes() -> None:
    """Triggers by which the database itself refuses to change entries and checkpoints."""
    if op.get_bind().dialect.name == "sqlite":
        for table in _FOREVER:
            for what in ("update", "delete"):
                op.execute(
                    f"CREATE TRIGGER {table}_no_{what} BEFORE {what} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{table} are never changed'); END"
                )
            op.execute(
                f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} WHEN EXISTS (SELECT 1 FROM {table} "
                'WHERE "table" = NEW."table" AND sequence = NEW.sequence) '
                f"BEGIN SELECT RAISE(ABORT, '{table} are never changed'); END"
            )
    else:
        op.execute(
            "CREATE FUNCTION punto_never_changed() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION '% are never changed', TG_TABLE_NAME; END $$"
        )
        for table in _FOREVER:
            op.execute(
                f"CREATE TRIGGER {table}_never_changed BEFORE UPDATE OR DELETE ON {table} "
                "FOR EACH ROW EXECUTE FUNCTION punto_never_changed()"
            )
            op.execute(
                f"CREATE TRIGGER {table}_never_emptied BEFORE TRUNCATE ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION punto_never_changed()"
            )


def downgrade() -> None:
    """A journal is not undone."""
    raise NotImplementedError("A journal is not undone.")
