"""Sessions have a table: who has logged in, since when and from where."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_BIG = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add what is new."""
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("account", sa.String(40), nullable=False),
        sa.Column("version", _BIG, nullable=False),
        sa.Column("since", _BIG, nullable=False),
        sa.Column("seen", _BIG, nullable=False),
        sa.Column("until", _BIG, nullable=False),
        sa.Column("place", sa.String(64), nullable=False),
        sa.Column("way", sa.String(20), nullable=False),
    )
    op.create_index("sessions_by_account", "sessions", ["account"])
    op.create_index("sessions_by_until", "sessions", ["until"])


def downgrade() -> None:
    """A journal is not undone."""
    raise NotImplementedError("A journal is not undone.")
