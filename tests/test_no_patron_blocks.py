"""No patron's act, and no silence, holds up a virtual table longer than its own clock.

Tables of every book and every way of dealing are played with patrons who bet as much as they can. In every state on
the way every kind of command is tried that a patron could give there; then everybody is silent, and the house's dealer
alone must bring the table to its next round.
"""

import asyncio
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from phases import COMMITMENT
from punto.coup import RANKS, SUITS
from punto.rulebook import Refused, ids, load
from punto.service.accounts.account import Account
from punto.service.accounts.at_table import given_by
from punto.service.accounts.tokens import Denied
from punto.service.runtime.dealer_plan import Memory, Plan, planned
from punto.service.runtime.timing import PACE
from punto.settlement import Limits
from punto.table import Table, act, can
from punto.table import commands as c
from punto.table.events import RoundSettled
from punto.table.legal import KINDS, legal_commands
from service_room import Room, betting, quick

FACES = [rank + suit for rank in RANKS for suit in SUITS]
LIMITS = Limits(minimum=10_00, maximum=2_000_00, differential=3_000_00, unit=1_00, rounding="up")
PATRONS = ("ann", "bob", "cat")
GUEST = "eve"
NOW = "2026-11-15T08:00:00+08:00"
MOST_STEPS = 60
"""The dealer needs no more for a round, whatever has happened in it."""

STATES = 22
"""So many states of each table are looked at; a round has about ten."""

GUESTS = 0.2
"""How often somebody acts as well who has no place at the table."""

MONEY = (c.BuyIn, c.CashOut, c.PayOwed)


def tables() -> Iterator[tuple[str, dict[str, object], str | None]]:
    """Every book, every method of dealing, face up and face down, helped along by the table itself or not."""
    for book in ids():
        methods = load(book).point("dealing", "methods")
        for method in (None,) if methods is None else methods.values:
            for down in (False, True):
                auto = ("announce", "offer") if down else ()
                yield book, {"face_down": down, "auto": auto, "private": down, "high_limit": method == "C"}, method


def opened(book: str, setup: dict[str, object], method: str | None) -> Table:
    """A virtual table with patrons who have money."""
    top = load(book).ranks[-1][-1]
    given: list[c.Command] = []
    table, _ = act(None, c.OpenTable(book, NOW, decks=8, limits=LIMITS, shoe="virtual", by=top, **setup))  # type: ignore[arg-type] # what a set-up holds
    if method is not None:
        given.append(c.SetMethod(method, by=top))
    for box, name in enumerate(PATRONS, start=1):
        given += [c.Sit(name, box, by=name), c.BuyIn(name, 50_000_00, by=name)]
    for each in given:
        table, _ = act(table, each)
    return table


def carried_out(table: Table, command: c.Command, chance: random.Random) -> Table:
    """The table after a command, with what the service fills in."""
    if isinstance(command, c.LoadShoe | c.InviteWords):
        command = msgspec.structs.replace(command, commitment=COMMITMENT)
    if isinstance(command, c.Expose):
        faces = tuple(chance.choice(FACES) for _ in command.faces or (None,))
        command = msgspec.structs.replace(command, faces=faces)
    return act(table, command)[0]


def dealt(table: Table, plan: Plan, memory: Memory, chance: random.Random) -> Table:
    """The table after what the dealer does when the time for it has come."""
    assert plan.wait is None or plan.wait == "betting" or plan.wait in PACE, "every wait has a clock"
    assert (plan.wait is None) == (plan.since is None)
    if plan.slow is not None:
        memory.slow.add(plan.slow)
    for command in plan.commands:
        table = carried_out(table, command, chance)
    return table


def goes_on(table: Table, chance: random.Random) -> str:
    """How far the dealer gets alone: an empty sentence if it comes to the next round."""
    memory, began = Memory(), number_of(table)
    for _ in range(MOST_STEPS):
        plan = planned(table, frozenset(), memory)
        if plan is None:
            questions = [(each.topic, each.to) for each in table.questions if each.blocks]
            return f"stands still at {table.running and table.running.phase}: {questions}"
        table = dealt(table, plan, memory, chance)
        if number_of(table) > began + 1 or (table.running is None and number_of(table) > began):
            return ""
    return "does not come to an end"


