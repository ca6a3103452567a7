"""What a commit reads before it is decided and what it writes then: few statements, whatever the number of commands.

Every statement of a transaction is a way to the database and back. PostgreSQL reads all of it in one, and writes all of
it in one.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, insert, select, text

from punto.journal.appends import Append, Repeated
from punto.journal.chain import Entry
from punto.journal.fencing import fences
from punto.journal.notify import CHANNEL, messages
from punto.journal.rows import lines_of, row_of
from punto.journal.schema import tables

# What every command needs is given to SQLite's driver as it is: SQLAlchemy would spend longer on it than SQLite.
_MOVE = "UPDATE tables SET sequence = :to, hash = :head WHERE id = :of"
_ADD = """
    INSERT INTO entries ("table", sequence, at, who, key, body, before, hash, form, engine, command)
    VALUES (:table, :sequence, :at, :who, :key, :body, :before, :hash, :form, :engine, :command)
"""
_KNOWN = text("""
    SELECT entries."table", entries.key, entries.sequence, entries.form, entries.body
    FROM json_each(:named) AS asked CROSS JOIN entries
    WHERE entries."table" = json_extract(asked.value, '$[0]') AND entries.key = json_extract(asked.value, '$[1]')
""")  # in this order of tables, so that the index is used: the planner would go through all entries
_RECORDS = text("""
    SELECT records.kind, records.name, records.body FROM json_each(:named) AS asked CROSS JOIN records
    WHERE records.kind = json_extract(asked.value, '$[0]') AND records.name = json_extract(asked.value, '$[1]')
""")
_HEADS = select(tables.c.id, tables.c.sequence, tables.c.hash).order_by(tables.c.id).with_for_update()

# PostgreSQL is given rows as one JSON text. As arrays its driver would take them apart value by value. Bytes are base64
# in it. LATERAL with OFFSET 0, so that the index is used: planned over a young journal, a plain join goes through all
# entries ever after.
_GROUND = text("""
    WITH heads AS MATERIALIZED (
        SELECT id, sequence, hash FROM tables WHERE id = ANY(:chains) ORDER BY id FOR UPDATE
    ), fences AS MATERIALIZED (
        SELECT "table", fence FROM leases WHERE "table" = ANY(:held) ORDER BY "table" FOR SHARE
    ), kept AS MATERIALIZED (
        SELECT records.kind, records.name, records.body
        FROM json_to_recordset(CAST(:kept AS json)) AS asked (kind text, name text)
        JOIN records ON records.kind = asked.kind AND records.name = asked.name
        ORDER BY records.kind, records.name FOR SHARE OF records
    )
    SELECT 'head' AS what, id AS one, hash AS two, sequence AS number, CAST(NULL AS smallint) AS form,
        CAST(NULL AS bytea) AS body, CAST(NULL AS text) AS record
    FROM heads
    UNION ALL
    SELECT 'fence', "table", NULL, fence, NULL, NULL, NULL FROM fences
    UNION ALL
    SELECT 'known', found."table", found.key, found.sequence, found.form, found.body, NULL
    FROM json_to_recordset(CAST(:keys AS json)) AS asked ("table" text, key text) CROSS JOIN LATERAL (
        SELECT * FROM entries WHERE entries."table" = asked."table" AND entries.key = asked.key OFFSET 0
    ) AS found
    UNION ALL
    SELECT 'record', found.kind, found.name, NULL, NULL, NULL, found.body
    FROM json_to_recordset(CAST(:records AS json)) AS asked (kind text, name text) CROSS JOIN LATERAL (
        SELECT * FROM records WHERE records.kind = asked.kind AND records.name = asked.name OFFSET 0
    ) AS found
    UNION ALL
    SELECT 'record', kind, name, NULL, NULL, NULL, body FROM kept
""")
_WRITE = text("""
    WITH moved AS (
        UPDATE tables SET sequence = given."to", hash = given.head
        FROM json_to_recordset(CAST(:moves AS json)) AS given ("of" text, "to" bigint, head text)
        WHERE tables.id = given."of"
    ), added AS (
        INSERT INTO entries ("table", sequence, at, who, key, body, before, hash, form, engine, command)
        SELECT "table", sequence, at, who, key, decode(body, 'base64'), before, hash, form, engine,
            decode(command, 'base64')
        FROM json_to_recordset(CAST(:entries AS json)) AS given ("table" text, sequence bigint, at text, who text,
            key text, body text, before text, hash text, form smallint, engine integer, command text)
    )
    SELECT pg_notify(:channel, message) FROM unnest(CAST(:messages AS text[])) AS message
