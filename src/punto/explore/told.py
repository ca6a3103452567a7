"""Stories that were chosen by the ways that they take through the engine, told again at the tables of any book.

They are commands alone; what comes of them is for the book to say. explore/choose.py chooses them.
"""

import lzma
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import msgspec

from punto.rulebook import Book, ids, load
from punto.table import commands as c
from punto.table.codec import ANY_COMMAND

TOLD = Path(__file__).with_name("told.jsonl.xz")


class ChosenStory(msgspec.Struct, frozen=True):
    """A story that was chosen for a book."""

    book: str
    commands: tuple[ANY_COMMAND, ...]


def told(path: Path = TOLD, book: str = "") -> Iterator[ChosenStory]:
    """Every story that was chosen, for whichever book or for one."""
    decode = msgspec.json.Decoder(ChosenStory).decode
    begins = f'{{"book":"{book}'.encode()
    yield from (decode(line) for line in lzma.decompress(path.read_bytes()).splitlines() if line.startswith(begins))


def told_for(book: Book) -> Iterator[tuple[c.Command, ...]]:
    """The stories for a book: those chosen for it, or where none were, those of all books."""
    for each in told(book=book.id if book.id in ids() else ""):
        yield tuple(_at(book, each.book, command) for command in each.commands)


def _at(book: Book, before: str, command: c.Command) -> c.Command:
    """A command as it is given at a table of a book; its table opens when the book is in effect.

    Of a book that ships, a table that is to be refused because it is too early is told as it is.
    """
    if not isinstance(command, c.OpenTable) or command.book != before:
        return command
    return msgspec.structs.replace(command, book=book.id, at=_in_effect(book, command.at))


def _in_effect(book: Book, at: str) -> str:
    try:
        early = datetime.fromisoformat(at) < book.effective
    except (ValueError, TypeError):  # a time that no book accepts is told as it is
        return at
    as_shipped = book.id in ids() and book.effective == load(book.id).effective
    return book.effective.isoformat() if early and not as_shipped else at