def number_of(table: Table) -> int:
    return 0 if table.round is None else table.round.number


def acts(table: Table, who: str, chance: random.Random) -> Iterator[c.Command]:
    """One command of each kind that somebody could give now; reports by everybody, for each has wagers of their own."""
    for kind in KINDS.values():
        if kind in MONEY:
            continue
        for name in PATRONS if kind is c.Report else (who,):
            found = legal_commands(table, name, [kind])
            command = chance.choice(found).pick(chance) if found else None
            if command is not None and may_say(name, command, table):
                yield command


def may_say(name: str, command: c.Command, table: Table) -> bool:
    """Whether the service takes such a command from a patron at all."""
    try:
        given_by(Account(name, "patron"), command, table, "t")
    except Denied:
        return False
    return True


def wishes(table: Table, chance: random.Random) -> Table:
    """Patrons bet a lot on one hand, and ask for whatever they may ask for."""
    for who in chance.sample(PATRONS, len(PATRONS)):
        hand = chance.choice(("player", "banker", "banker"))
        for each in (
            c.TakeShoe(who, by=who),
            c.Place(who, hand, 2_000_00, by=who),
            c.AskSqueeze(who, hand, by=who),
            c.BankerThirdFirst(who, by=who),
            c.DeclareIntent(who, by=who),
        ):
            if chance.random() < 0.8 and can(table, each):
                table, _ = act(table, each)
    return table


@pytest.mark.parametrize(("book", "setup", "method"), list(tables()))
def test_whatever_a_patron_does_the_table_goes_on_by_its_own_clock(
    book: str, setup: dict[str, object], method: str | None
) -> None:
    chance = random.Random(f"{book} {setup} {method}")
    table, memory = opened(book, setup, method), Memory()
    tried: set[str] = set()
    for _ in range(STATES):
        table = wishes(table, chance)
        assert goes_on(table, chance) == ""
        who = chance.choice(PATRONS)
        others = acts(table, GUEST, chance) if chance.random() < GUESTS else ()
        for command in (*acts(table, who, chance), *others):
            after = carried_out(table, command, chance)
            assert goes_on(after, chance) == "", f"{command} at {table.running and table.running.phase}"
            tried.add(type(command).__name__)
        plan = planned(table, frozenset(), memory)
        assert plan is not None
        table = dealt(table, plan, memory, chance)
    assert {"Sit", "Leave", "Place", "RaiseDispute", "Complain"} <= tried


# The same with the dealer itself


def overweight(_: str) -> list[c.Command]:
    """Everybody bets the most on one hand, and nobody takes anything back."""
    return [c.Place(who, "banker", 2_000_00, by=who) for who in PATRONS]


def with_the_shoe(who: str) -> list[c.Command]:
    """Somebody takes the shoe, and draws nothing."""
    return [c.Place(who, "player", 100_00, by=who), c.TakeShoe(who, by=who)]


@pytest.mark.parametrize(
    ("book", "method", "does"),
    [
        ("dragon-tiger-hoiana", None, overweight),
        ("dragon-tiger-mbs", "B", overweight),
        ("dragon-tiger-mbs", "C", with_the_shoe),
    ],
)
def test_three_guests_do_not_stop_a_table(
    book: str, method: str | None, does: Callable[[str], list[c.Command]], tmp_path: Path
) -> None:
    async def story() -> None:
        async with Room(quick(f"sqlite:///{tmp_path}/room.db", tmp_path, betting_seconds=0.4)) as room:
            top = load(book).ranks[-1][-1]
            await room.open("t", book, limits=LIMITS, high_limit=method == "C")
            if method is not None:
                await room.do("t", c.SetMethod(method, by=top))
            for box, who in enumerate(PATRONS, start=1):
                await room.seat("t", who, box)
            number = await done_in_one_round(room, does(PATRONS[0]))
            await room.until("t", lambda table: number_of(table) > number)
            assert len(await room.happened("t", RoundSettled)) == number

    asyncio.run(story())


async def done_in_one_round(room: Room, given: list[c.Command]) -> int:
    """Commands given while bets are open, tried again in the next round if they close meanwhile; the round's number."""
    while True:
        table = await room.until("t", betting)
        try:
            await room.do("t", *given)
        except Refused:
            if betting(await room.floor.table("t")):
                raise
            continue
        return number_of(table)
