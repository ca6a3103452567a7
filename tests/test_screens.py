"""Screens: whatever happens at a table, what changed leads to exactly what a viewer would be answered."""

import asyncio
import json
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from patching import Watcher, patched
from punto.rulebook import Refused, ids, load
from punto.service.accounts.account import Account, HeldPost
from punto.service.accounts.at_table import viewer_of
from punto.service.desk.desk import Desk, desk_of
from punto.service.http.desks import Desks
from punto.service.http.entries import message_for
from punto.service.http.screen import Screen
from punto.service.runtime.live import Live, Said
from punto.service.runtime.patches import changes
from punto.service.runtime.screens import PublicPart, seen
from punto.service.settings import settings
from punto.table import act, commands, encode, events, evolve
from random_commands import PATRONS, Chance, an_opportunity, anything, opening, play_on, something_goes_wrong

SETTINGS = settings(None, {})


def no_names(_: Iterable[str]) -> dict[str, str]:
    return {}


TABLES, STEPS = 8, 60
EVERYBODYS_OWN = {"/you", "/view/patrons", "/view/questions", "/view/round/lines"}
"""What a viewer is sent in random play besides what everybody is sent."""

MOVES = (play_on, play_on, play_on, something_goes_wrong, something_goes_wrong, an_opportunity, anything)

# Patches

SCALARS = st.none() | st.integers() | st.text(max_size=3)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text("ab/~", max_size=2), inner, max_size=4)
)


@given(VALUES, VALUES)
def test_changes_lead_from_any_value_to_any_other(old: Any, new: Any) -> None:
    operations = changes({"value": old}, {"value": new})
    assert patched({"value": old}, operations) == {"value": new}
    assert (operations == []) == (old == new)


class Stack(msgspec.Struct):
    """A value with fields."""

    chips: tuple[int, ...]
    owner: str | None = None


class Rare(msgspec.Struct, omit_defaults=True):
    """A value that is encoded without what goes without saying."""

    owner: str | None = None
    stacks: tuple[Stack, ...] = ()


def test_one_more_chip_is_one_small_change() -> None:
    assert changes(Stack((5, 5, 10)), Stack((5, 5, 10, 25))) == [{"op": "add", "path": "/chips/3", "value": 25}]
    assert changes(Stack((5, 7, 10)), Stack((5, 10))) == [{"op": "remove", "path": "/chips/1"}]
    assert changes(Stack(()), Stack((), "ann")) == [{"op": "replace", "path": "/owner", "value": "ann"}]
    assert changes(Stack((5,), "ann"), Stack((5,))) == [{"op": "replace", "path": "/owner", "value": None}]


def test_a_value_without_its_defaults_is_replaced_as_a_whole() -> None:
    old, new = {"rare": Rare()}, {"rare": Rare("ann", (Stack((5,)),))}
    [operation] = changes(old, new)
    assert operation["path"] == "/rare"
    told = json.loads(msgspec.json.encode([operation]))
    assert patched({"rare": {}}, told) == json.loads(msgspec.json.encode(new))


# Everything that can happen

VIEWERS: dict[str, Account | None] = {
    "nobody": None,
    **{name: Account(name, "patron", person=name) for name in PATRONS},
    "a stranger": Account("eve", "patron", person="eve"),
    "a dealer": Account("sam", "staff", person="sam", posts={"*": HeldPost("dealer")}),
    "a pit manager": Account("tess", "staff", person="tess", posts={"*": HeldPost("pit-manager")}),
    "staff without a post": Account("uma", "staff", person="uma"),
}


class Screened:
    """A viewer's screen of a table, which may fall behind."""

    def __init__(self, live: Live, public: PublicPart, account: Account | None, desks: Desks) -> None:
        self.live, self.account = live, account
        self.staff = account is not None and account.post_at(live.name) is not None
        self.screen = Screen(live, public, None, desks if self.staff else None)
        self.watcher = Watcher()
        self.began: int | None = None

    async def look(self) -> None:
        """Be sent what is new, and hold it against what one would be answered."""
        message = await self.screen.news(self.account)
        assert message is not None
        self.watcher.take(message)
        assert await self.screen.news(self.account) is None
        assert self.live.table is not None
        viewer = viewer_of(self.account, self.live.table, self.live.name)
        assert self.watcher.snapshot == _json(seen(self.live, viewer.name, SETTINGS, no_names))
        if self.staff:
            assert self.watcher.desk == _json(desk_of(self.live.table, viewer.name or "", self.live.sequence))
        if self.began is None:
            self.began = self.watcher.entries[0]["sequence"] if self.watcher.entries else self.live.sequence + 1

    def check_entries(self) -> None:
        """Every entry since the round began was told once, as far as the viewer may see it."""
        assert self.began is not None
        assert self.live.table is not None
        viewer = viewer_of(self.account, self.live.table, self.live.name)
        told = [json.loads(message_for(said, viewer)) for said in self.live.last if said.sequence >= self.began]
        assert self.watcher.entries == told


