"""The API: commands in by HTTP and WebSocket, events out by WebSocket, and everything there is to read."""

import asyncio
from typing import Annotated, Any
from uuid import uuid4

import msgspec
from litestar import MediaType, Request, Response, WebSocket, get, post, websocket
from litestar.datastructures import Cookie
from litestar.exceptions import WebSocketDisconnect
from litestar.params import Parameter

from punto.roads import roads as draw_roads
from punto.roads import to_json
from punto.rulebook import Refused, ids, load, menu
from punto.service.accounts import Account, Accounts, Denied
from punto.service.config import Settings
from punto.service.floor import Floor, NotDurable, Outcome, Unknown
from punto.service.limits import Buckets, TooMany
from punto.service.privacy import shown_to
from punto.service.speaking import spoken_by
from punto.table import Table, commands
from punto.table.codec import ANY_COMMAND, decode_command
from punto.table.events import RoundEnded, RoundSettled
from punto.table.view import View, view

COOKIE = "punto"
Name = Annotated[str, Parameter(pattern="^[a-z0-9][a-z0-9-]{0,62}$", description="The table.")]
Key = Annotated[str | None, Parameter(header="Idempotency-Key", max_length=100)]
After = Annotated[int, Parameter(ge=0, le=2**53)]


class State:
    """What the handlers share."""

    def __init__(self, floor: Floor, accounts: Accounts, settings: Settings) -> None:
        self.floor, self.accounts, self.settings = floor, accounts, settings
        self.buckets = Buckets(settings.rate, settings.burst)


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


class Snapshot(msgspec.Struct):
    """A table as the viewer sees it, and the number of the last entry it rests on."""

    sequence: int
    view: View


class Page(msgspec.Struct):
    """Entries of a chain, marked as a replay of what has been."""

    replay: bool
    last: int
    entries: list[msgspec.Raw]


class PastRound(msgspec.Struct):
    """A round that is over."""

    number: int
    winner: str | None
    how: str
    player: list[str]
    banker: list[str]
    first: int
    last: int


def signed_in(request: Request[Any, Any, Any] | WebSocket[Any, Any, Any], state: State) -> Account | None:
    """The account of a request, or None."""
    header = request.headers.get("authorization", "")
    token = header[7:] if header.startswith("Bearer ") else request.cookies.get(COOKIE)
    return None if not token else state.accounts.holder(token)


def needed(request: Request[Any, Any, Any] | WebSocket[Any, Any, Any], state: State) -> Account:
    """The account of a request; denied without one."""
    account = signed_in(request, state)
    if account is None:
        raise Denied("Log in first.")
    return account


# Who one is


@post("/api/login", status_code=200)
async def log_in(data: LogIn, request: Request[Any, Any, Any], casino: State) -> Response[Session]:
    """A session for a name and a password. Three failures lock an account for a while."""
    casino.buckets.take(f"login {request.client.host if request.client else ''}")
    token = await asyncio.to_thread(casino.accounts.log_in, data.name, data.password)
    return _session(casino, token)


@post("/api/link", status_code=200)
async def use_link(data: Session, casino: State) -> Response[Session]:
    """A session for a one-time link."""
    return _session(casino, await asyncio.to_thread(casino.accounts.spend, data.token))


def _session(casino: State, token: str) -> Response[Session]:
    cookie = Cookie(COOKIE, value=token, httponly=True, samesite="strict", secure=casino.settings.secure_cookies)
    return Response(Session(token), cookies=[cookie])


@post("/api/logout", status_code=204)
async def log_out() -> Response[None]:
    """Forget the cookie."""
    return Response(None, cookies=[Cookie(COOKIE, value="", max_age=0, httponly=True, samesite="strict")])


@get("/api/me")
async def me(request: Request[Any, Any, Any], casino: State) -> Me:
    """Who one is, and which posts one holds."""
    account = needed(request, casino)
    return Me(account.name, account.kind, {table: held.rank for table, held in account.posts.items()})


# Tables


@get("/api/tables")
async def tables(casino: State) -> list[Listed]:
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
            )
        )
    return found


