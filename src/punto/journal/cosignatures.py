"""Cosignatures of a witness that a journal keeps beside its own checkpoints."""

from msgspec.structs import asdict
from sqlalchemy import insert, select

from punto.journal.schema import cosignatures
from punto.journal.store import Journal
from punto.journal.witness import Cosigned


def keep_cosigned(journal: Journal, given: Cosigned) -> None:
    """Keep what a witness has signed, unless it is kept."""
    with journal.transaction() as connection:
        journal.lock(connection, f"cosigned {given.table}")
        same = (cosignatures.c.table == given.table) & (cosignatures.c.sequence == given.sequence)
        if connection.execute(select(cosignatures.c.key).where(same, cosignatures.c.key == given.key)).first() is None:
            connection.execute(insert(cosignatures).values(asdict(given)))


def cosigned(journal: Journal, key: str) -> list[Cosigned]:
    """Everything that a witness, named by its public key, is kept to have signed."""
    asked = (
        select(cosignatures).where(cosignatures.c.key == key).order_by(cosignatures.c.table, cosignatures.c.sequence)
    )
    with journal.transaction(reading=True) as connection:
        found = connection.execute(asked).all()
    return [Cosigned(row.table, row.sequence, row.hash, row.key, row.signature) for row in found]
