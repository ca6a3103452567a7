"""Amounts at the edge of nothing and of one bet's own limits, and tables that post such limits."""

from collections.abc import Iterator
from itertools import product

from msgspec.structs import replace

from punto.compare.directions import bets
from punto.explore.alphabet import ANN, BOB
from punto.explore.starts import LIMITS, MOMENTS, SEATED, THREE_BETS, Start, openings, played
from punto.rulebook import Book, Library, menu
from punto.settlement import payable
from punto.table import Table, act
from punto.table import commands as c

STATES = 12
"""In how many states such amounts are tried, if in so many at all."""

NOTHING = (0, -1, -2000)
OF_ONE_BET = {"tie": 1500, "banker": 3000}
"""The posted maximum of a side bet and of a hand; everything else has the table's."""

_AMOUNTS = (1, 20, 1000, 1500, 1501, 2000, 3000, 3020, 4000)
"""On both sides of those, and the least that a table with the least minimum takes."""


def edge_starts(book: Book, library: Library) -> Iterator[Start]:
    """Tables with a maximum for single bets, and with the least minimum, with bets open, closed, and a card due."""
    usual, carried = openings(book)[0].command, menu(book)
    own = {bet: most for bet, most in OF_ONE_BET.items() if bet in carried.bets}
    called, closed = (c.OpenBets(),), (c.OpenBets(), c.CloseBets())
    for limits in (replace(LIMITS, maximums=own), replace(LIMITS, minimum=1)):
        command = replace(usual, limits=payable(carried, limits))
        for more in (called, closed, THREE_BETS, MOMENTS["bets closed"], MOMENTS["Player draws"]):
            table, _ = act(None, command, library)
            yield Start("edges", *played(table, (command,), (*SEATED, *more)))


def edges(table: Table) -> Iterator[c.Command]:
    """Wagers of such amounts, in every way that an amount is named; and what is answered."""
    round = table.running
    if round is not None:
        for amount, (who, bet, box) in product((*NOTHING, *_AMOUNTS), ((ANN, "tie", 1), (BOB, "banker", 2))):
            yield c.Place(who, bet, amount, box, by=who) if round.phase == "betting" else c.Find(who, bet, amount, box)
    for amount in NOTHING:
        yield c.Lower(ANN, "player", amount, by=ANN)
        yield c.Remove(BOB, "banker", amount)
        yield c.Insure(ANN, "player", amount, by=ANN)
        yield c.BuyIn(ANN, amount, by=ANN)
        yield c.PayOwed(ANN, amount, by=ANN)
    yield from (each for each in bets(table) if isinstance(each, c.Answer | c.CloseBets))
