"""What can be found out about a store without changing it: its secrets, its times, and how its server is set."""

import time
from datetime import UTC, datetime

import msgspec
from sqlalchemy import and_, func, select, text

from punto.journal.schema import entries, secrets, tables
from punto.journal.store import Journal
from punto.journal.wrapping import Locked, MasterKey, wrapped_by

_SETTINGS = text("""
    SELECT name, reset_val FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit',
        'default_transaction_read_only', 'statement_timeout', 'max_connections', 'superuser_reserved_connections',
        'data_directory')
""")
_SERVER = text("""
    SELECT clock_timestamp() AS now, pg_is_in_recovery() AS standby,
        (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS connected,
        (SELECT datconnlimit FROM pg_database WHERE datname = current_database()) AS of_database,
        (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user) AS of_role
""")
_NOTHING = text("SELECT pg_logical_emit_message(true, 'punto', '')")
"""Something in PostgreSQL's log that is in no table; the commit waits for it like for any other."""


class Server(msgspec.Struct, frozen=True):
    """A PostgreSQL server: its settings for whoever connects as we do, its clock, and the connections it has left."""

    settings: dict[str, str]
    now: datetime
    standby: bool
    room: int
    """Connections that there may be besides those that are open."""


def server_of(journal: Journal) -> Server:
    """How the PostgreSQL server of a store is set."""
    with journal.transaction(reading=True) as connection:
        found = {row.name: row.reset_val for row in connection.execute(_SETTINGS)}
        row = connection.execute(_SERVER).one()
    most = int(found["max_connections"]) - int(found["superuser_reserved_connections"])
    limits = [each for each in (row.of_database, row.of_role) if each >= 0]
    return Server(found, row.now, row.standby, min([most, *limits]) - row.connected)


def commit_seconds(journal: Journal, times: int) -> list[float]:
    """How long PostgreSQL takes for commits of nothing, each in turn."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        with journal.transaction() as connection:
            connection.execute(_NOTHING)
        taken.append(time.perf_counter() - began)
    return taken


def last_moment(journal: Journal) -> datetime | None:
    """When the last entry of any chain was written, by the clock of whoever wrote it; None if there is none."""
    head = and_(entries.c.table == tables.c.id, entries.c.sequence == tables.c.sequence)
    asked = select(func.max(entries.c.at)).select_from(tables.join(entries, head))
    with journal.transaction(reading=True) as connection:
        found: str | None = connection.execute(asked).scalar()
    at = None if found is None else datetime.fromisoformat(found)
    return at.replace(tzinfo=UTC) if at is not None and at.tzinfo is None else at


def closed_secrets(journal: Journal, master: MasterKey) -> tuple[int, list[str]]:
    """How many secrets there are, and a sentence for each that this key does not open or that is not wrapped."""
    with journal.transaction(reading=True) as connection:
        rows = connection.execute(select(secrets)).all()
    closed = []
    for row in rows:
        value = bytes(row.value)
        if wrapped_by(value) is None:
            closed.append(f"The secret {row.name!r} of {row.table!r} is not wrapped.")
            continue
        try:
            master.unwrap(value, row.table, row.name)
        except Locked as error:
            closed.append(str(error))
    return len(rows), closed
