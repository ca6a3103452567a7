"""What is given to the store to be added, what it answers, and the names of the house's own chains."""

import msgspec

from punto.journal.chain import Entry
from punto.journal.provisos import Proviso

HOUSE = "house"
"""The chain of the house itself, beside those of its tables: who did what with its accounts."""

MONEY = "house:money"
"""The house's chain of money on its way: transfers with a wallet, money that limits count, purses that it holds."""

WALLET = "house:wallet"
"""The chain of the house's own wallet: what each person has deposited there, and what was taken from it."""

OF_THE_HOUSE = (HOUSE, MONEY, WALLET)
"""The chains that are no table's. No table's name holds a colon."""


class Append(msgspec.Struct, frozen=True):
    """What a command did, to be added to a table's chain if it stands at `expected`: its events, and the command.

    `engine` is the number of the rules that decided the command. What is `along` goes to other chains in the same
    commit: if one of those stands elsewhere, nothing of it is added. `fence` is the number of the lease under which it
    is done, where it is for the holder of the table's lease alone; `provisos` are records that it was decided by.
    """

    table: str
    expected: int
    key: str
    who: str
    at: str
    events: tuple[bytes, ...]
    command: bytes | None = None
    engine: int | None = None
    along: tuple["Append", ...] = ()
    fence: int | None = None
    provisos: tuple[Proviso, ...] = ()


class RecordChange(msgspec.Struct, frozen=True):
    """A record to be put in the place of the one that was read; None is a record that is not there."""

    kind: str
    name: str
    before: str | None
    after: str | None


class Appended(msgspec.Struct, frozen=True):
    """The entry is durable; None if there was nothing to add."""

    entry: Entry | None


class Repeated(msgspec.Struct, frozen=True):
    """This command was carried out before: these are the numbers of the events that it led to then."""

    first: int
    last: int


class Conflict(msgspec.Struct, frozen=True):
    """The chain stands elsewhere: somebody else was quicker."""

    sequence: int


class Fenced(msgspec.Struct, frozen=True):
    """Another process has taken the table over: this is not for whoever held its lease before."""


class Outdated(msgspec.Struct, frozen=True):
    """The record that it was decided by has changed: nothing was added."""


class Head(msgspec.Struct, frozen=True):
    """Where the store says that a chain ends."""

    sequence: int
    hash: str


Result = Appended | Repeated | Conflict | Fenced | Outdated
