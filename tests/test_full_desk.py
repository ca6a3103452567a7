"""What a desk costs at a full table: the table is asked about few commands, however many patrons are there."""

from typing import Any

import pytest

from punto.rulebook import Refused, ids, load
from punto.service.desk.desk import desk_of
from punto.settlement import Limits
from punto.table import Table, act, legal_commands, why_none
from punto.table import commands as c
from punto.table.legal import MOST_ASKED
from punto.table.legal.candidates import CANDIDATES
from punto.table.legal.confirming import Asking, refusals
from random_commands import AT, ranks
from test_legal import states

LIMITS = Limits(minimum=1000, maximum=200000, differential=50000000)
MANY = 150
FEW = 100
"""So many commands a desk asks about: the buttons, the facts with their details, and no more for more patrons."""


def full_table(book: str, patrons: int = MANY, chips: int = 5000000, limits: Limits = LIMITS) -> Table:
    """A table with so many patrons, who sit where there is a place, and bets open."""
    layout = next(iter(load(book).layouts))
    table, _ = act(None, c.OpenTable(book, AT, 8, limits=limits, layout=layout))
    table, _ = act(table, c.LoadShoe())
    for number in range(1, patrons + 1):
        name = f"p{number}"
        seated = number <= table.setup.positions
        table, _ = act(table, c.Sit(name, number, by=name) if seated else c.Stand(name, by=name))
        table, _ = act(table, c.BuyIn(name, chips, by=name))
    for first in (c.SetMethod("A", by=ranks(table.book)[-1]), c.Burn(1)):
        table = after(table, first)
    return act(table, c.OpenBets())[0]


def after(table: Table, command: c.Command) -> Table:
    """The table after a command, or as it was where its book refuses that."""
    try:
        return act(table, command)[0]
    except Refused:
        return table


def with_bets(table: Table) -> Table:
    """Every patron bets, in one box after the other."""
    for number, name in enumerate(table.patrons):
        box = number % table.setup.positions + 1
        table = after(table, c.Place(name, "player" if number % 2 else "banker", 1000, box, by=name))
    return table


class Asked:
    """Counts the commands that tables are asked about."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.number = 0
        ask = Asking.why_not

        def counted(asking: Asking, kind: type[c.Command], values: dict[str, Any]) -> Refused | None:
            self.number += 1
            return ask(asking, kind, values)

        monkeypatch.setattr(Asking, "why_not", counted)

    def for_desk(self, table: Table) -> int:
        """How many the desk of the dealer takes."""
        self.number = 0
        desk_of(table, "dealer")
        return self.number


@pytest.mark.parametrize("book", ids())
def test_the_desk_of_a_full_table_asks_about_few_commands(book: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether bets are open, or closed, or the book lets no staff place wagers."""
    asked = Asked(monkeypatch)
    betting = with_bets(full_table(book))
    assert betting.round is not None
    assert len(betting.patrons) == MANY
    assert len(betting.round.wagers) > 10
    assert asked.for_desk(betting) <= FEW
    closed, _ = act(betting, c.CloseBets())
    assert why_none(closed, "dealer", c.Place) is not None
    assert asked.for_desk(closed) <= FEW


@pytest.mark.parametrize("book", ids())
def test_where_nobody_has_enough_the_table_is_asked_a_fixed_number_of_times(
    book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody has some chips and nobody enough for a bet: no refusal is about everybody, and it ends all the same."""
    asked = Asked(monkeypatch)
    table = full_table(book, chips=500)
    assert asked.for_desk(table) <= MOST_ASKED + FEW


@pytest.mark.parametrize("book", ids())
def test_one_patron_with_chips_is_found_among_many(book: str) -> None:
    """What is said of the whole table is what asking about everything would say."""
    table = full_table(book, 12, chips=100)
    for rich in ("p1", "p12"):
        other, _ = act(table, c.BuyIn(rich, 1000000, by=rich))
        assert (why_none(other, "dealer", c.Place) is None) == bool(legal_commands(other, "dealer", [c.Place]))
        assert why_none(other, rich, c.Place) is None


def test_who_may_add_to_cure_the_differential_is_found_among_many() -> None:
    """After the call nobody may bet but those who have a wager on the lighter hand."""
    tight = Limits(minimum=1000, maximum=200000, differential=20000)
    found = 0
    for book in ids():
        table = full_table(book, 12, limits=tight)
        table = after(table, c.Place("p12", "banker", 1000, 3, by="p12"))
        for name in ("p1", "p2"):
            table = after(table, c.Place(name, "player", 30000, 1, by=name))
        table = after(table, c.CloseBets())
        refused = why_none(table, "dealer", c.Place)
        assert (refused is None) == bool(legal_commands(table, "dealer", [c.Place])), (book, refused)
        found += refused is None and table.round is not None and table.round.phase == "closed"
    assert found


def test_a_refusal_for_every_command_of_a_kind_is_met_by_every_one() -> None:
    """Wherever one is general, none of the candidates is accepted."""
    seen = set()
    for luck, table, _ in states(2100, 8, 40)[::5]:
        for who in ("dealer", luck.one((ranks(table.book)[-1], "ann"))):
            asking = Asking(table, who)
            for kind in (c.Place, c.Draw, c.Expose, c.OpenBets, c.Settle, c.LoadShoe, c.PostLimits):
                answers = [each for one in CANDIDATES[kind](asking) for each in refusals(asking, one)]
                if any(each is not None and each.general for each in answers):
                    assert None not in answers, (kind, who)
                    seen.add(kind)
    assert c.Place in seen
    assert len(seen) > 2
