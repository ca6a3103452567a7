"""The API: commands in by HTTP and WebSocket, events out by WebSocket, and everything there is to read."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import lru_cache
from itertools import count
from secrets import token_hex
from typing import Annotated, Any
from uuid import uuid4

import msgspec
from litestar import MediaType, Request, Response, WebSocket, get, post, websocket
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.exceptions import ClientException, WebSocketDisconnect
from litestar.params import FromPath, FromQuery, HeaderParameter, JSONBody, PathParameter, QueryParameter

from punto.journal import JournalError
from punto.roads import Roads
from punto.roads import roads as draw_roads
from punto.rulebook import Refused, ids, load, menu
from punto.rulebook.words import pattern_in_words
from punto.service.accounts.identity import seen_as, spoken_by
from punto.service.accounts.registry import Account, Accounts, Denied
from punto.service.http.privacy import shown_to
from punto.service.http.rate_limit import Buckets, Places, TooMany
from punto.service.runtime.floor import Floor, NotDurable, Outcome, Unknown
from punto.service.runtime.past_rounds import PastRound, rounds_over
from punto.service.runtime.screens import Screens, Seen, seen
from punto.service.settings import Settings
from punto.table import commands
from punto.table.codec import ANY_COMMAND, decode_command

log = logging.getLogger("punto")
COOKIE = "punto"
_OWN, _numbers = uuid4().hex, count()
"""Keys for commands that came without one: unique, and made without asking the system each time."""

_NAME = r"^[a-z0-9][a-z0-9-]{0,62}$(?!\n)"
"""The end of it is the end: in Python `$` alone lets a line feed follow."""

_KEY = r"^[!-~]([ -~]*[!-~])?$(?!\n)"
Name = Annotated[str, PathParameter(pattern=_NAME, description="The table.")]
Key = Annotated[str | None, HeaderParameter(name="Idempotency-Key", min_length=1, max_length=50, pattern=_KEY)]
After = Annotated[int, QueryParameter(ge=0, le=2**53)]
Number = Annotated[int, PathParameter(ge=0, le=2**53, description="The number of an entry.")]
_AGAIN = 1.0
"""So often it is looked again whether whoever has a socket is still who they were."""


class State:
    """What the handlers share."""

    def __init__(self, floor: Floor, accounts: Accounts, settings: Settings) -> None:
        self.floor, self.accounts, self.settings = floor, accounts, settings
        self.buckets = Buckets(settings.rate, settings.burst)
        self.door = Buckets(settings.rate / 10, max(settings.burst // 10, 1))
        self.reads = Buckets(*settings.reading)
        self.places = Places(settings.sockets)
        self.screens = Screens(settings)
        self.guests = settings.guests
        """Whether anybody may come in and play; at a demonstration they may."""
        self.hashing = asyncio.Semaphore(2)
        """Passwords take their time: so many are looked at at once, and the store need not wait for them."""


Casino = NamedDependency[State]


class LogIn(msgspec.Struct, forbid_unknown_fields=True):
    """Name and password."""

    name: Annotated[str, msgspec.Meta(max_length=100)]
    password: Annotated[str, msgspec.Meta(max_length=200)]


class Session(msgspec.Struct):
    """A token, for the header `Authorization: Bearer …`; browsers get it as a cookie, too."""

    token: str


class Me(msgspec.Struct):
    """Who one is."""

    name: str
    kind: str
    posts: dict[str, str]


class Accepted(msgspec.Struct):
    """What a command led to, with the numbers of its entries in the table's chain."""

    first: int
    last: int
    events: list[msgspec.Raw]
    repeated: bool


class Listed(msgspec.Struct):
    """A table in the lobby."""

    name: str
    book: str
    layout: str
    currency: str
    open: bool
    phase: str | None
    round: int | None
    patrons: int
    positions: int
    minimum: int | None
    maximum: int | None
    cards_left: int | None
    results: str
    title: str
    decks: int
    differential: int | None


class Snapshot(Seen):
    """A table as the viewer sees it, and the time by the house's clock, in milliseconds."""

    now: int


