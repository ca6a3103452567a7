"""How a commit on PostgreSQL tells other processes how far tables have gone: NOTIFY in the same transaction.

A message holds who sends it, and numbers only. What happened is read from the journal. `punto.journal.listen` is the
other end.
"""

from collections.abc import Mapping

CHANNEL = "punto"
_LONGEST = 7000
"""PostgreSQL takes less than 8,000 bytes in one notification."""


def messages(sender: str, reached: Mapping[str, int]) -> list[str]:
    """How far tables have gone, in as few messages as PostgreSQL takes.

    >>> messages("punto-5f", {"t1": 7, "t2": 12})
    ['punto-5f:t1 7,t2 12']
    """
    made: list[list[str]] = [[]]
    size = 0
    for table, sequence in reached.items():
        part = f"{table} {sequence}"
        size += len(part) + 1
        if size > _LONGEST:
            made.append([])
            size = len(part) + 1
        made[-1].append(part)
    return [f"{sender}:{','.join(each)}" for each in made if each]


def read_message(message: str) -> tuple[str, dict[str, int]]:
    """Who sends such a message, and how far tables have gone by it.

    >>> read_message("punto-5f:t1 7,t2 12")
    ('punto-5f', {'t1': 7, 't2': 12})
    """
    sender, _, parts = message.partition(":")
    return sender, {table: int(sequence) for table, sequence in (each.split(" ") for each in parts.split(","))}
