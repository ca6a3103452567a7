"""Complete rounds a second at a live table: seven patrons, two wagers each, every event made.

Run `python benchmarks/table.py`. Beside it, in the same run: the standard json module writing and
reading the same events, and where the time of a round goes by kind of command.
"""

import json
import random
import time
from collections import defaultdict

import msgspec

from punto.rulebook import ids
from punto.settlement import Limits
from punto.table import Table, act
from punto.table import commands as c
from punto.table.events import Event

LIMITS = Limits(minimum=1_000, maximum=10_000_000, differential=10_000_000)
FACES = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"]
AUTO = ("deal", "offer", "settle")
PATRONS = 7
ROUNDS, GOES = 50, 100


class Bench:
    """A table with seven patrons, and the time that its commands took."""

    def __init__(self, book: str) -> None:
        self.events: list[Event] = []
        self.spent: dict[str, float] = defaultdict(float)
        self.chance = random.Random(1)
        self.shoe: list[str] = []
        method = "B" if "mbs" in book else None
        opened = c.OpenTable(
            book,
            "2025-03-01T20:00:00+08:00",
            decks=8,
            limits=LIMITS,
            shoe="read",
            auto=AUTO,
            method=method,
            by="pit-manager" if method else "dealer",
        )
        self.table, _ = act(None, opened)
        self.load()
        self.patrons = [(f"patron-{at}", at % self.table.setup.positions + 1) for at in range(PATRONS)]
        for name, box in self.patrons[: self.table.setup.positions]:
            self.do(c.Sit(name, box, by=name))
        for name, _ in self.patrons[self.table.setup.positions :]:
            self.do(c.Stand(name, by=name))
        for name, _ in self.patrons:
            self.do(c.BuyIn(name, 10**11, by=name))

    def do(self, command: c.Command) -> None:
        """Give a command."""
        self.table, made = act(self.table, command)
        self.events += made

    def load(self) -> None:
        """Load a shuffled shoe."""
        self.shoe = FACES * 8
        self.chance.shuffle(self.shoe)
        self.do(c.LoadShoe())

    def play(self, rounds: int) -> None:
        """Play so many rounds, from the opening call to the payment."""
        for number in range(rounds):
            if self.table.shoe is None or self.table.shoe.left < 20:
                self.do(c.EndShoe())
                self.load()
            self.do(c.OpenBets())
            for name, box in self.patrons:
                self.do(c.Place(name, "banker" if number % 2 else "player", 10_000, box, by=name))
                self.do(c.Place(name, "tie", 2_000, box, by=name))
            self.do(c.CloseBets())
            while (running := self.table.running) is not None:
                down = sum(each.face is None for each in running.cards)
                if down:
                    self.do(c.Expose(tuple(self.shoe.pop() for _ in range(down))))
                else:
                    self.do(c.Draw())


class Timed(Bench):
    """The same, noting how long each kind of command takes."""

    def do(self, command: c.Command) -> None:
        """Give a command, and note how long it took."""
        start = time.perf_counter()
        super().do(command)
        self.spent[type(command).__name__] += time.perf_counter() - start


class Clock:
    """The quickest of several goes, of a table and of json on the same events."""

    def __init__(self, book: str) -> None:
        self.bench = Bench(book)
        self.rounds = self.json = float("inf")

    def go(self) -> None:
        """Play some rounds; then let the standard json module write their events, and read them again."""
        self.bench.events.clear()
        start = time.perf_counter()
        self.bench.play(ROUNDS)
        self.rounds = min(self.rounds, time.perf_counter() - start)
        plain = [msgspec.to_builtins(event) for event in self.bench.events]
        start = time.perf_counter()
        for each in plain:
            json.loads(json.dumps(each))
        self.json = min(self.json, time.perf_counter() - start)


def checked(table: Table) -> None:
    """Money is conserved, or the figures mean nothing."""
    assert table.house + sum(each.balance + each.held - each.owed for each in table.patrons.values()) == 0


def main() -> None:
    spent: dict[str, float] = defaultdict(float)
    clocks = {book: Clock(book) for book in ids()}
    for _ in range(GOES):
        for clock in clocks.values():  # in turns, so that a slow moment of the machine is nobody's alone
            clock.go()
    for book, clock in clocks.items():
        checked(clock.bench.table)
        rate, beside, events = ROUNDS / clock.rounds, ROUNDS / clock.json, len(clock.bench.events) / ROUNDS
        print(
            f"{book:22} {rate:7,.0f} rounds a second, {events:.1f} events each; "
            f"{rate / beside:.2f} times json writing and reading them ({beside:,.0f})"
        )
        timed = Timed(book)
        timed.spent.clear()
        timed.play(300)
        for kind, seconds in timed.spent.items():
            spent[kind] += seconds
    total = sum(spent.values())
    shares = sorted(spent.items(), key=lambda each: -each[1])[:6]
    print("where it goes:", ", ".join(f"{kind} {seconds / total:.0%}" for kind, seconds in shares))


if __name__ == "__main__":
    main()
