"""The screen of a table: a socket that is sent the table as its viewer sees it, and after each commit what changed.

What a viewer is sent is exactly what `GET /api/tables/{name}`, `…/desk` and `…/events` would answer them. A screen that
is too far behind is sent everything anew.
"""

import asyncio
from collections.abc import Iterable
from itertools import takewhile
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.params import FromQuery

from punto.service.accounts.account import Account
from punto.service.accounts.at_table import viewer_of
from punto.service.desk.desk import Desk
from punto.service.http.authentication import known
from punto.service.http.casino import UsesCasino
from punto.service.http.desks import Desks
from punto.service.http.entries import message_for, page_of
from punto.service.http.parameters import AfterIfAny, Name
from punto.service.http.sockets import TableSocket, attend, turns_of
from punto.service.http.staff import staff_viewer
from punto.service.runtime.floor import Floor
from punto.service.runtime.hooks import Turns
from punto.service.runtime.live import Live, Said
from punto.service.runtime.patches import changes
from punto.service.runtime.screens import PublicPart
from punto.service.runtime.timing import last, now, of
from punto.table import Viewer
from punto.table.events import BetsOpened

PAGE = 500
"""Entries that one message brings at most where they have to be read from the journal."""

RECENT = 100
"""Entries of the round on the felt that a screen is told at most when it is opened."""


class ScreenMessage(msgspec.Struct, omit_defaults=True):
    """A message to a screen.

    `whole` is everybody's snapshot; `patch` turns the one after entry `after` into the present one. `own` turns
    everybody's into the viewer's; where it is left out it is as it was. `desk` comes whole with a `whole`, and else as
    a patch. `entries` are those since the message before. Patches are JSON Patches (RFC 6902), and `now` is the house's
    clock in milliseconds.
    """

    now: int
    whole: msgspec.Raw | None = None
    after: int | None = None
    patch: msgspec.Raw | None = None
    own: msgspec.Raw | None = None
    desk: msgspec.Raw | None = None
    entries: list[msgspec.Raw] = []


class Screen:
    """What a screen was sent so far, and so what it has to be sent next."""

    def __init__(
        self,
        live: Live,
        public: PublicPart,
        after: int | None,
        desks: Desks | None = None,
        turn: Turns | None = None,
    ) -> None:
        self._live, self._public, self._desks, self._turn = live, public, desks, turn
        self._told = _before_the_round(live) if after is None else min(after, live.sequence)
        self._sequence: int | None = None
        self._viewer: Viewer | None = None
        self._own = b"[]"
        self._desk: Desk | None = None

    async def news(self, account: Account | None) -> bytes | None:
        """What the screen of an account does not show yet; None if it shows everything.

        All of it is of one moment, though something may happen at the table while the desk is worked out.
        """
        live, public = self._live, self._public
        viewer = self._viewer_of(account)
        if self._sequence == live.sequence and self._viewer == viewer:
            return None
        sequence, own = live.sequence, public.own(viewer.name)
        message = ScreenMessage(now(), entries=_entries(_since(live, self._told), viewer))
        patch = None if self._sequence is None else public.patch(self._sequence)
        if patch is None:
            message.whole = msgspec.Raw(public.whole)
            message.own = msgspec.Raw(own)
        else:
            message.after, message.patch = self._sequence, msgspec.Raw(patch)
            message.own = None if own == self._own else msgspec.Raw(own)
        desk = None
        if self._desks is not None:
            desk = await self._desks.of(live, staff_viewer(known(account), live))
            message.now = now()
            message.desk = _raw(desk if patch is None else changes(self._desk, desk))
        self._sequence = self._told = sequence
        self._viewer, self._own, self._desk = viewer, own, desk
        return msgspec.json.encode(message)

    async def missed(self, floor: Floor, account: Account | None) -> bytes | None:
        """The next entries to tell of that are not in memory any more; None if there are none."""
        kept = self._live.last
        if self._told >= self._live.sequence or (kept and kept[0].sequence <= self._told + 1):
            return None
        found = page_of(await floor.past(self._live.name, self._told, PAGE))
        if not found:
            return None
        if self._turn is not None:
            await self._turn(len(found))
        self._told = found[-1].sequence
        return msgspec.json.encode(ScreenMessage(now(), entries=_entries(found, self._viewer_of(account))))

    def _viewer_of(self, account: Account | None) -> Viewer:
        assert self._live.table is not None
        return viewer_of(account, self._live.table, self._live.name)


class ScreenSocket(TableSocket):
    """A socket that keeps a screen up to date."""

    def __init__(self, socket: WebSocket[Any, Any, Any], live: Live, floor: Floor, screen: Screen) -> None:
        super().__init__(socket, live, floor)
        self._screen = screen
        self._updating = asyncio.Lock()
        """One update at a time: what is sent next depends on what was sent before."""

    async def tell(self) -> None:
        """Send what the screen does not show yet, whenever there is something."""
        while True:
            moved = self.live.moved
            if not await self._update():
                await moved.wait()

    async def account_changed(self) -> None:
        """Show what somebody may see who has another post, or none, from now on."""
        await self._update()

    async def _update(self) -> bool:
        """Send the next message to the screen; False if it shows everything."""
        async with self._updating:
            message = await self._screen.missed(self.floor, self.account) or await self._screen.news(self.account)
            if message is not None:
                await self.say(message)
            return message is not None


def _entries(found: Iterable[Said], viewer: Viewer) -> list[msgspec.Raw]:
    """Entries as a viewer is told of them."""
    return [msgspec.Raw(message_for(said, viewer)) for said in found]


def _since(live: Live, sequence: int) -> list[Said]:
    """The entries in memory after a number."""
    found = list(takewhile(lambda said: said.sequence > sequence, reversed(live.last)))
    found.reverse()
    return found


def _before_the_round(live: Live) -> int:
    """The number of the entry before the round on the felt began, or before the last hundred of it."""
    opened = last(live.last, of(BetsOpened))
    return live.sequence if opened is None else max(opened.sequence - 1, live.sequence - RECENT)


def _raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value))


@websocket("/api/tables/{name:str}/screen")
async def table_screen(
    socket: WebSocket[Any, Any, Any],
    name: Name,
    casino: UsesCasino,
    after: AfterIfAny = None,
    desk: FromQuery[bool] = False,
) -> None:
    """The table as one sees it, then what changes; commands in, each answered by its key."""

    async def opened() -> TableSocket:
        live = await casino.floor.live(name)
        desks, turn = casino.desks if desk else None, turns_of(socket, casino)
        screen = Screen(live, casino.screens.of(live), after, desks, turn)
        return ScreenSocket(socket, live, casino.floor, screen)

    await attend(socket, casino, opened)


ROUTES = [table_screen]
