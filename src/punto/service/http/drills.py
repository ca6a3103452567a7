"""Routes to drills: a question made from a book and a seed, and the answers to it, marked.

A drill about a table is made from the very book that the table goes by; any other from the edition that ships.
"""

import secrets
from typing import Annotated, Any

import msgspec
from litestar import Request, get, post
from litestar.params import FromQuery, JSONBody, QueryParameter

from punto.rulebook import Book
from punto.service.books import in_use
from punto.service.http.authentication import address_of
from punto.service.http.casino import Casino, UsesCasino
from punto.service.http.errors import refusals
from punto.service.http.parameters import TABLE
from punto.service.training.common import SEEDS
from punto.service.training.irregularities import IrregularityDrill, IrregularityMarks, irregularity, mark_irregularity
from punto.service.training.payouts import PayoutDrill, PayoutMarks, mark_payout, payout

FIRST_BOOK = "commission-insurance"
"""The book of a drill where none is named."""

Seed = Annotated[int | None, QueryParameter(ge=0, lt=SEEDS)]
AboutTable = Annotated[str | None, QueryParameter(pattern=TABLE, description="The table that the drill is about.")]
GivenSeed = Annotated[int, msgspec.Meta(ge=0, lt=SEEDS)]
GivenTable = Annotated[str, msgspec.Meta(pattern=TABLE)] | None
_ASKED = refusals(400, 404, 409, 429, 503)
_ANSWERED = refusals(400, 403, 404, 409, 413, 429, 503)


class PayoutAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """What somebody thinks that each wager is up or down, in minor units; None where they do not know."""

    book: str
    seed: GivenSeed
    answers: Annotated[list[int | None], msgspec.Meta(max_length=20)]
    layout: str | None = None
    table: GivenTable = None


class IrregularityAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """Which of the choices somebody thinks is right."""

    book: str
    seed: GivenSeed
    answer: int | None = None
    table: GivenTable = None


@get("/api/drills/payout", responses=_ASKED)
async def payout_drill(
    request: Request[Any, Any, Any],
    casino: UsesCasino,
    book: FromQuery[str] = FIRST_BOOK,
    layout: FromQuery[str | None] = None,
    seed: Seed = None,
    table: AboutTable = None,
) -> PayoutDrill:
    """A finished coup with wagers on it: what is each of them paid?"""
    rules, felt = await _rules(request, casino, book, layout, table)
    return await casino.work_out(payout, rules, felt, _seed(seed))


@post("/api/drills/payout", status_code=200, responses=_ANSWERED)
async def payout_answer(
    data: JSONBody[PayoutAnswer], request: Request[Any, Any, Any], casino: UsesCasino
) -> PayoutMarks:
    """How each wager is settled, with the clause and the arithmetic."""
    rules, felt = await _rules(request, casino, data.book, data.layout, data.table)
    return await casino.work_out(mark_payout, rules, felt, data.seed, data.answers)


@get("/api/drills/irregularity", responses=_ASKED)
async def irregularity_drill(
    request: Request[Any, Any, Any],
    casino: UsesCasino,
    book: FromQuery[str] = FIRST_BOOK,
    seed: Seed = None,
    table: AboutTable = None,
) -> IrregularityDrill:
    """Something goes wrong at a table: what happens next, or who decides?"""
    rules, _ = await _rules(request, casino, book, None, table)
    return await casino.work_out(irregularity, rules, _seed(seed))


@post("/api/drills/irregularity", status_code=200, responses=_ANSWERED)
async def irregularity_answer(
    data: JSONBody[IrregularityAnswer], request: Request[Any, Any, Any], casino: UsesCasino
) -> IrregularityMarks:
    """What the book says, clause by clause."""
    rules, _ = await _rules(request, casino, data.book, None, data.table)
    return await casino.work_out(mark_irregularity, rules, data.seed, data.answer)


async def _rules(
    request: Request[Any, Any, Any], casino: Casino, book: str, layout: str | None, table: str | None
) -> tuple[Book, str | None]:
    """The book and the layout of a drill: the table's own where it is about a table. One address asks for so many."""
    casino.limits.costly.take(address_of(request))
    if table is None:
        return in_use(casino.floor.library, book), layout
    found = await casino.floor.table(table)
    return found.book, found.setup.layout


def _seed(given: int | None) -> int:
    return secrets.randbelow(SEEDS) if given is None else given


ROUTES = [payout_drill, payout_answer, irregularity_drill, irregularity_answer]
