"""Kept snapshots: the last states of a table, as bytes in a numbered format, signed on the entry that they belong to.

What the bytes mean is not known here. Only the last few of a table are kept: they save reading, and hold nothing that
the chain does not.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

import msgspec
from sqlalchemy import delete, insert, inspect, select, text

from punto.journal.chain import Entry
from punto.journal.fencing import fences
from punto.journal.rows import read_entry
from punto.journal.schema import entries, snapshots
from punto.journal.signing import is_signature, public_key, signature
from punto.journal.store import Journal

MOST = 3
"""How many snapshots of a table are kept."""

_TAILS = text("""
    SELECT entries.* FROM unnest(CAST(:tables AS text[]), CAST(:after AS bigint[])) AS asked ("table", after)
    CROSS JOIN LATERAL (
        SELECT * FROM entries WHERE entries."table" = asked."table" AND entries.sequence > asked.after
        ORDER BY entries.sequence LIMIT :most) AS entries
    ORDER BY entries."table", entries.sequence
""")
_TAIL = text('SELECT * FROM entries WHERE "table" = :table AND sequence > :after ORDER BY sequence LIMIT :most')


class KeptSnapshot(msgspec.Struct, frozen=True):
    """The state of a table after an event: the number of the event, the hash of its entry, and the state as bytes.

    `format` is the number of the format of the bytes, and `digest` their SHA-256.
    """

    table: str
    sequence: int
    hash: str
    format: int
    body: bytes
    digest: str
    key: str
    signature: str


def new_snapshot(private: bytes, table: str, sequence: int, head: str, number: int, body: bytes) -> KeptSnapshot:
    """Sign a state in the format of this number.

    >>> made = new_snapshot(bytes(32), "t1", 7, "ab" * 32, 1, b"state")
    >>> is_genuine(made), is_genuine(msgspec.structs.replace(made, body=b"other"))
    (True, False)
    """
    digest = sha256(body).hexdigest()
    signed = signature(private, _signed_text(table, sequence, head, number, digest))
    return KeptSnapshot(table, sequence, head, number, body, digest, public_key(private), signed)


def is_genuine(given: KeptSnapshot, trusted: Sequence[str] | None = None) -> bool:
    """Whether a snapshot is what was signed by its key, and that key is a trusted one if such are named."""
    if trusted is not None and given.key not in trusted:
        return False
    text = _signed_text(given.table, given.sequence, given.hash, given.format, given.digest)
    return given.digest == sha256(given.body).hexdigest() and is_signature(given.key, given.signature, text)


def _signed_text(table: str, sequence: int, head: str, number: int, digest: str) -> bytes:
    return msgspec.json.encode(["punto snapshot", table, sequence, head, number, digest])


def keep_snapshot(journal: Journal, given: KeptSnapshot, fence: int | None = None) -> bool:
    """Keep a snapshot as the last one of its table, and forget the oldest.

    With a `fence` it is kept under the lease of that number alone: False if another process has the table.
    """
    of_table = snapshots.c.table == given.table
    with journal.transaction() as connection:
        if fence is not None and fences(connection, [given.table]).get(given.table) != fence:
            return False
        connection.execute(delete(snapshots).where(of_table, snapshots.c.sequence >= given.sequence))
        connection.execute(insert(snapshots).values(msgspec.structs.asdict(given)))
        newest = select(snapshots.c.sequence).where(of_table).order_by(snapshots.c.sequence.desc()).limit(MOST)
        last = list(connection.execute(newest).scalars())
        connection.execute(delete(snapshots).where(of_table, snapshots.c.sequence < last[-1]))
    return True


def keeps_snapshots(journal: Journal) -> bool:
    """Whether the store has a place for snapshots: one of an earlier release that is only read has none."""
    with journal.transaction(reading=True) as connection:
        return inspect(connection).has_table(snapshots.name)


def kept_snapshots(journal: Journal, tables: Iterable[str], *, in_chain: bool = False) -> dict[str, list[KeptSnapshot]]:
    """The snapshots of these tables, the last one first; `in_chain` only those on an entry of the table's chain."""
    asked = select(snapshots).where(snapshots.c.table.in_(list(tables))).order_by(snapshots.c.sequence.desc())
    if in_chain:
        same = (entries.c.table == snapshots.c.table) & (entries.c.sequence == snapshots.c.sequence)
        asked = asked.join(entries, same & (entries.c.hash == snapshots.c.hash))
    found: dict[str, list[KeptSnapshot]] = {}
    with journal.transaction(reading=True) as connection:
        for row in connection.execute(asked):
            found.setdefault(row.table, []).append(KeptSnapshot(**row._mapping))
    return found


def tails(journal: Journal, after: Mapping[str, int], most: int) -> dict[str, list[Entry]]:
    """The entries of several chains that hold events above a number each, in order, at most so many of each."""
    found: dict[str, list[Entry]] = {table: [] for table in after}
    with journal.transaction(reading=True) as connection:
        if journal.sqlite:
            for table, number in after.items():
                rows = connection.execute(_TAIL, {"table": table, "after": number, "most": most})
                found[table] = [read_entry(row) for row in rows]
        else:
            given = {"tables": list(after), "after": list(after.values()), "most": most}
            for row in connection.execute(_TAILS, given):
                found[row.table].append(read_entry(row))
    return found
