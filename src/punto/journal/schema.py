"""The tables of the store, as SQLAlchemy sees them. Alembic makes them; see the folder migrations."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
)

REVISIONS = ("0001", "0002", "0003", "0004", "0005")
"""The revisions that this release knows, the newest last: the steps in the folder migrations."""

metadata = MetaData()
_Big = BigInteger().with_variant(Integer, "sqlite")

tables = Table(
    "tables",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("sequence", _Big, nullable=False),
    Column("hash", String(64), nullable=False),
)
"""One row a table: how far its chain has come. Appending is guarded by it."""

entries = Table(
    "entries",
    metadata,
    Column("table", String(64), ForeignKey("tables.id"), primary_key=True),
    Column("sequence", _Big, primary_key=True, autoincrement=False),
    Column("at", String(40), nullable=False),
    Column("who", String(200), nullable=False),
    Column("key", String(100), nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("before", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    Column("form", SmallInteger, nullable=False, server_default="1"),
    Column("engine", Integer),
    Column("command", LargeBinary),
    Index("entries_by_key", "table", "key"),
)
"""One row a command: its events in `body`, one a line, and `sequence` is the number of the last of them.

`key` names the command, so that a repeated one is answered with its first result. Rows of form 1 hold one event each,
and no command: several of them may have one key.
"""

checkpoints = Table(
    "checkpoints",
    metadata,
    Column("table", String(64), ForeignKey("tables.id"), primary_key=True),
    Column("sequence", _Big, primary_key=True, autoincrement=False),
    Column("hash", String(64), nullable=False),
    Column("key", String(64), nullable=False),
    Column("signature", String(128), nullable=False),
)

secrets = Table(
    "secrets",
    metadata,
    Column("table", String(64), primary_key=True),
    Column("name", String(100), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)
"""What a table must not say yet, such as the seed of its shoe; wrapped by a key that is not in the database."""

cosignatures = Table(
    "cosignatures",
    metadata,
    Column("table", String(64), primary_key=True),
    Column("sequence", _Big, primary_key=True, autoincrement=False),
    Column("key", String(64), primary_key=True),
    Column("hash", String(64), nullable=False),
    Column("signature", String(128), nullable=False),
)
"""Heads of chains that an outside witness has signed."""

books = Table(
    "books",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("text", LargeBinary, nullable=False),
)
"""The rulebooks that tables were opened by, each under the SHA-256 of its bytes."""

records = Table(
    "records",
    metadata,
    Column("kind", String(40), primary_key=True),
    Column("name", String(200), primary_key=True),
    Column("body", Text, nullable=False),
)
"""Small records of the operator: accounts, tokens, settings. Not part of any chain."""

holders = Table(
    "holders",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("expires", DateTime(timezone=True), nullable=False),
)
"""Processes that hold leases on PostgreSQL, each with the time until which it does, by the clock of the database."""

leases = Table(
    "leases",
    metadata,
    Column("table", String(64), primary_key=True),
    Column("holder", String(64), nullable=False),
    Column("fence", _Big, nullable=False),
    Column("released", Boolean, nullable=False),
    Column("found", String(10)),
)
"""Who runs which table. `fence` grows with every take-over; `released` if the holder let it go in good order.

`found` is how the present holder found it: `held` or `released` by the one before, or null.
"""

snapshots = Table(
    "snapshots",
    metadata,
    Column("table", String(64), primary_key=True),
    Column("sequence", _Big, primary_key=True, autoincrement=False),
    Column("hash", String(64), nullable=False),
    Column("format", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("key", String(64), nullable=False),
    Column("signature", String(128), nullable=False),
)
"""The last states of tables, as bytes in a numbered format, so that a start need not read whole chains."""

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("account", String(40), nullable=False),
    Column("version", _Big, nullable=False),
    Column("since", _Big, nullable=False),
    Column("seen", _Big, nullable=False),
    Column("until", _Big, nullable=False),
    Column("place", String(64), nullable=False),
    Column("way", String(20), nullable=False),
    Index("sessions_by_account", "account"),
    Index("sessions_by_until", "until"),
)
"""Who has logged in: since when, from where, and until when that is good. Times are seconds since 1970."""
