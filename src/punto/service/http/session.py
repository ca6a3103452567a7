"""Routes about who one is: logging in and out, coming in as a guest, and one's own posts."""

from contextlib import suppress
from functools import partial
from secrets import token_hex
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody

from punto.messages import say
from punto.service.accounts.account import Account, guest_name
from punto.service.accounts.tokens import Denied
from punto.service.http.authentication import COOKIE, COUNTED, account_of, address_of, signed_in, token_of
from punto.service.http.casino import GUESTS_OF_A_SITE, Casino, UsesCasino
from punto.service.http.errors import refusals
from punto.service.http.openapi import ANYBODY, DONE, SIGNED_IN
from punto.service.limits import site_of

KNOWN = "punto-known"
"""The cookie by which a browser is known that has logged in before."""

_KNOWN_FOR = 365 * 24 * 60 * 60


class LogIn(msgspec.Struct, forbid_unknown_fields=True):
    """Name and password, and for whoever has a second factor its code."""

    name: Annotated[str, msgspec.Meta(max_length=100)]
    password: Annotated[str, msgspec.Meta(max_length=200)]
    code: Annotated[str, msgspec.Meta(max_length=100)] = ""


class Session(msgspec.Struct):
    """A token, for the header `Authorization: Bearer …`; browsers get it as a cookie, too."""

    token: str


class Me(msgspec.Struct):
    """Who one is: the name one logs in with, the person one is at every table, and the name that others see."""

    name: str
    kind: str
    posts: dict[str, str]
    person: str
    shown: str
    remind: int
    """Minutes between two reminders of time and money, which a patron has set; 0 for none."""


@post("/api/login", status_code=200, responses=refusals(400, 403, 413, 429, 503), opt=COUNTED)
async def log_in(data: JSONBody[LogIn], request: Request[Any, Any, Any], casino: UsesCasino) -> Response[Session]:
    """A session for a name and a password. Who keeps giving wrong ones waits longer each time.

    Whoever has a second factor gives its code, too; if it is missing, the refusal says that it `needs` the code.
    However many guess, a browser that has logged in by the same name before is counted by itself and has its own turn.
    """
    address = address_of(request)
    browser = casino.accounts.browser_of(request.cookies.get(KNOWN, ""), data.name)
    place = address if browser is None else f"browser {browser}"
    casino.limits.log_ins.take(place)
    casino.limits.guesses.begin(place, data.name)
    async with casino.limits.passwords if browser is None else casino.limits.known_passwords:
        checked = partial(casino.accounts.log_in, data.name, data.password, data.code, place=address)
        token = await casino.floor.ask_store(checked)
    casino.limits.guesses.right(place, data.name)
    known = Cookie(
        KNOWN,
        value=casino.accounts.known_browser(token),
        max_age=_KNOWN_FOR,
        path="/api/login",
        httponly=True,
        samesite="strict",
        secure=casino.settings.for_tls_alone,
    )
    return _session(casino, token, known)


@post("/api/link", status_code=200, responses=refusals(400, 403, 413, 429, 503), opt=COUNTED)
async def use_link(data: JSONBody[Session], request: Request[Any, Any, Any], casino: UsesCasino) -> Response[Session]:
    """A session for a one-time link."""
    address = address_of(request)
    casino.limits.log_ins.take(address)
    return _session(casino, await casino.floor.ask_store(partial(casino.accounts.spend, data.token, place=address)))


@post("/api/guest", status_code=200, responses=refusals(403, 429, 503), opt=COUNTED)
async def come_in(request: Request[Any, Any, Any], casino: UsesCasino) -> Response[Session]:
    """A session for somebody new, where guests are welcome."""
    address = address_of(request)
    casino.limits.log_ins.take(address)
    if not casino.settings.guests:
        raise Denied(say("no-guests", "This house takes no guests: log in."))
    await casino.floor.ask_store(casino.limits.guests.take, address)
    await casino.floor.ask_store(casino.limits.guests.take, f"site {site_of(address)}", 1 / GUESTS_OF_A_SITE)
    name, shown = guest_name(), f"guest-{token_hex(2)}"
    made = await casino.floor.ask_store(partial(casino.accounts.make, name, "patron", shown=shown))
    return _session(casino, await casino.floor.ask_store(casino.accounts.enter, made, address, "guest"))


def _session(casino: Casino, token: str, *more: Cookie) -> Response[Session]:
    return Response(Session(token), cookies=[session_cookie(casino, token), *more])


def session_cookie(casino: Casino, token: str) -> Cookie:
    """A session as browsers keep it: no script reads it, and no other site uses it."""
    return Cookie(COOKIE, value=token, httponly=True, samesite="strict", secure=casino.settings.for_tls_alone)


@post("/api/logout", status_code=204, security=ANYBODY, responses={**DONE, **refusals(403, 429, 503)})
async def log_out(request: Request[Any, Any, Any], casino: UsesCasino) -> Response[None]:
    """End the session: its token is worthless from now on, and the cookie is forgotten."""
    token = token_of(request)
    if token:
        with suppress(Denied):
            await casino.floor.ask_store(casino.accounts.log_out, token)
    return Response(None, cookies=[Cookie(COOKIE, value="", max_age=0, httponly=True, samesite="strict")])


@get("/api/me", security=SIGNED_IN, responses=refusals(403, 429, 503))
async def me(request: Request[Any, Any, Any], casino: UsesCasino) -> Me:
    """Who one is, and which posts one holds."""
    return _me(await signed_in(request, casino))


@get("/api/who", security=ANYBODY, responses=refusals(429, 503))
async def who(request: Request[Any, Any, Any], casino: UsesCasino) -> Me | None:
    """Who one is, or nobody: for a page that has yet to find out."""
    try:
        account = await account_of(request, casino)
    except Denied:
        return None
    return None if account is None else _me(account)


def _me(account: Account) -> Me:
    posts = {table: held.rank for table, held in account.posts.items()}
    remind = 0 if account.own is None else account.own.remind
    return Me(account.name, account.kind, posts, account.person, account.shown, remind)


ROUTES = [log_in, use_link, come_in, log_out, me, who]
