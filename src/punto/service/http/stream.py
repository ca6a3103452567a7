"""The stream of a table: a socket that is told every event once and in order."""

from typing import Any

from litestar import WebSocket, websocket

from punto.service.http.casino import UsesCasino
from punto.service.http.entries import message_for
from punto.service.http.parameters import After, Name
from punto.service.http.sockets import TableSocket, attend, turns_of
from punto.service.runtime.floor import Floor
from punto.service.runtime.hooks import Turns
from punto.service.runtime.live import Live


class EventSocket(TableSocket):
    """A socket that is told every event after a number, as far as whoever it belongs to may see it."""

    def __init__(self, socket: WebSocket[Any, Any, Any], live: Live, floor: Floor, after: int, turn: Turns) -> None:
        super().__init__(socket, live, floor)
        self._after, self._turn = after, turn

    async def tell(self) -> None:
        """Send each event, with the viewer's post as it is at that moment."""
        async for said in self.floor.follow(self.live.name, self._after, self._turn):
            await self.say(message_for(said, self.viewer))

    async def account_changed(self) -> None:
        """Send nothing: what was told is told, and the next event finds the new post."""


@websocket("/api/tables/{name:str}/stream")
async def stream(socket: WebSocket[Any, Any, Any], name: Name, casino: UsesCasino, after: After = 0) -> None:
    """Events after a number, each once and in order; commands in, each answered by its key."""

    async def opened() -> TableSocket:
        return EventSocket(socket, await casino.floor.live(name), casino.floor, after, turns_of(socket, casino))

    await attend(socket, casino, opened)


ROUTES = [stream]
