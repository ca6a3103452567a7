"""Screens: whatever happens at a table, what changed leads to exactly what a viewer would be answered."""

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
from punto.service.desk.desk import desk_of
from punto.service.http.entries import message_for
from punto.service.http.screen import Screen
from punto.service.runtime.live import Live, Said
from punto.service.runtime.patches import changes
from punto.service.runtime.screens import PublicPart, seen
from punto.service.settings import settings
from punto.table import act, encode, events, evolve
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

    def __init__(self, live: Live, public: PublicPart, account: Account | None) -> None:
        self.live, self.account = live, account
        self.staff = account is not None and account.post_at(live.name) is not None
        self.screen = Screen(live, public, None, self.staff)
        self.watcher = Watcher()
        self.began: int | None = None

    def look(self) -> None:
        """Be sent what is new, and hold it against what one would be answered."""
        message = self.screen.news(self.account)
        assert message is not None
        self.watcher.take(message)
        assert self.screen.news(self.account) is None
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
        screens = {name: Screened(live, public, account) for name, account in VIEWERS.items()}
        for each in screens.values():
            each.look()
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
                    each.look()
        for name, each in screens.items():
            if name == slow and each.watcher.sequence < live.sequence:
                each.look()
            each.check_entries()
            wholes += each.watcher.wholes - 1
            told += len(each.watcher.entries)
            own |= each.watcher.own_places
    assert wholes > 0, "nobody fell behind"
    assert told > 1000
    assert own >= EVERYBODYS_OWN | offers
    assert offers or "/view/round/offer" not in own
