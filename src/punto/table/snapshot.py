"""The state of a table as bytes and back, so that a table can be gone on with without its whole history.

The book is not among it: a table names its book by digest, and takes it from a library.
"""

from typing import Any

import msgspec

from punto.messages import Message
from punto.rulebook import SHIPPED, Library, Refused
from punto.table import events as e
from punto.table.state import Table

STATE = 9
"""The number of the state's format. It is raised when the shape of the state changes, or what events make of it."""


class BadState(ValueError):
    """Bytes that are no state of a table, or that this release cannot go on from."""


class Marks(msgspec.Struct, frozen=True, gc=False):
    """Where, in the events of a table, the round on the felt and the shoe in use began; 0 where none did.

    And where shoes ended: the last that did, and the one before it.

    >>> marks = Marks().after(7, e.BetsOpened(1)).after(9, e.ShoeLoaded(2, 416))
    >>> marks.round, marks.shoe, marks.before_shoe
    (7, 9, 7)
    >>> marks = marks.after(20, e.ShoeEnded()).after(21, e.ShoeLoaded(3, 416)).after(40, e.ShoeEnded())
    >>> marks.end_before, marks.end
    (20, 40)
    """

    round: int = 0
    """The last opening call."""
    shoe: int = 0
    """The loading of the shoe in use."""
    before_shoe: int = 0
    """The last opening call before that loading, or the loading itself if there was none."""
    end: int = 0
    """The last end of a shoe."""
    end_before: int = 0
    """The end of a shoe before that one: what follows it tells the whole of the last shoe that has ended."""

    def after(self, sequence: int, event: e.Event) -> "Marks":
        """The marks after one more event, which has this number."""
        if isinstance(event, e.BetsOpened):
            return msgspec.structs.replace(self, round=sequence)
        if isinstance(event, e.ShoeLoaded):
            return msgspec.structs.replace(self, shoe=sequence, before_shoe=self.round or sequence)
        if isinstance(event, e.ShoeEnded):
            return msgspec.structs.replace(self, end=sequence, end_before=self.end)
        return self


def _kept_type() -> Any:
    """The type of what is kept: every field of a table but its book, and the marks. None of them may be missing."""
    fields = [(each.name, each.type) for each in msgspec.structs.fields(Table) if each.name != "book"]
    return msgspec.defstruct("KeptTable", [*fields, ("marks", Marks)], frozen=True, forbid_unknown_fields=True)


KEPT_TABLE = _kept_type()
_encoder = msgspec.msgpack.Encoder(enc_hook=str)  # a sentence that knows its message is kept as its text
_decoder: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(KEPT_TABLE)


def encode_state(table: Table, marks: Marks) -> bytes:
    """A table and its marks in the present format, `STATE`."""
    return _encoder.encode({**_parts(table), "marks": marks})


def decode_state(body: bytes, library: Library = SHIPPED) -> tuple[Table, Marks]:
    """A table and its marks from bytes of the present format; `BadState` where that cannot be.

    `library` has the book that the table is played by.
    """
    try:
        kept = _decoder.decode(body)
        book = library.book(kept.setup.digest)
    except (msgspec.DecodeError, UnicodeDecodeError, Refused) as error:
        raise BadState(f"The state of this table cannot be read: {error}") from None
    parts = _parts(kept)
    marks = parts.pop("marks")
    return Table(book, **parts), marks


def _parts(given: Any) -> dict[str, Any]:
    return {name: getattr(given, name) for name in given.__struct_fields__ if name != "book"}


def same_state(one: object, other: object) -> bool:
    """Whether two states, or parts of them, are equal, down to the order in which they hold their parts.

    >>> same_state({"ann": 1, "bob": 2}, {"bob": 2, "ann": 1})
    False
    """
    if one is other:
        return True
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(same_state(one[key], other[key]) for key in one)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same_state, one, other))
    if isinstance(one, Message):  # its arguments go by their names
        return one == other
    if isinstance(one, msgspec.Struct) and type(one) is type(other):
        if one.__struct_config__.eq and one != other:
            return False
        return all(same_state(getattr(one, name), getattr(other, name)) for name in one.__struct_fields__)
    return one == other
