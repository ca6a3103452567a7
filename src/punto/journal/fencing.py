"""Fencing: what the holder of a lease appends is checked against the lease in the same transaction."""

from collections.abc import Iterable

from sqlalchemy import Connection, select

from punto.journal.schema import leases


def fences(connection: Connection, names: Iterable[str]) -> dict[str, int]:
    """The fencing numbers of these tables. Nobody takes one of them over until the transaction ends."""
    asked = select(leases.c.table, leases.c.fence).where(leases.c.table.in_(list(names))).order_by(leases.c.table)
    return {row.table: row.fence for row in connection.execute(asked.with_for_update(read=True))}