""")


class Ground(NamedTuple):
    """What a commit is decided by: the ends of its chains, held until the transaction ends, and what was there before.

    `known` are the commands that were carried out before, by chain and key; `fences` the numbers of the leases under
    which somebody appends; `records` those that a proviso names, by kind and name.
    """

    heads: dict[str, tuple[int, str]]
    known: dict[tuple[str, str], Repeated]
    fences: dict[str, int]
    records: dict[tuple[str, str], str]


def read_ground(connection: Connection, batch: Sequence[Append]) -> Ground:
    """Read what a commit of this batch is decided by. Chains are held in one order: two writers never wait in a ring.

    Nobody takes a table over until the transaction ends, where something is appended under its lease.
    """
    chains = sorted({each.table for given in batch for each in (given, *given.along)})
    held = sorted({each.table for each in batch if each.fence is not None})
    keys = [(each.table, each.key) for each in batch if each.expected]
    provisos = [proviso for each in batch for proviso in each.provisos]
    kept = sorted({(each.kind, each.name) for each in provisos if each.held})
    records = sorted({(each.kind, each.name) for each in provisos} - set(kept))
    if connection.dialect.name == "sqlite":
        return Ground(
            read_heads(connection, chains),
            _known(connection.execute(_KNOWN, _named(keys))) if keys else {},
            fences(connection, held) if held else {},
            {row[:2]: row.body for row in connection.execute(_RECORDS, _named(records + kept))} if provisos else {},
        )
    rows: dict[str, list[Any]] = {"head": [], "fence": [], "known": [], "record": []}
    asked = {
        "chains": chains,
        "held": held,
        "keys": _json([{"table": table, "key": key} for table, key in keys]),
        "records": _json([{"kind": kind, "name": name} for kind, name in records]),
        "kept": _json([{"kind": kind, "name": name} for kind, name in kept]),
    }
    for what, *row in connection.execute(_GROUND, asked).all():
        rows[what].append(row)
    return Ground(
        {name: (sequence, end) for name, end, sequence, *_ in rows["head"]},
        _known(row[:5] for row in rows["known"]),
        {table: fence for table, _, fence, *_ in rows["fence"]},
        {(kind, name): body for kind, name, *_, body in rows["record"]},
    )


def read_heads(connection: Connection, chains: Sequence[str]) -> dict[str, tuple[int, str]]:
    """Where chains stand, held until the transaction ends."""
    found = connection.execute(_HEADS.where(tables.c.id.in_(chains)))
    return {name: (sequence, end) for name, sequence, end in found}


def write_entries(
    connection: Connection, added: Sequence[Entry], heads: dict[str, tuple[int, str]], fresh: set[str], sender: str
) -> None:
    """Add entries to their chains, move the ends of these, and on PostgreSQL tell other processes when it commits."""
    if not added:
        return
    changed = dict.fromkeys(entry.table for entry in added)
    new = [{"id": name, "sequence": heads[name][0], "hash": heads[name][1]} for name in changed if name in fresh]
    moves = [{"of": name, "to": heads[name][0], "head": heads[name][1]} for name in changed if name not in fresh]
    rows = [row_of(each) for each in added]
    if new:
        connection.execute(insert(tables), new)
    if connection.dialect.name == "sqlite":
        if moves:
            connection.exec_driver_sql(_MOVE, moves)
        connection.exec_driver_sql(_ADD, rows)
    else:
        told = messages(sender, {entry.table: entry.sequence for entry in added})
        given = {"moves": _json(moves), "entries": _json(rows), "channel": CHANNEL, "messages": told}
        connection.execute(_WRITE, given)


def _known(rows: Any) -> dict[tuple[str, str], Repeated]:
    known: dict[tuple[str, str], Repeated] = {}
    for table, key, last, form, body in rows:
        made = Repeated(last - len(lines_of(form, body)) + 1, last)
        other = known.get((table, key), made)  # of form 1 there may be several
        known[table, key] = Repeated(min(made.first, other.first), max(made.last, other.last))
    return known


def _named(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    return {"named": _json(pairs)}


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
