"""Whose request it is: the token it carries, the address it comes from, and the page that sent it."""

from typing import Any

from litestar import Request, WebSocket

from punto.messages import say
from punto.service.accounts.account import Account
from punto.service.accounts.tokens import Denied, Foreign
from punto.service.http.casino import Casino
from punto.service.limits import network_of
from punto.service.settings import Settings

COOKIE = "punto"
COUNTED = {"counted by itself": True}
"""Of routes that count by account, or as log-ins. Whatever else is asked of the house counts by address."""

COUNTS_AS = "counts as"
"""The option of routes that take as long as so many other requests, and count as that many."""

_BEARER = "Bearer "
_READS = ("GET", "HEAD", "OPTIONS")

Connection = Request[Any, Any, Any] | WebSocket[Any, Any, Any]


def token_of(connection: Connection) -> str | None:
    """The token that comes with a request, in its header or its cookie."""
    header = connection.headers.get("authorization", "")
    return header.removeprefix(_BEARER) if _has_bearer(connection) else connection.cookies.get(COOKIE)


def _has_bearer(connection: Connection) -> bool:
    return connection.headers.get("authorization", "").startswith(_BEARER)


async def account_of(connection: Connection, casino: Casino) -> Account | None:
    """The account of a request, or None; `Denied` if its token is not good.

    A cookie that somebody else has written is none: cookies are shared by all that is served under one host name.
    """
    token = token_of(connection)
    try:
        return None if not token else await casino.accounts.bearer(token)
    except Foreign:
        if _has_bearer(connection):
            raise
        return None


async def signed_in(connection: Connection, casino: Casino) -> Account:
    """The account of a request; `Denied` without one."""
    return known(await account_of(connection, casino))


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
        casino.limits.reads.take(address_of(request))
        casino.limits.reads.owe(address_of(request), request.route_handler.opt.get(COUNTS_AS, 1) - 1)