class Page(msgspec.Struct):
    """Entries of a chain, marked as a replay of what has been."""

    replay: bool
    last: int
    entries: list[msgspec.Raw]


def shown_token(request: Request[Any, Any, Any] | WebSocket[Any, Any, Any]) -> str | None:
    """The token that comes with a request, in its header or its cookie."""
    header = request.headers.get("authorization", "")
    return header[7:] if header.startswith("Bearer ") else request.cookies.get(COOKIE)


async def signed_in(request: Request[Any, Any, Any] | WebSocket[Any, Any, Any], state: State) -> Account | None:
    """The account of a request, or None."""
    token = shown_token(request)
    return None if not token else await state.accounts.bearer(token)


async def needed(request: Request[Any, Any, Any] | WebSocket[Any, Any, Any], state: State) -> Account:
    """The account of a request; denied without one."""
    account = await signed_in(request, state)
    if account is None:
        raise Denied("Log in first.")
    return account


def host_of(request: Request[Any, Any, Any] | WebSocket[Any, Any, Any]) -> str:
    """The address that a request comes from."""
    return request.client.host if request.client else ""


# Who one is


@post("/api/login", status_code=200)
async def log_in(data: JSONBody[LogIn], request: Request[Any, Any, Any], casino: Casino) -> Response[Session]:
    """A session for a name and a password. Three failures lock an account for a while."""
    casino.door.take(host_of(request))
    async with casino.hashing:
        token = await asyncio.to_thread(casino.accounts.log_in, data.name, data.password)
    return _session(casino, token)


@post("/api/link", status_code=200)
async def use_link(data: JSONBody[Session], request: Request[Any, Any, Any], casino: Casino) -> Response[Session]:
    """A session for a one-time link."""
    casino.door.take(host_of(request))
    return _session(casino, await asyncio.to_thread(casino.accounts.spend, data.token))


def _session(casino: State, token: str) -> Response[Session]:
    cookie = Cookie(COOKIE, value=token, httponly=True, samesite="strict", secure=casino.settings.for_tls_alone)
    return Response(Session(token), cookies=[cookie])


@post("/api/guest", status_code=200)
async def come_in(request: Request[Any, Any, Any], casino: Casino) -> Response[Session]:
    """A session for somebody new, where guests are welcome."""
    casino.door.take(host_of(request))
    if not casino.guests:
        raise Denied("This house takes no guests: log in.")
    made = await asyncio.to_thread(casino.accounts.make, f"guest-{token_hex(3)}", "patron")
    return _session(casino, casino.accounts.token(made))


@post("/api/logout", status_code=204)
async def log_out(request: Request[Any, Any, Any], casino: Casino) -> Response[None]:
    """End the session: its token is worthless from now on, and the cookie is forgotten."""
    token = shown_token(request)
    if token:
        with suppress(Denied):
            await asyncio.to_thread(casino.accounts.log_out, token)
    return Response(None, cookies=[Cookie(COOKIE, value="", max_age=0, httponly=True, samesite="strict")])


@get("/api/me")
async def me(request: Request[Any, Any, Any], casino: Casino) -> Me:
    """Who one is, and which posts one holds."""
    account = await needed(request, casino)
    return Me(account.name, account.kind, {table: held.rank for table, held in account.posts.items()})


# Tables


@get("/api/tables")
async def tables(casino: Casino) -> list[Listed]:
    """Every table of the house."""
    found = []
    for name in await casino.floor.names():
        table = await casino.floor.table(name)
        shoe, round = table.shoe, table.round
        limits = table.setup.limits
        found.append(
            Listed(
                name,
                table.book.id,
                table.setup.layout,
                table.setup.currency,
                table.open,
                None if round is None else round.phase,
                None if round is None else round.number,
                len(table.patrons),
                table.setup.positions,
                limits.minimum,
                limits.maximum,
                None if shoe is None else shoe.left,
                "".join(each.winner[0].upper() for each in shoe.results) if shoe else "",
                table.book.title,
                table.setup.decks,
                limits.differential,
            )
        )
    return found


