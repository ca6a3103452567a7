"""Whose request it is: the token it carries, the address it comes from, and the page that sent it."""

from contextlib import suppress
from typing import Any, NamedTuple

from litestar import Request, WebSocket

from punto.messages import say
from punto.service.accounts.account import Account
from punto.service.accounts.tokens import Denied, Foreign
from punto.service.http.casino import Casino
from punto.service.limits import TooMany, network_of
from punto.service.settings import Settings

COOKIE = "punto"
COUNTED = {"counted by itself": True}
"""Of routes that count by account, or as log-ins. Whatever else is asked of the house counts by address."""

COUNTS_AS = "counts as"
"""The option of routes that take as long as so many other requests, and count as that many."""

_COUNTED_AS = "counted as"
"""Where a connection keeps for whom its reading is counted, if that is not its address."""

BEARER = "Bearer "
_READS = ("GET", "HEAD", "OPTIONS")

Connection = Request[Any, Any, Any] | WebSocket[Any, Any, Any]


class Credentials(NamedTuple):
    """What a request or a socket shows to say whose it is. It stays the same for as long as the connection does."""

    token: str | None
    in_header: bool
    """Whether the token was written for the house: a cookie may be of another program under the same host name."""


def credentials_of(connection: Connection) -> Credentials:
    """The token that comes with a request, in its header or its cookie."""
    header = connection.headers.get("authorization", "")
    if header.startswith(BEARER):
        return Credentials(header.removeprefix(BEARER), in_header=True)
    return Credentials(connection.cookies.get(COOKIE), in_header=False)


def token_of(connection: Connection) -> str | None:
    """The token that comes with a request."""
    return credentials_of(connection).token


async def account_by(shown: Credentials, casino: Casino) -> Account | None:
    """The account of whoever shows these now, or None; `Denied` if the token is not good.

    A cookie that somebody else has written is none: cookies are shared by all that is served under one host name.
    """
    try:
        return None if not shown.token else await casino.accounts.bearer(shown.token)
    except Foreign:
        if shown.in_header:
            raise
        return None


async def account_of(connection: Connection, casino: Casino) -> Account | None:
    """The account of a request, or None; `Denied` if its token is not good."""
    return await account_by(credentials_of(connection), casino)


async def signed_in(connection: Connection, casino: Casino) -> Account:
    """The account of a request; `Denied` without one.

    Whoever has none is counted by address, also where everybody else is counted by account: `TooMany` if they go on.
    """
    try:
        return known(await account_of(connection, casino))
    except Denied:
        casino.limits.reads.take(address_of(connection))
        raise


def known(account: Account | None) -> Account:
    """An account, if there is one; `Denied` if not."""
    if account is None:
        raise Denied(say("log-in-first", "Log in first."))
    return account


def address_of(connection: Connection) -> str:
    """The address that a request comes from, as it is counted."""
    return network_of(connection.client.host) if connection.client else ""


def from_our_page(connection: Connection, settings: Settings) -> bool:
    """Whether a request comes from our own page, one that the settings name, or a program, which names none."""
    origin = connection.headers.get("origin")
    host = connection.headers.get("host", "")
    return origin is None or origin.partition("://")[2] == host or origin in settings.origins


async def check_request(request: Request[Any, Any, Any]) -> None:
    """Refuse changes from the pages of other hosts, and whatever is too frequent, before a request is handled."""
    casino: Casino = request.app.state.casino
    if request.method not in _READS and not from_our_page(request, casino.settings):
        raise Denied(say("page-may-not-speak", "This page may not speak to the house."))
    if request.scope["path"] != "/health" and not COUNTED.items() <= request.route_handler.opt.items():
        await count_read(request, casino)
        casino.limits.reads.owe(counted_as(request), request.route_handler.opt.get(COUNTS_AS, 1) - 1)


async def count_read(connection: Connection, casino: Casino) -> None:
    """Count that something is read, by address; `TooMany` if that has read too much.

    Of the staff each is counted by themself then: whoever has the same address as they keeps none of them from reading.
    """
    try:
        casino.limits.reads.take(address_of(connection))
    except TooMany:
        account = None
        with suppress(Denied):
            account = await account_of(connection, casino)
        if account is None or account.kind != "staff":
            raise
        connection.scope["state"][_COUNTED_AS] = f"account {account.name}"
        casino.limits.reads.take(counted_as(connection))


def counted_as(connection: Connection) -> str:
    """For whom it is counted what a request or a socket reads."""
    found: str | None = connection.scope["state"].get(_COUNTED_AS)
    return address_of(connection) if found is None else found
