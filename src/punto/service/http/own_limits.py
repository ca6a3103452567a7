"""Routes about the limits that a patron sets for themself: what they are and how the day stands, and a pause."""

from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
from litestar import Request, get, post, put
from litestar.params import JSONBody, QueryParameter

from punto.amounts import MOST
from punto.messages import say
from punto.service.accounts.account import Account
from punto.service.accounts.own_limits import LEAST_PAUSE, MOST_PAUSE, MOST_REMIND, OwnLimit, OwnLimits
from punto.service.accounts.tokens import Denied
from punto.service.http.authentication import signed_in
from punto.service.http.casino import Casino, UsesCasino
from punto.service.http.errors import refusals
from punto.service.http.openapi import SIGNED_IN
from punto.service.money.count import PlayOfDay

OfTable = Annotated[
    str | None, QueryParameter(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$(?!\n)", description="A table, for its currency.")
]
Most = Annotated[int, msgspec.Meta(ge=0, le=MOST)] | None


class SetOwnLimits(msgspec.Struct, forbid_unknown_fields=True):
    """The limits in a currency, in minor units: to lose in a gaming day, to stake in a round; null for none.

    `remind` are the minutes between two reminders, 0 for none.
    """

    currency: Annotated[str, msgspec.Meta(pattern=r"^[A-Z]{3}$(?!\n)")]
    lose: Most
    stake: Most
    remind: Annotated[int, msgspec.Meta(ge=0, le=MOST_REMIND)] = 0


class Pause(msgspec.Struct, forbid_unknown_fields=True):
    """For how many minutes one takes no part."""

    minutes: Annotated[int, msgspec.Meta(ge=LEAST_PAUSE, le=MOST_PAUSE)]


class LimitNow(msgspec.Struct):
    """The most that is allowed now, null for no limit; `then` takes its place `at` a moment, if that is not null."""

    most: int | None
    then: int | None
    at: str | None


class CurrencyNow(msgspec.Struct):
    """The limits in a currency, and the day so far: what was lost, less than nothing if one has won; and the stakes."""

    lose: LimitNow
    stake: LimitNow
    lost: int
    at_stake: int


class OwnLimitsNow(msgspec.Struct):
    """The limits of one's own and how the gaming day stands, by currency; until when one has paused, or null.

    `currency` is that of the table which was asked about.
    """

    day: str
    currency: str | None
    currencies: dict[str, CurrencyNow]
    remind: int
    paused: str | None


@get("/api/own-limits", security=SIGNED_IN, responses=refusals(400, 403, 404, 429, 503))
async def own_limits(request: Request[Any, Any, Any], casino: UsesCasino, table: OfTable = None) -> OwnLimitsNow:
    """The limits that one has set for oneself, and what one has lost today; for a patron."""
    account = await _patron(request, casino)
    currency = None if table is None else (await casino.floor.table(table)).setup.currency
    return await _now(casino, await casino.accounts.fresh(account.name) or account, currency)


@put("/api/own-limits", security=SIGNED_IN, responses=refusals(400, 403, 413, 429, 503))
async def set_own_limits(
    data: JSONBody[SetOwnLimits], request: Request[Any, Any, Any], casino: UsesCasino
) -> OwnLimitsNow:
    """Set the limits in a currency. What is lower counts at once; what is raised or taken away, in 24 hours."""
    account = await _patron(request, casino)
    await casino.floor.ask_store(casino.limits.own_limits.take, account.name)
    given = data.currency, data.lose, data.stake, data.remind
    after = await casino.floor.ask_store(casino.accounts.set_own_limits, account.name, *given)
    return await _now(casino, after, data.currency)


@post("/api/pause", status_code=200, security=SIGNED_IN, responses=refusals(400, 403, 413, 429, 503))
async def pause(data: JSONBody[Pause], request: Request[Any, Any, Any], casino: UsesCasino) -> OwnLimitsNow:
    """Pause from now on: no seat, no chips, no wagers. A pause that lasts longer stays; nobody makes it shorter."""
    account = await _patron(request, casino)
    await casino.floor.ask_store(casino.limits.pauses.take, account.name)
    return await _now(casino, await casino.floor.ask_store(casino.accounts.pause, account.name, data.minutes))


async def _patron(request: Request[Any, Any, Any], casino: Casino) -> Account:
    account = await signed_in(request, casino)
    if account.kind != "patron":
        raise Denied(say("own-limits-of-patrons", "Patrons set limits for themselves, and nobody else."))
    return account


async def _now(casino: Casino, account: Account, currency: str | None = None) -> OwnLimitsNow:
    own, now = account.own or OwnLimits(), casino.accounts.now()
    guard = casino.teller.own_limits
    played = await guard.play_today(account.person)
    currencies = {
        each: _currency(own, played.get(each, PlayOfDay()), each, now)
        for each in sorted({*own.lose, *own.stake, *played, *([currency] if currency else ())})
    }
    paused = _at(own.paused) if own.paused > now else None
    return OwnLimitsNow(guard.today, currency, currencies, own.remind, paused)


def _currency(own: OwnLimits, played: PlayOfDay, currency: str, now: float) -> CurrencyNow:
    lose, stake = (_limit(each.get(currency, OwnLimit()), now) for each in (own.lose, own.stake))
    return CurrencyNow(lose, stake, played.lost, played.at_stake)


def _limit(limit: OwnLimit, now: float) -> LimitNow:
    if limit.at is None or not limit.waits(now):
        return LimitNow(limit.in_force(now), None, None)
    return LimitNow(limit.most, limit.then, _at(limit.at))


def _at(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


ROUTES = [own_limits, set_own_limits, pause]