@get("/api/tables/{name:str}")
async def snapshot(name: Name, request: Request[Any, Any, Any], casino: Casino) -> Snapshot:
    """A table as one sees it now."""
    account = await signed_in(request, casino)
    live = await casino.floor.live(name)
    assert live.table is not None
    viewer = seen_as(account, live.table, name)
    found = seen(live, viewer, casino.settings)
    return Snapshot(**msgspec.structs.asdict(found), now=int(time.time() * 1000))


@post("/api/tables/{name:str}/commands", status_code=200)
async def command(
    name: Name, data: JSONBody[ANY_COMMAND], request: Request[Any, Any, Any], casino: Casino, key: Key = None
) -> Accepted:
    """Give a command. The answer comes when it is durable; the same `Idempotency-Key` gets the same answer."""
    account = await needed(request, casino)
    casino.buckets.take(account.name)
    try:
        data = decode_command(await request.body())  # Litestar takes "2000" for a number; a command does not
    except Refused as error:
        raise ClientException(str(error)) from None
    return accepted(await give(casino, account, name, data, key or f"{_OWN}-{next(_numbers)}"), eyes_of(account, name))


async def give(casino: State, account: Account, name: str, given: commands.Command, key: str) -> Outcome:
    """A command in the name of an account. `Refused`, `Denied`, `Unknown` or `NotDurable` if it cannot be."""
    table = None
    if type(given) is not commands.OpenTable:
        table = await casino.floor.table(name)
    key = f"{account.name} {key}"  # nobody can use another's key, or one of the service's own
    *before, spoken = spoken_by(account, given, table, name)
    for each in before:
        await casino.floor.submit(name, each, who=account.name, key=f"{key}/post")
    return await casino.floor.submit(name, spoken, who=account.name, key=key)


def accepted(outcome: Outcome, viewer: str | None) -> Accepted:
    """An outcome as it is answered."""
    told = [msgspec.Raw(shown_to(each, viewer)) for each in outcome.said]
    return Accepted(outcome.first, outcome.last, told, outcome.repeated)


@get("/api/tables/{name:str}/events")
async def past_events(name: Name, request: Request[Any, Any, Any], casino: Casino, after: After = 0) -> Page:
    """Up to 500 entries after a number: a replay of what has been."""
    account = await signed_in(request, casino)
    live = await casino.floor.live(name)
    told = await casino.floor.past(name, after, 500)
    viewer = eyes_of(account, name)
    return Page(True, live.sequence, [msgspec.Raw(shown_to(each, viewer)) for each in told])


def eyes_of(account: Account | None, name: str) -> str | None:
    """Whose eyes: the staff of a table see everything that is on record."""
    if account is None:
        return None
    return "*" if account.post_at(name) is not None else account.name


@get("/api/tables/{name:str}/rounds")
async def past_rounds(name: Name, casino: Casino) -> list[PastRound]:
    """The rounds of the shoe in use that are over."""
    return await rounds_over(casino.floor, name)


@get("/api/tables/{name:str}/roads")
async def table_roads(name: Name, casino: Casino) -> Roads:
    """The scoreboard of the shoe in use. It informs; the cards count."""
    table = await casino.floor.table(name)
    return draw_roads(table.shoe.results if table.shoe else ())


@get("/api/books")
async def books() -> list[str]:
    """The books that ship."""
    return list(ids())


class PayRow(msgspec.Struct):
    """What a bet pays, on which clause, and when, in words; without odds it is a stand-off."""

    odds: str | None
    clause: str | None
    when: str


class BookBet(msgspec.Struct):
    """A bet of a book: its name, the hand that it is on if it is on one, and its pay rows."""

    name: str
    hand: str | None
    clause: str | None
    pays: list[PayRow]


class Edge(msgspec.Struct):
    """The edge of the house, as a fraction and in per cent."""

    edge: str
    per_cent: str


@get("/api/books/{book:str}/bets")
async def bets(book: FromPath[str], layout: FromQuery[str | None] = None) -> dict[str, BookBet]:
    """The bets of a book's layout: names and pay rows with their clauses."""
    if book not in ids():
        raise Unknown(f"There is no book {book!r}.")
    found = {}
    for name, priced in menu(load(book), layout).bets.items():
        pays = [
            PayRow(row.odds.text if row.odds else None, row.basis.clause, pattern_in_words(row.when))
            for row in priced.rows
        ]
        found[name] = BookBet(priced.bet.name, priced.bet.hand, priced.bet.basis.clause, pays)
    return found


