"""Entries as rows of the database, and back."""

from typing import Any

from sqlalchemy import Row

from punto.journal.chain import Entry


def row_of(entry: Entry) -> dict[str, Any]:
    """An entry as it is written: its events are the lines of one column."""
    return {
        "table": entry.table,
        "sequence": entry.sequence,
        "at": entry.at,
        "who": entry.who,
        "key": entry.key,
        "body": b"\n".join(entry.events),
        "before": entry.before,
        "hash": entry.hash,
        "form": entry.form,
        "engine": entry.engine,
        "command": entry.command,
    }


def read_entry(row: Row[Any]) -> Entry:
    """An entry as it was written. SQLite keeps values of any type where somebody put them: they are not trusted."""
    form = row.form if isinstance(row.form, int) else 0
    return Entry(
        row.table,
        row.sequence if isinstance(row.sequence, int) else 0,
        row.at,
        row.who,
        row.key,
        lines_of(form, row.body),
        row.before,
        row.hash,
        form,
        row.engine,
        None if row.command is None else _bytes(row.command),
    )


def lines_of(form: int, body: object) -> tuple[bytes, ...]:
    """The events in one column; an entry of form 1 has one, whatever it holds."""
    return (_bytes(body),) if form == 1 else tuple(_bytes(body).split(b"\n"))


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()
