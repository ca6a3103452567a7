"""Routes by which one acts at a table: commands, and letting an offer pass."""

from functools import partial
from typing import Any

import msgspec
from litestar import Request, post
from litestar.exceptions import ClientException
from litestar.openapi import ResponseSpec
from litestar.params import JSONBody

from punto.messages import Sentence, say
from punto.rulebook import Refused
from punto.service.accounts.at_table import viewer_of
from punto.service.http.answers import PlainJson
from punto.service.http.authentication import COUNTED, signed_in
from punto.service.http.casino import UsesCasino
from punto.service.http.entries import ToldEntry, entry_for
from punto.service.http.errors import refusals
from punto.service.http.openapi import SIGNED_IN
from punto.service.http.parameters import Key, MeantRound, MeantStage, Name
from punto.service.runtime.meant import Meant
from punto.service.runtime.passed_offers import insurable, let_pass, may_ask
from punto.table.codec import ANY_COMMAND, decode_command
from punto.table.commands import OpenTable


class Accepted(msgspec.Struct):
    """What a command led to, with the numbers of its entries in the table's chain."""

    first: int
    last: int
    events: list[ToldEntry]
    repeated: bool


@post(
    "/api/tables/{name:str}/commands",
    status_code=200,
    response_class=PlainJson,
    security=SIGNED_IN,
    responses=refusals(400, 403, 404, 409, 413, 429, 503),
    opt=COUNTED,
)
async def command(
    name: Name,
    data: JSONBody[ANY_COMMAND],
    request: Request[Any, Any, Any],
    casino: UsesCasino,
    key: Key = None,
    round: MeantRound = None,
    stage: MeantStage = None,
) -> Accepted:
    """Give a command. The answer comes when it is durable; the same `Idempotency-Key` gets the same answer."""
    account = await signed_in(request, casino)
    casino.limits.commands.take(account.name)
    try:
        data = decode_command(await request.body())  # Litestar takes "2000" for a number; a command does not
    except Refused as error:
        raise ClientException(detail=Sentence(str(error), error.message)) from None
    if isinstance(data, OpenTable):
        await casino.floor.ask_store(casino.limits.opened.take, account.name)
    given = partial(casino.teller.give, account, name, data, key or casino.keys.new(), Meant(round, stage))
    outcome = await casino.limits.texts.counted(account, data, given)
    viewer = viewer_of(account, await casino.floor.table(name), name)
    told = [entry_for(each, viewer) for each in outcome.said]
    return Accepted(outcome.first, outcome.last, told, outcome.repeated)


_DONE = {204: ResponseSpec(None, False, "Done; there is nothing to say.")}


@post(
    "/api/tables/{name:str}/pass",
    status_code=204,
    security=SIGNED_IN,
    responses={**_DONE, **refusals(400, 403, 404, 409, 429, 503)},
    opt=COUNTED,
)
async def pass_offer(name: Name, request: Request[Any, Any, Any], casino: UsesCasino) -> None:
    """Let pass what one is offered now, insurance or the cards: the dealer of a virtual table waits no longer."""
    account = await signed_in(request, casino)
    casino.limits.commands.take(account.name)
    live = await casino.floor.live(name)
    assert live.table is not None
    if account.kind != "patron" or account.person not in insurable(live.table) | may_ask(live.table):
        raise Refused(say("nothing-offered-to-you", "You are offered nothing now."))
    let_pass(live, account.person)


ROUTES = [command, pass_offer]
