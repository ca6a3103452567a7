"""Routes about money: what patrons ask of the cage, who sees to it, and the count of the house."""

from typing import Annotated, Any

import msgspec
from litestar import Request, get, post
from litestar.exceptions import ClientException
from litestar.openapi import ResponseSpec
from litestar.params import JSONBody, PathParameter, QueryParameter

from punto.messages import say
from punto.rulebook import Refused
from punto.service.accounts.account import CASHIER, EVERYWHERE, Account, is_above_dealer
from punto.service.accounts.at_table import viewer_of
from punto.service.accounts.tokens import Denied
from punto.service.days import gaming_day, start_of_days
from punto.service.errors import Unknown
from punto.service.http.authentication import COUNTED, signed_in
from punto.service.http.casino import Casino, UsesCasino
from punto.service.http.errors import refusals
from punto.service.http.openapi import SIGNED_IN
from punto.service.http.parameters import Name
from punto.service.money.count import Count, Counter, DayNotKept
from punto.service.runtime.money_requests import Asked, MoneyRequest, to_pay_out
from punto.table.commands import Number as Amount

_DONE = {204: ResponseSpec(None, False, "Done; there is nothing to say.")}
RequestId = Annotated[str, PathParameter(pattern=r"^[0-9a-f]{16}$(?!\n)", description="The request.")]
Day = Annotated[
    str | None,
    QueryParameter(pattern=r"^(today|\d{4}-\d{2}-\d{2})$(?!\n)", description="A gaming day, or `today`."),
]


class AskMoney(msgspec.Struct, forbid_unknown_fields=True):
    """What a patron asks of the cage."""

    do: Asked
    amount: Amount | None = None


class SeenTo(msgspec.Struct, forbid_unknown_fields=True):
    """What becomes of a request: the money was taken or paid, or it is turned down."""

    confirm: bool


class SeenRequest(msgspec.Struct):
    """An open request, with the name that people see, and the chips that the person has at the table."""

    id: str
    person: str
    shown: str
    do: str
    amount: int | None
    at: str
    chips: int


class CountOfHouse(Count):
    """The count, with the names that people see."""

    shown: dict[str, str]


@post(
    "/api/tables/{name:str}/requests",
    status_code=200,
    security=SIGNED_IN,
    responses=refusals(400, 403, 404, 409, 413, 429, 503),
    opt=COUNTED,
)
async def ask_money(
    name: Name, data: JSONBody[AskMoney], request: Request[Any, Any, Any], casino: UsesCasino
) -> SeenRequest:
    """Ask the cage for chips or for money, in the place of what one asked before; a cashier or the staff see to it."""
    account = await signed_in(request, casino)
    casino.limits.commands.take(account.name)
    table = await casino.floor.table(name)
    if account.kind != "patron":
        raise Denied(say("staff-see-to-own-money", "The staff take and pay money themselves."))
    if casino.settings.money != "cage":
        raise Refused(say("nobody-need-be-asked", "Nobody need be asked for money here."))
    if account.person not in table.patrons:
        raise Refused(say("not-at-this-table", "You are not at this table."))
    amount = data.amount
    if data.do == "cash-out" and amount is None:
        # What is shown to the cashier is what is moved, whatever else the patron does with their chips meanwhile.
        amount = to_pay_out(table.patrons[account.person])
        if not amount:
            raise Refused(say("no-chips-to-cash", "You have no chips here to cash."))
    if amount is None:
        raise ClientException(detail=say("say-how-much", "Say how much."))
    if amount <= 0:
        raise ClientException(detail=say("that-is-no-amount", "That is no amount."))
    ask = casino.requests.ask
    made = await casino.floor.ask_store(ask, name, account.person, data.do, amount, casino.floor.clock())
    return await _seen(casino, made)