@get("/api/books/{book:str}/odds")
async def book_odds(
    book: FromPath[str], layout: FromQuery[str | None] = None, decks: Annotated[int, QueryParameter(ge=1, le=12)] = 8
) -> dict[str, Edge]:
    """The exact house edge of every bet with a full shoe, as fractions and per cent."""
    if book not in ids():
        raise Unknown(f"There is no book {book!r}.")
    return await asyncio.to_thread(_odds, book, layout, decks)


@lru_cache(512)
def _odds(book: str, layout: str | None, decks: int) -> dict[str, Edge]:
    from punto.odds import bet_odds, full_shoe

    found = bet_odds(menu(load(book), layout), full_shoe(decks))
    return {name: Edge(str(each.edge), f"{float(each.edge) * 100:.4f}") for name, each in found.items()}


# Sockets


class Line:
    """A socket of somebody: what goes out on it, one thing at a time, and with whose eyes it is seen."""

    def __init__(self, socket: WebSocket[Any, Any, Any], name: str) -> None:
        self.socket, self.name = socket, name
        self.account: Account | None = None
        self._lock, self._over = asyncio.Lock(), False

    @property
    def viewer(self) -> str | None:
        """Who looks: a patron, `*` for the staff of the table, or nobody in particular."""
        return eyes_of(self.account, self.name)

    async def tell(self, floor: Floor) -> None:
        """Tell the socket what happens, for as long as it is open."""
        raise NotImplementedError

    async def account_changed(self) -> None:
        """Somebody has another post, or none, from now on."""

    async def say(self, data: bytes) -> None:
        """Send something, unless the line is closed."""
        async with self._lock:
            if not self._over:
                await self.socket.send_data(data, mode="text")

    async def close(self, code: int, why: str) -> None:
        """Send nothing more, and close."""
        if not self._over:
            self._over = True
            async with self._lock:
                await self.socket.close(code=code, reason=why[:100])


class EventLine(Line):
    """A socket that is told every event after a number."""

    def __init__(self, socket: WebSocket[Any, Any, Any], name: str, after: int) -> None:
        super().__init__(socket, name)
        self._after = after

    async def tell(self, floor: Floor) -> None:
        """Tell what happens, as far as whoever the socket belongs to may see it."""
        async for said in floor.follow(self.name, self._after):
            await self.say(shown_to(said, self.viewer))


_CODES: dict[type[Exception], int] = {Denied: 4401, Unknown: 4404, TooMany: 4429, JournalError: 4503}


@websocket("/api/tables/{name:str}/stream")
async def stream(socket: WebSocket[Any, Any, Any], name: Name, casino: Casino, after: After = 0) -> None:
    """Events after a number, each once and in order; commands in, each answered by its key."""

    async def opened() -> Line:
        await casino.floor.live(name)
        return EventLine(socket, name, after)

    await attend(socket, casino, opened)


async def attend(socket: WebSocket[Any, Any, Any], casino: State, opened: Callable[[], Awaitable[Line]]) -> None:
    """Look after a socket from its first word to its last; `opened` makes its line once it may come in."""
    if not ours(socket, casino.settings):
        await socket.close(code=4403, reason="This page may not speak to the table.")
        return
    try:
        casino.reads.take(host_of(socket))
    except TooMany as error:
        await socket.close(code=_CODES[TooMany], reason=str(error))
        return
    await socket.accept()
    try:
        account = await signed_in(socket, casino)
        line = await opened()
        line.account = account
        with casino.places.one(f"host {host_of(socket)}" if account is None else account.name):
            await _converse(line, casino)
    except tuple(_CODES) as error:
        await socket.close(code=_code(error), reason=str(error)[:100])


def _code(error: Exception) -> int:
    return next(code for kind, code in _CODES.items() if isinstance(error, kind))


