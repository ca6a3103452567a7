"""Leases have rows of their own, with a fencing number; snapshots of tables are kept beside their chains.

What the last holders said about the tables they held is moved out of the records.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_BIG = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add what is new, and move what is known of leases."""
    op.create_table(
        "holders",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "leases",
        sa.Column("table", sa.String(64), primary_key=True),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("fence", _BIG, nullable=False),
        sa.Column("released", sa.Boolean, nullable=False),
        sa.Column("found", sa.String(10)),
    )
    op.create_table(
        "snapshots",
        sa.Column("table", sa.String(64), primary_key=True),
        sa.Column("sequence", _BIG, primary_key=True, autoincrement=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("format", sa.Integer, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("signature", sa.String(128), nullable=False),
    )
    op.execute(
        'INSERT INTO leases ("table", holder, fence, released) '
        "SELECT name, '', 1, body = 'released' FROM records WHERE kind = 'lease'"
    )
    op.execute("DELETE FROM records WHERE kind = 'lease'")


def downgrade() -> None:
    """A journal is not undone."""
    raise NotImplementedError("A journal is not undone.")
