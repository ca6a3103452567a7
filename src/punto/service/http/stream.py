"""The stream of a table: a socket that is told every event once and in order."""

from typing import Any

from litestar import WebSocket, websocket

from punto.service.accounts.at_table import viewer_of
from punto.service.http.casino import UsesCasino
from punto.service.http.entries import message_for
from punto.service.http.parameters import After, Name
from punto.service.http.sockets import TableSocket, attend
from punto.service.runtime.floor import Floor, Live


class EventSocket(TableSocket):
    """A socket that is told every event after a number, as far as whoever it belongs to may see it."""

    def __init__(self, socket: WebSocket[Any, Any, Any], live: Live, after: int) -> None:
        super().__init__(socket, live.name)
        self._live, self._after = live, after

    async def tell(self, floor: Floor) -> None:
        """Send each event, with the viewer's post as it is at that moment."""
        async for said in floor.follow(self.name, self._after):
            assert self._live.table is not None
            viewer = viewer_of(self.account, self._live.table, self.name)
            await self.say(message_for(said, viewer))


@websocket("/api/tables/{name:str}/stream")
async def stream(socket: WebSocket[Any, Any, Any], name: Name, casino: UsesCasino, after: After = 0) -> None:
    """Events after a number, each once and in order; commands in, each answered by its key."""

    async def opened() -> TableSocket:
        return EventSocket(socket, await casino.floor.live(name), after)

    await attend(socket, casino, opened)


ROUTES = [stream]
