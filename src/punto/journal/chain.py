"""Entries and how they hang together: each carries the hash of the one before it."""

from collections.abc import Iterable, Iterator
from hashlib import sha256

import msgspec

START = "0" * 64
"""In the place of the hash before the first entry."""


class Entry(msgspec.Struct, frozen=True):
    """One entry of a journal. `key` names the command that made it; `body` is bytes that mean nothing here."""

    table: str
    sequence: int
    at: str
    who: str
    key: str
    body: bytes
    before: str
    hash: str


class Broken(msgspec.Struct, frozen=True):
    """The first entry that does not hang together with those before it, and why."""

    table: str
    sequence: int
    why: str


def hash_of(table: str, sequence: int, at: str, who: str, key: str, body: bytes, before: str) -> str:
    """The hash of an entry: everything that it says, and the hash before it.

    >>> hash_of("t1", 1, "2026-01-01T00:00:00Z", "dealer", "k1", b"{}", START)[:16]
    '26bc57a866cd9a8b'
    """
    head = msgspec.json.encode([table, sequence, at, who, key, before])
    return sha256(head + b"\n" + body).hexdigest()


def linked(
    table: str, after: int, before: str, at: str, who: str, key: str, bodies: Iterable[bytes]
) -> Iterator[Entry]:
    """Entries for some bodies, hung behind the one with that number and hash."""
    for sequence, body in enumerate(bodies, start=after + 1):
        found = hash_of(table, sequence, at, who, key, body, before)
        yield Entry(table, sequence, at, who, key, body, before, found)
        before = found


def first_broken(entries: Iterable[Entry]) -> Broken | None:
    """The first entry of a table that is missing, altered or out of order; None if the chain is whole.

    >>> one, two = linked("t1", 0, START, "2026-01-01T00:00:00Z", "dealer", "k", [b"a", b"b"])
    >>> first_broken([one, two]) is None
    True
    >>> first_broken([one, msgspec.structs.replace(two, body=b"x")]).why
    'its content is not what was hashed'
    >>> first_broken([two]).why
    'entry 1 is missing'
    """
    before = START
    for number, entry in enumerate(entries, start=1):
        if entry.sequence != number:
            return Broken(entry.table, entry.sequence, f"entry {number} is missing")
        if entry.before != before:
            return Broken(entry.table, entry.sequence, "it does not follow from the entry before it")
        found = hash_of(entry.table, entry.sequence, entry.at, entry.who, entry.key, entry.body, entry.before)
        if entry.hash != found:
            return Broken(entry.table, entry.sequence, "its content is not what was hashed")
        before = entry.hash
    return None
