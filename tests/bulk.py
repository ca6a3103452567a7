"""Long histories, made quickly: one shoe is played by the rules, and then repeated as often as one likes.

An entry of such a chain is a whole round, and keeps no command.
"""

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import NamedTuple

import msgspec

from punto.journal import Append, Journal
from punto.settlement import Limits
from punto.shoe import shuffle
from punto.table import Table, act, commands, decode_event, encode, events
from punto.table.felt import unexposed

AT = "2026-11-15T08:00:00.000Z"
LIMITS = Limits(minimum=1000, maximum=1_000_000, differential=1_000_000)
ROUNDS_A_SHOE = 60
PATRONS = ("ann", "bob", "cleo", "dan")
_FACES = [str(card) for card in shuffle(bytes(32), 8)]

Entries = list[list[events.Event]]


class _Shoe:
    """One shoe at a table of hand-dealt cards, from its loading to its end."""

    def __init__(self) -> None:
        auto = ("announce", "deal", "offer", "settle")
        opening = commands.OpenTable("wu-song", "2026-11-15T08:00:00+08:00", 8, limits=LIMITS, auto=auto)
        self.table: Table | None = None
        self.made: Entries = [[]]
        self.out = 0
        self._do(opening)
        for box, name in enumerate(PATRONS, start=1):
            self._do(commands.Sit(name, box, by=name))
        self.opening = self.made.pop()

    def _do(self, command: commands.Command) -> None:
        self.table, made = act(self.table, command)
        self.made[-1] += made

    def play(self, rounds: int) -> Entries:
        """Everybody buys in, plays so many rounds, and cashes what is left."""
        self.made = [[]]
        self._do(commands.LoadShoe())
        for name in PATRONS:
            self._do(commands.BuyIn(name, 10_000_000, by=name))
        for _ in range(rounds):
            self.made.append([])
            self._round()
        self.made.append([])
        assert self.table is not None
        for name, patron in list(self.table.patrons.items()):
            self._do(commands.CashOut(name, patron.balance, by=name))
        self._do(commands.EndShoe())
        return self.made

    def _round(self) -> None:
        self._do(commands.OpenBets())
        for number, name in enumerate(PATRONS):
            self._do(commands.Place(name, "banker" if number % 2 else "player", 20_000, by=name))
            self._do(commands.Place(name, "tie", 2_000, by=name))
        self._do(commands.CloseBets())
        while self.table is not None and (round := self.table.running) is not None:
            down = unexposed(round)
            if down:
                self._do(commands.Expose(tuple(_FACES[self.out : self.out + len(down)])))
                self.out += len(down)
            else:
                self._do(commands.Draw())


def history(rounds: int) -> Iterator[tuple[bytes, ...]]:
    """The entries of a table that has been open for so many rounds, as the events of each."""
    opening, played = _played()
    yield opening
    for shoes_before in range(-(-rounds // ROUNDS_A_SHOE)):
        for entry in played:
            yield tuple(each.numbered(shoes_before) for each in entry)


@cache
def _played() -> "tuple[tuple[bytes, ...], list[list[_Body]]]":
    """The opening of a table, and its first shoe."""
    shoe = _Shoe()
    played = [[_Body(event, encode(event)) for event in entry] for entry in shoe.play(ROUNDS_A_SHOE)]
    return tuple(encode(event) for event in shoe.opening), played


class _Body(NamedTuple):
    """An event of the first shoe, and its bytes."""

    event: events.Event
    body: bytes

    def numbered(self, shoes_before: int) -> bytes:
        """The same event as it is in a later shoe."""
        event = self.event
        if isinstance(event, events.ShoeLoaded):
            return encode(msgspec.structs.replace(event, number=event.number + shoes_before))
        if isinstance(event, events.BetsOpened):
            return encode(msgspec.structs.replace(event, number=event.number + shoes_before * ROUNDS_A_SHOE))
        return self.body


def append_history(journal: Journal, name: str, rounds: int, at_once: int = 500) -> int:
    """Make a table with a long history; the number of its events."""
    reached, entries, number = 0, history(rounds), 0
    while some := list(islice(entries, at_once)):
        batch = []
        for bodies in some:
            number += 1
            batch.append(Append(name, reached, f"k{number}", "dealer", AT, bodies))
            reached += len(bodies)
        journal.append(batch)
    return reached


def append_days(journal: Journal, name: str, days: int) -> None:
    """Write the history of a table at which one shoe is played a day, from 1 November 2026 on."""
    reached = day = 0
    for number, bodies in enumerate(history(days * ROUNDS_A_SHOE)):
        day += any(isinstance(decode_event(body), events.ShoeLoaded) for body in bodies)
        at = f"2026-11-{max(day, 1):02d}T08:00:00.000Z"
        journal.append([Append(name, reached, f"k{number}", "dealer", at, bodies)])
        reached += len(bodies)