@get("/api/tables/{name:str}")
async def snapshot(name: Name, request: Request[Any, Any, Any], casino: State) -> Snapshot:
    """A table as one sees it now."""
    account = signed_in(request, casino)
    live = await casino.floor.live(name)
    assert live.table is not None
    return Snapshot(live.sequence, view(live.table, _viewer(account, live.table, name)))


def _viewer(account: Account | None, table: Table, name: str) -> str | None:
    if account is None:
        return None
    held = account.post_at(name)
    return held.rank if held is not None and account.name not in table.posts else account.name


@post("/api/tables/{name:str}/commands", status_code=200)
async def command(
    name: Name, data: ANY_COMMAND, request: Request[Any, Any, Any], casino: State, key: Key = None
) -> Accepted:
    """Give a command. The answer comes when it is durable; the same `Idempotency-Key` gets the same answer."""
    account = needed(request, casino)
    casino.buckets.take(account.name)
    return accepted(await give(casino, account, name, data, key or uuid4().hex), account.name)


async def give(casino: State, account: Account, name: str, given: commands.Command, key: str) -> Outcome:
    """A command in the name of an account. `Refused`, `Denied`, `Unknown` or `NotDurable` if it cannot be."""
    table = None
    if not isinstance(given, commands.OpenTable):
        table = await casino.floor.table(name)
    *before, spoken = spoken_by(account, given, table, name)
    for each in before:
        await casino.floor.submit(name, each, who=account.name, key=f"{key}/post")
    return await casino.floor.submit(name, spoken, who=account.name, key=key)


def accepted(outcome: Outcome, viewer: str) -> Accepted:
    """An outcome as it is answered."""
    told = [msgspec.Raw(shown_to(each, viewer)) for each in outcome.said]
    return Accepted(outcome.first, outcome.last, told, outcome.repeated)


@get("/api/tables/{name:str}/events")
async def past_events(name: Name, request: Request[Any, Any, Any], casino: State, after: After = 0) -> Page:
    """Up to 500 entries after a number: a replay of what has been."""
    account = signed_in(request, casino)
    live = await casino.floor.live(name)
    told = (await casino.floor.past(name, after))[:500]
    viewer = _seen_as(account, name)
    return Page(True, live.sequence, [msgspec.Raw(shown_to(each, viewer)) for each in told])


def _seen_as(account: Account | None, name: str) -> str | None:
    """Whose eyes: the staff of a table see everything that is on record."""
    if account is None:
        return None
    return "*" if account.post_at(name) is not None else account.name


@get("/api/tables/{name:str}/rounds")
async def past_rounds(name: Name, casino: State) -> list[PastRound]:
    """The rounds of the shoe in use that are over."""
    found: list[PastRound] = []
    for said in await casino.floor.past(name, 0):
        event = said.event
        if isinstance(event, RoundSettled):
            found.append(
                PastRound(
                    len(found) + 1,
                    event.winner,
                    "settled",
                    list(event.cards[0]),
                    list(event.cards[1]),
                    said.sequence,
                    said.sequence,
                )
            )
        elif isinstance(event, RoundEnded):
            found.append(PastRound(len(found) + 1, None, event.how, [], [], said.sequence, said.sequence))
    return found[-200:]


@get("/api/tables/{name:str}/roads")
async def table_roads(name: Name, casino: State) -> dict[str, Any]:
    """The scoreboard of the shoe in use. It informs; the cards count."""
    table = await casino.floor.table(name)
    return to_json(draw_roads(table.shoe.results if table.shoe else ()))


@get("/api/books")
async def books() -> list[str]:
    """The books that ship."""
    return list(ids())


@get("/api/books/{book:str}/bets")
async def bets(book: str, layout: str | None = None) -> dict[str, Any]:
    """The bets of a book's layout: names and pay rows with their clauses."""
    if book not in ids():
        raise Unknown(f"There is no book {book!r}.")
    found = menu(load(book), layout)
    return {
        name: {
            "name": priced.bet.name,
            "pays": [{"odds": row.odds.text if row.odds else None, "clause": row.basis.clause} for row in priced.rows],
        }
        for name, priced in found.bets.items()
    }