def _json(value: object) -> Any:
    return json.loads(msgspec.json.encode(value))


def happen(live: Live, event: events.Event) -> None:
    """One entry more, as a floor takes it."""
    at = f"2026-11-15T08:00:00.{live.sequence % 1000:03}Z"
    told = {"sequence": live.sequence + 1, "at": at, "who": "somebody", "event": msgspec.Raw(encode(event))}
    live.take(Said(live.sequence + 1, event, msgspec.json.encode(told)), evolve(live.table, event))


@pytest.mark.parametrize("book", ids())
def test_patches_lead_to_the_fresh_snapshot_at_every_step(book: str) -> None:
    """Random commands of every kind, and viewers of every kind, some of whom look away for a while."""
    asyncio.run(_patches_lead_to_the_fresh_snapshot(book))


async def _patches_lead_to_the_fresh_snapshot(book: str) -> None:
    desks = Desks()
    wholes = told = 0
    own: set[str] = set()
    offers = {"/view/round/offer"} if load(book).insurance else set()
    for number in range(5 * TABLES):
        if number >= TABLES and own >= EVERYBODYS_OWN | offers:
            break
        luck, live = Chance(number), Live("t1")
        for event in opening(luck, load(book)):
            happen(live, event)
        public = PublicPart(live, SETTINGS, no_names)
        screens = {name: Screened(live, public, account, desks) for name, account in VIEWERS.items()}
        for each in screens.values():
            await each.look()
        slow = luck.one(list(screens))
        for step in range(STEPS):
            assert live.table is not None
            try:
                _, made = act(live.table, luck.one(MOVES)(luck, live.table))
            except Refused:
                continue
            for event in made:
                happen(live, event)
            for name, each in screens.items():
                if name != slow or step % 20 == 19:
                    await each.look()
        for name, each in screens.items():
            if name == slow and each.watcher.sequence < live.sequence:
                await each.look()
            each.check_entries()
            wholes += each.watcher.wholes - 1
            told += len(each.watcher.entries)
            own |= each.watcher.own_places
    assert wholes > 0, "nobody fell behind"
    assert told > 1000
    assert own >= EVERYBODYS_OWN | offers
    assert offers or "/view/round/offer" not in own


class Interrupted(Desks):
    """Desks during whose working-out something happens at the table."""

    async def of(self, live: Live, viewer: str) -> Desk:
        found = await super().of(live, viewer)
        assert live.table is not None
        _, made = act(live.table, commands.Stand(f"guest-{live.sequence}", by=f"guest-{live.sequence}"))
        for event in made:
            happen(live, event)
        return found


def test_a_message_is_of_one_moment_though_something_happens_while_the_desk_is_worked_out() -> None:
    asyncio.run(_messages_are_of_one_moment())


async def _messages_are_of_one_moment() -> None:
    live, watcher = Live("t1"), Watcher()
    for event in opening(Chance(1), load("wu-song")):
        happen(live, event)
    screen = Screen(live, PublicPart(live, SETTINGS, no_names), None, Interrupted())
    for _ in range(3):
        then = live.sequence
        assert live.table is not None
        patrons = {*live.table.patrons}
        message = await screen.news(VIEWERS["a dealer"])
        assert message is not None
        watcher.take(message)
        assert live.sequence > then
        assert (watcher.snapshot["sequence"], watcher.desk["sequence"]) == (then, then)
        assert {each["name"] for each in watcher.snapshot["view"]["patrons"]} == patrons
    told = [each["sequence"] for each in watcher.entries]
    assert told == list(range(told[0], then + 1))
