"""What a card reader has read moves to the secrets, where it is wrapped; cosignatures of a witness have a table."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_BIG = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add what is new, and move the faces that were read out of the records."""
    op.create_table(
        "cosignatures",
        sa.Column("table", sa.String(64), primary_key=True),
        sa.Column("sequence", _BIG, primary_key=True, autoincrement=False),
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("signature", sa.String(128), nullable=False),
    )
    sqlite = op.get_bind().dialect.name == "sqlite"
    as_bytes = "CAST(body AS BLOB)" if sqlite else "convert_to(body, 'UTF8')"
    op.execute(
        f"INSERT INTO secrets (\"table\", name, value) SELECT name, 'faces', {as_bytes} FROM records "
        "WHERE kind = 'faces' AND length(name) <= 64"
    )
    op.execute("DELETE FROM records WHERE kind = 'faces'")


def downgrade() -> None:
    """A journal is not undone."""
    raise NotImplementedError("A journal is not undone.")
