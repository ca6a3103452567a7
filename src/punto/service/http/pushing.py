"""Screens: a socket that is sent the table as its viewer sees it, then after each commit what changed.

What a viewer is sent is exactly what `GET /api/tables/{name}`, `…/desk` and `…/events` would answer them. A screen that
is too far behind is sent everything anew.
"""

import time
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Annotated, Any

import msgspec
from litestar import WebSocket, websocket
from litestar.params import FromQuery, QueryParameter

from punto.service.accounts.identity import seen_as
from punto.service.accounts.registry import Account
from punto.service.http.desk import Desk, desk_of, of_the_staff
from punto.service.http.privacy import shown_to
from punto.service.http.routes import Casino, Line, Name, attend, eyes_of
from punto.service.runtime.floor import Floor, Live, Said
from punto.service.runtime.patches import changes
from punto.service.runtime.screens import PublicPart
from punto.service.runtime.timing import last, of
from punto.table.events import BetsOpened

PAGE = 500
"""Entries that one message brings at most where they have to be read from the journal."""

RECENT = 100
"""Entries of the round on the felt that a page is told at most when it is opened."""

From = Annotated[int | None, QueryParameter(ge=0, le=2**53)]


class Pushed(msgspec.Struct, omit_defaults=True):
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


class Shown:
    """What a screen was sent so far, and so what it has to be sent next."""

    def __init__(self, live: Live, public: PublicPart, after: int | None, with_desk: bool) -> None:
        self._live, self._public, self._with_desk = live, public, with_desk
        self._told = _before_the_round(live) if after is None else min(after, live.sequence)
        self._sequence: int | None = None
        self._viewer: str | None = None
        self._own = b"[]"
        self._desk: Desk | None = None

    def news(self, account: Account | None) -> bytes | None:
        """What the screen of an account does not show yet; None if it shows everything."""
        live, public = self._live, self._public
        assert live.table is not None
        viewer = seen_as(account, live.table, live.name)
        if self._sequence == live.sequence and self._viewer == viewer:
            return None
        own, desk = public.own(viewer), self._desk_for(account, viewer)
        pushed = Pushed(_now(), entries=self._entries(_since(live, self._told), account))
        patch = None if self._sequence is None else public.patch(self._sequence)
        if patch is None:
            pushed.whole = msgspec.Raw(public.whole)
            pushed.own = msgspec.Raw(own)
            pushed.desk = None if desk is None else _raw(desk)
        else:
            pushed.after, pushed.patch = self._sequence, msgspec.Raw(patch)
            pushed.own = None if own == self._own else msgspec.Raw(own)
            pushed.desk = None if desk is None else _raw(changes(self._desk, desk))
        self._sequence = self._told = live.sequence
        self._viewer, self._own, self._desk = viewer, own, desk
        return msgspec.json.encode(pushed)

    async def missed(self, floor: Floor, account: Account | None) -> bytes | None:
        """The next entries to tell of that are not in memory any more; None if there are none."""
        kept = self._live.last
        if self._told >= self._live.sequence or (kept and kept[0].sequence <= self._told + 1):
            return None
        found = await floor.past(self._live.name, self._told, PAGE)
        if not found:
            return None
        self._told = found[-1].sequence
        return msgspec.json.encode(Pushed(_now(), entries=self._entries(found, account)))

    def _entries(self, found: Iterable[Said], account: Account | None) -> list[msgspec.Raw]:
        """Entries as far as an account may see them."""
        eyes = eyes_of(account, self._live.name)
        return [msgspec.Raw(shown_to(said, eyes)) for said in found]

    def _desk_for(self, account: Account | None, viewer: str | None) -> Desk | None:
        """The desk, for a screen that wants it; `Denied` to whoever is not of the staff."""
        if not self._with_desk:
            return None
        of_the_staff(account, self._live.name)
        assert self._live.table is not None
        return desk_of(self._live.table, viewer or "dealer", self._live.sequence)


class ScreenLine(Line):
    """A socket that shows a table."""

    def __init__(self, socket: WebSocket[Any, Any, Any], live: Live, shown: Shown) -> None:
        super().__init__(socket, live.name)
        self._live, self._shown = live, shown

    async def tell(self, floor: Floor) -> None:
        """Send what the screen does not show yet, whenever there is something."""
        while True:
            moved = self._live.moved
            message = await self._shown.missed(floor, self.account) or self._shown.news(self.account)
            if message is None:
                await moved.wait()
            else:
                await self.say(message)

    async def account_changed(self) -> None:
        """Show what somebody may see who has another post, or none, from now on."""
        message = self._shown.news(self.account)
        if message is not None:
            await self.say(message)


def _since(live: Live, sequence: int) -> Sequence[Said]:
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


def _now() -> int:
    return int(time.time() * 1000)


@websocket("/api/tables/{name:str}/screen")
async def screen(
    socket: WebSocket[Any, Any, Any], name: Name, casino: Casino, after: From = None, desk: FromQuery[bool] = False
) -> None:
    """The table as one sees it, then what changes; commands in, each answered by its key."""

    async def opened() -> Line:
        live = await casino.floor.live(name)
        return ScreenLine(socket, live, Shown(live, casino.screens.of(live), after, desk))

    await attend(socket, casino, opened)
