"""Fencing: what the holder of a lease appends is checked against the lease in the same transaction."""

from collections.abc import Iterable

from sqlalchemy import Connection, select, text

from punto.journal.schema import leases

_ON_SQLITE = select(leases.c.table, leases.c.fence)

# On PostgreSQL the same statement however many tables there are, so that it is planned once.
_ON_POSTGRESQL = text('SELECT "table", fence FROM leases WHERE "table" = ANY(:names) ORDER BY "table" FOR SHARE')


def fences(connection: Connection, names: Iterable[str]) -> dict[str, int]:
    """The fencing numbers of these tables. Nobody takes one of them over until the transaction ends."""
    wanted = list(names)
    if connection.dialect.name == "sqlite":
        found = connection.execute(_ON_SQLITE.where(leases.c.table.in_(wanted)))
    else:
        found = connection.execute(_ON_POSTGRESQL, {"names": wanted})
    return {row.table: row.fence for row in found}