async def _converse(line: Line, casino: State) -> None:
    """Tell and hear, until either side has had enough."""
    tasks = [asyncio.create_task(_tell(line, casino))]
    if shown_token(line.socket):
        tasks.append(asyncio.create_task(_recheck(line, casino)))
    try:
        while True:
            data = await line.socket.receive_data(mode="text")
            await _hear(line, casino, data)
    except (WebSocketDisconnect, OSError):
        pass
    except Exception:
        await _failed(line)
    finally:
        for each in tasks:
            each.cancel()


async def _failed(line: Line) -> None:
    """What nobody foresaw is logged, and whoever is there may come back."""
    log.exception("failed", extra={"table": line.name})
    await line.close(4500, "Something went wrong here.")


def ours(request: Request[Any, Any, Any] | WebSocket[Any, Any, Any], settings: Settings) -> bool:
    """A browser says from which page it comes; programs say nothing."""
    origin = request.headers.get("origin")
    host = request.headers.get("host", "")
    return origin is None or origin.partition("://")[2] == host or origin in settings.origins


async def _tell(line: Line, casino: State) -> None:
    """Tell a socket what happens, until it is closed."""
    try:
        await line.tell(casino.floor)
    except (Denied, JournalError) as error:
        await line.close(_code(error), str(error))
    except (WebSocketDisconnect, OSError):  # whoever listened is gone
        pass
    except Exception:
        await _failed(line)


async def _recheck(line: Line, casino: State) -> None:
    """Check again and again who somebody is: a post may be lost, and a session may end, while nothing happens."""
    while True:
        await asyncio.sleep(_AGAIN)
        try:
            account = await signed_in(line.socket, casino)
            if account != line.account:
                line.account = account
                await line.account_changed()
        except Denied as error:
            await line.close(_code(error), str(error))
            return
        except JournalError:  # while the store is away there is nothing to tell
            continue
        except (WebSocketDisconnect, OSError):  # whoever listened is gone
            return
        except Exception:
            await _failed(line)
            return


class Heard(msgspec.Struct, forbid_unknown_fields=True):
    """What comes in on a socket: a command and the key that its answer will carry."""

    key: Annotated[str, msgspec.Meta(min_length=1, max_length=50, pattern=_KEY)]
    command: msgspec.Raw


async def _hear(line: Line, casino: State, data: str | bytes) -> None:
    key: str | None = None
    try:
        if len(data) > casino.settings.largest:
            raise TooMany("That is too long for a command.")
        account = await signed_in(line.socket, casino)
        casino.buckets.take(f"socket {host_of(line.socket)}" if account is None else account.name)
        heard = msgspec.json.decode(data, type=Heard)
        key = heard.key
        if account is None:
            raise Denied("Log in first.")
        outcome = await give(casino, account, line.name, decode_command(bytes(heard.command)), heard.key)
        answer: dict[str, Any] = {
            "key": key,
            "first": outcome.first,
            "last": outcome.last,
            "repeated": outcome.repeated,
        }
    except (Refused, Denied, Unknown, NotDurable, JournalError, TooMany, msgspec.DecodeError, RecursionError) as error:
        answer = {
            "key": key,
            "refused": str(error),
            "clauses": list(getattr(error, "clauses", ())),
            "kind": type(error).__name__,
        }
    await line.say(msgspec.json.encode(answer))


class Health(msgspec.Struct, omit_defaults=True):
    """Whether the store answers: how many tables there are, or why not."""

    ok: bool
    tables: int | None = None
    why: str | None = None
    guests: bool = False


@get("/health", media_type=MediaType.JSON)
async def health(casino: Casino) -> Response[Health]:
    """Whether the store answers."""
    try:
        names = await casino.floor.names()
    except ValueError as error:
        return Response(Health(False, why=str(error)), status_code=503)
    return Response(Health(True, len(names), guests=casino.guests))


HANDLERS = [
    log_in,
    use_link,
    come_in,
    log_out,
    me,
    tables,
    snapshot,
    command,
    past_events,
    past_rounds,
    table_roads,
    books,
    bets,
    book_odds,
    stream,
    health,
]