@get("/api/books/{book:str}/odds")
async def book_odds(
    book: str, layout: str | None = None, decks: Annotated[int, Parameter(ge=1, le=12)] = 8
) -> dict[str, Any]:
    """The exact house edge of every bet with a full shoe, as fractions and per cent."""
    if book not in ids():
        raise Unknown(f"There is no book {book!r}.")
    return await asyncio.to_thread(_odds, book, layout, decks)


def _odds(book: str, layout: str | None, decks: int) -> dict[str, Any]:
    from punto.odds import bet_odds, full_shoe

    found = bet_odds(menu(load(book), layout), full_shoe(decks))
    return {name: {"edge": str(each.edge), "per_cent": f"{float(each.edge) * 100:.4f}"} for name, each in found.items()}


# Sockets


@websocket("/api/tables/{name:str}/stream")
async def stream(socket: WebSocket[Any, Any, Any], name: Name, casino: State, after: After = 0) -> None:
    """Events after a number, each once and in order; commands in, each answered by its key."""
    if not _ours(socket, casino.settings):
        await socket.close(code=4403, reason="This page may not speak to the table.")
        return
    await socket.accept()
    try:
        account = signed_in(socket, casino)
        await casino.floor.live(name)
    except (Denied, Unknown) as error:
        await socket.close(code=4404 if isinstance(error, Unknown) else 4401, reason=str(error))
        return
    send = asyncio.Lock()
    telling = asyncio.create_task(_tell(socket, casino, name, after, _seen_as(account, name), send))
    try:
        while True:
            data = await socket.receive_data(mode="text")
            await _hear(socket, casino, account, name, data, send)
    except WebSocketDisconnect:
        pass
    finally:
        telling.cancel()


def _ours(socket: WebSocket[Any, Any, Any], settings: Settings) -> bool:
    """A browser says from which page it comes; programs say nothing."""
    origin = socket.headers.get("origin")
    host = socket.headers.get("host", "")
    return origin is None or origin.partition("://")[2] == host or origin in settings.origins


async def _tell(
    socket: WebSocket[Any, Any, Any], casino: State, name: str, after: int, viewer: str | None, send: asyncio.Lock
) -> None:
    async for said in casino.floor.follow(name, after):
        async with send:
            await socket.send_data(shown_to(said, viewer), mode="text")


class Heard(msgspec.Struct, forbid_unknown_fields=True):
    """What comes in on a socket: a command and the key that its answer will carry."""

    key: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    command: msgspec.Raw


async def _hear(
    socket: WebSocket[Any, Any, Any],
    casino: State,
    account: Account | None,
    name: str,
    data: str | bytes,
    send: asyncio.Lock,
) -> None:
    key: str | None = None
    try:
        if len(data) > casino.settings.largest:
            raise TooMany("That is too long for a command.")
        heard = msgspec.json.decode(data, type=Heard)
        key = heard.key
        if account is None:
            raise Denied("Log in first.")
        casino.buckets.take(account.name)
        outcome = await give(casino, account, name, decode_command(bytes(heard.command)), heard.key)
        answer: dict[str, Any] = {
            "key": key,
            "first": outcome.first,
            "last": outcome.last,
            "repeated": outcome.repeated,
        }
    except (Refused, Denied, Unknown, NotDurable, TooMany, msgspec.DecodeError) as error:
        answer = {
            "key": key,
            "refused": str(error),
            "clauses": list(getattr(error, "clauses", ())),
            "kind": type(error).__name__,
        }
    async with send:
        await socket.send_data(msgspec.json.encode(answer), mode="text")


@get("/health", media_type=MediaType.JSON)
async def health(casino: State) -> Response[dict[str, Any]]:
    """Whether the store answers."""
    try:
        names = await casino.floor.names()
    except ValueError as error:
        return Response({"ok": False, "why": str(error)}, status_code=503)
    return Response({"ok": True, "tables": len(names)})


HANDLERS = [
    log_in,
    use_link,
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
