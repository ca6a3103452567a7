"""Sockets at a table: who may open one, what goes out on it one message at a time, and the commands that come in."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from functools import cached_property, partial
from typing import Annotated, Any

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from punto.journal import JournalError
from punto.messages import SpokenError, say
from punto.rulebook import Refused
from punto.service.accounts.account import Account
from punto.service.accounts.at_table import viewer_of
from punto.service.accounts.tokens import Denied
from punto.service.errors import Unknown
from punto.service.http.authentication import (
    Credentials,
    account_by,
    account_of,
    address_of,
    count_read,
    counted_as,
    credentials_of,
    from_our_page,
)
from punto.service.http.casino import Casino
from punto.service.http.parameters import KEY, LONGEST_KEY, RoundNumber, Stage
from punto.service.limits import TooMany
from punto.service.runtime.floor import Floor, NotDurable
from punto.service.runtime.hooks import Turns
from punto.service.runtime.live import Live
from punto.service.runtime.meant import Meant
from punto.table import Viewer
from punto.table.codec import decode_command

log = logging.getLogger("punto")
SESSION_CHECK = 1.0
"""Seconds between session checks of an open socket."""

_CODES: dict[type[Exception], int] = {Denied: 4401, Unknown: 4404, TooMany: 4429, JournalError: 4503}
"""Codes with which a socket is closed, by the reason."""

_OTHER_PAGE, _FAILED = 4403, 4500
_LONGEST_REASON = 100


class TableSocket(ABC):
    """An open socket at a table."""

    def __init__(self, socket: WebSocket[Any, Any, Any], live: Live, floor: Floor) -> None:
        self.socket, self.live, self.floor = socket, live, floor
        self.account: Account | None = None
        """Whose socket it is; checked again every `SESSION_CHECK` seconds."""
        self._lock = asyncio.Lock()
        self._closed = False

    @cached_property
    def credentials(self) -> Credentials:
        """What the socket was opened with: it is read once, not for every command."""
        return credentials_of(self.socket)

    @property
    def viewer(self) -> Viewer:
        """As whom the account looks at the table now."""
        assert self.live.table is not None
        return viewer_of(self.account, self.live.table, self.live.name)

    @abstractmethod
    async def tell(self) -> None:
        """Send what happens at the table, until the socket is closed."""

    @abstractmethod
    async def account_changed(self) -> None:
        """Send what a change of `account` calls for: it may hold another post, or none, from now on."""

    async def say(self, data: bytes) -> None:
        """Send a message, unless the socket is closed."""
        async with self._lock:
            if not self._closed:
                try:
                    await self.socket.send_data(data, mode="text")
                except RuntimeError as error:  # the server has closed it, for what came in was no message
                    self._closed = True
                    raise WebSocketDisconnect(detail=str(error)) from None

    async def close(self, code: int, reason: str) -> None:
        """Send nothing more, and close."""
        if not self._closed:
            self._closed = True
            async with self._lock:
                await self.socket.close(code=code, reason=reason[:_LONGEST_REASON])

    async def fail(self) -> None:
        """Log the exception that is being handled, and close: whoever is there may come back."""
        log.exception("failed", extra={"table": self.live.name})
        await self.close(_FAILED, "Something went wrong here.")


class Given(msgspec.Struct, forbid_unknown_fields=True):
    """What comes in on a socket: a command, the key that its answer will carry, and for what the command is meant."""

    key: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_KEY, pattern=KEY)]
    command: msgspec.Raw
    round: RoundNumber | None = None
    stage: Stage | None = None


async def attend(
    socket: WebSocket[Any, Any, Any], casino: Casino, opened: Callable[[], Awaitable[TableSocket]]
) -> None:
    """Look after a socket until it is closed; `opened` is called once it is clear that it may be opened."""
    if not from_our_page(socket, casino.settings):
        await socket.close(code=_OTHER_PAGE, reason="This page may not speak to the table.")
        return
    try:
        await count_read(socket, casino)
    except TooMany as error:
        await socket.close(code=_CODES[TooMany], reason=str(error))
        return
    await socket.accept()
    try:
        account = await account_of(socket, casino)
        found = await opened()
        found.account = account
        with casino.limits.sockets.one(f"host {address_of(socket)}" if account is None else account.name):
            await _converse(found, casino)
    except tuple(_CODES) as error:
        await socket.close(code=_code(error), reason=str(error)[:_LONGEST_REASON])


def turns_of(socket: WebSocket[Any, Any, Any], casino: Casino) -> Turns:
    """Lets whoever a socket is counted for be told of the past as fast as they may read, whatever they read it by."""
    return partial(casino.limits.turn_to_read, counted_as(socket))


def _code(error: Exception) -> int:
    return next(code for kind, code in _CODES.items() if isinstance(error, kind))


async def _converse(socket: TableSocket, casino: Casino) -> None:
    """Tell what happens and answer commands, until either side closes."""
    tasks = [asyncio.create_task(_tell(socket))]
    if socket.credentials.token:
        tasks.append(asyncio.create_task(_check_session(socket, casino)))
    try:
        while True:
            data = await socket.socket.receive_data(mode="text")
            await socket.say(await _answer(socket, casino, data))
    except (WebSocketDisconnect, OSError):
        pass
    except Exception:
        await socket.fail()
    finally:
        for each in tasks:
            each.cancel()


async def _tell(socket: TableSocket) -> None:
    try:
        await socket.tell()
    except (Denied, JournalError) as error:
        await socket.close(_code(error), str(error))
    except (WebSocketDisconnect, OSError):  # the other side is gone
        pass
    except Exception:
        await socket.fail()


async def _check_session(socket: TableSocket, casino: Casino) -> None:
    """Check regularly whose socket it is: a post may be lost and a session may end while nothing happens."""
    while True:
        await asyncio.sleep(SESSION_CHECK)
        try:
            account = await account_by(socket.credentials, casino)
            if account != socket.account:
                socket.account = account
                await socket.account_changed()
        except Denied as error:
            await socket.close(_code(error), str(error))
            return
        except JournalError:  # while the store is away no event comes either
            continue
        except (WebSocketDisconnect, OSError):  # the other side is gone
            return
        except Exception:
            await socket.fail()
            return


async def _answer(socket: TableSocket, casino: Casino, data: str | bytes) -> bytes:
    """Give the command that came in, and write the answer or the refusal."""
    key: str | None = None
    try:
        if len(data) > casino.settings.largest:
            raise TooMany(say("command-too-long", "That is too long for a command."))
        account = await account_by(socket.credentials, casino)
        casino.limits.commands.take(f"socket {address_of(socket.socket)}" if account is None else account.name)
        given = msgspec.json.decode(data, type=Given)
        key = given.key
        if account is None:
            raise Denied(say("log-in-first", "Log in first."))
        command = decode_command(bytes(given.command))
        give = partial(casino.teller.give, account, socket.live.name, command, key, Meant(given.round, given.stage))
        outcome = await casino.limits.texts.counted(account, command, give)
    except (Refused, Denied, Unknown, NotDurable, JournalError, TooMany, msgspec.DecodeError, RecursionError) as error:
        told: dict[str, object] = {"key": key, "refused": str(error), "clauses": list(getattr(error, "clauses", ()))}
        if isinstance(error, Refused | SpokenError):
            told["message"] = error.message
        kind = JournalError if isinstance(error, JournalError) else type(error)  # whatever it is with the store
        return msgspec.json.encode({**told, "kind": kind.__name__})
    return msgspec.json.encode({"key": key, "first": outcome.first, "last": outcome.last, "repeated": outcome.repeated})