@get("/api/tables/{name:str}/requests", security=SIGNED_IN, responses=refusals(400, 403, 404, 429, 503))
async def money_requests(name: Name, request: Request[Any, Any, Any], casino: UsesCasino) -> list[SeenRequest]:
    """What is asked of the cage at a table: everything for a cashier and the staff, and one's own for a patron."""
    account = await signed_in(request, casino)
    sees_all = await _sees_to(casino, account, name)
    found = await casino.floor.ask_store(casino.requests.at, name)
    return [await _seen(casino, each) for each in found if sees_all or each.person == account.person]


@post(
    "/api/tables/{name:str}/requests/{number:str}",
    status_code=204,
    security=SIGNED_IN,
    responses={**_DONE, **refusals(400, 403, 404, 409, 413, 429, 503)},
    opt=COUNTED,
)
async def see_to(
    name: Name, number: RequestId, data: JSONBody[SeenTo], request: Request[Any, Any, Any], casino: UsesCasino
) -> None:
    """Say that the money was taken or paid, which moves the chips; or turn a request down. Patrons take back theirs."""
    account = await signed_in(request, casino)
    casino.limits.commands.take(account.name)
    sees_all = await _sees_to(casino, account, name)
    there = await casino.floor.ask_store(casino.requests.at, name)
    found = next((each for each in there if each.id == number), None)
    if found is None or not (sees_all or found.person == account.person):
        raise Unknown(say("no-such-request", "There is no such request: it was seen to, or taken back."))
    if data.confirm and not sees_all:
        raise Denied(say("cashier-sees-to-this", "A cashier or the dealer sees to this."))
    if data.confirm:
        await casino.teller.see_to(account, found)
    await casino.floor.ask_store(casino.requests.drop, found)


@get("/api/count", security=SIGNED_IN, responses=refusals(400, 403, 429, 503))
async def count(request: Request[Any, Any, Any], casino: UsesCasino, day: Day = None) -> CountOfHouse:
    """Where all money of the house is, and what moved on a gaming day, or ever; for cage and pit of all tables."""
    account = await signed_in(request, casino)
    held = account.posts.get(EVERYWHERE) if account.kind == "staff" else None
    if held is None or not (held.rank == CASHIER or is_above_dealer(held.rank, casino.floor.library)):
        raise Denied(
            say(
                "count-for-staff", "The count is for cashiers and ranks above the dealer's, with a post at every table."
            )
        )
    try:
        found = await casino.counting(Counter.count, _today(casino) if day == "today" else day)
    except DayNotKept:
        raise day_not_kept(f"punto cage count --day {day}", day) from None
    people = {person for table in found.tables for person in table.patrons} | set(found.held) | set(found.wallets)
    return CountOfHouse(**msgspec.structs.asdict(found), shown=casino.accounts.shown_names(people))


def day_not_kept(command: str, day: str | None) -> ClientException:
    """The answer about a day so long ago that only the command tells it."""
    says = say(
        "day-not-kept",
        "{day} is before the days that are kept here: on the house's own machine, {command:quoted} tells it.",
        day=day,
        command=command,
    )
    return ClientException(detail=says)


def _today(casino: Casino) -> str:
    return gaming_day(casino.floor.clock(), start_of_days(casino.settings.day_starts))


async def _sees_to(casino: Casino, account: Account, name: str) -> bool:
    """Whether an account takes and pays money at a table: a cashier, or its staff."""
    held = account.post_at(name) if account.kind == "staff" else None
    if held is not None and held.rank == CASHIER:
        await casino.floor.table(name)
        return True
    return viewer_of(account, await casino.floor.table(name), name).staff


async def _seen(casino: Casino, request: MoneyRequest) -> SeenRequest:
    patron = (await casino.floor.table(request.table)).patrons.get(request.person)
    chips = 0 if patron is None else patron.balance
    shown = casino.accounts.shown(request.person)
    return SeenRequest(request.id, request.person, shown, request.do, request.amount, request.at, chips)


ROUTES = [ask_money, money_requests, see_to, count]
