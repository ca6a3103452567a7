"""Routes of the day's report, by table, dealer and patron: for the pit and above, of the tables where they work."""

from datetime import date
from typing import Annotated, Any, Literal

from litestar import Request, Response, get
from litestar.exceptions import ClientException
from litestar.params import QueryParameter

from punto.extras import MissingExtra
from punto.messages import say
from punto.rulebook import Library, Refused
from punto.service.accounts.account import Account, is_above_dealer
from punto.service.accounts.tokens import Denied
from punto.service.days import gaming_day, start_of_days
from punto.service.http.authentication import signed_in
from punto.service.http.casino import Casino, UsesCasino
from punto.service.http.errors import NAVIGATED, refusals
from punto.service.http.languages import language_of
from punto.service.http.money import day_not_kept
from punto.service.http.openapi import SIGNED_IN
from punto.service.money.count import Counter, DayNotKept
from punto.service.money.day_report import DayReport
from punto.service.money.ledger import TableLedger
from punto.service.money.report_files import report_csv, report_pdf

Day = Annotated[
    str,
    QueryParameter(pattern=r"^(today|\d{4}-\d{2}-\d{2})$(?!\n)", description="A gaming day, or `today`."),
]
Tag = Annotated[
    Literal["en", "zh-Hans", "zh-Hant"] | None,
    QueryParameter(description="The language; else the one that the header Accept-Language asks for."),
]


class DayReportOfHouse(DayReport):
    """The report with the names that people see, and the moment at which it was made."""

    now: str
    shown: dict[str, str]


class Sight:
    """What an account sees in the report: tables where it holds a post that the table's book has above the dealer's."""

    def __init__(self, account: Account, library: Library) -> None:
        self._account, self._library = account, library

    @property
    def something(self) -> bool:
        """Whether there can be a table that the account sees."""
        ranks = {held.rank for held in self._account.posts.values()}
        return self._account.kind == "staff" and any(is_above_dealer(rank, self._library) for rank in ranks)

    def may_be(self, name: str) -> bool:
        """Whether the account may see a table, before its book is known: of any other nothing is read."""
        held = self._account.post_at(name)
        return held is not None and is_above_dealer(held.rank, self._library)

    def of(self, ledger: TableLedger) -> bool:
        """Whether the account sees a table."""
        held = self._account.post_at(ledger.name)
        return held is not None and ledger.table is not None and ledger.table.book.tiers.get(held.rank, 0) > 0


@get("/api/report", security=SIGNED_IN, responses=refusals(400, 403, 429, 503))
async def report(request: Request[Any, Any, Any], casino: UsesCasino, day: Day = "today") -> DayReportOfHouse:
    """A gaming day by table, dealer and patron, and how the tables stand now; for the pit and above."""
    found, shown = await _report(request, casino, day)
    return DayReportOfHouse(found.day, found.tables, found.dealers, found.patrons, casino.floor.clock(), shown)


@get(
    "/api/report.csv",
    security=SIGNED_IN,
    responses=refusals(400, 403, 429, 503),
    media_type="text/csv",
    opt={NAVIGATED: True},
)
async def report_as_csv(
    request: Request[Any, Any, Any], casino: UsesCasino, day: Day = "today", language: Tag = None
) -> Response[str]:
    """The same as CSV, a line for each table, dealer and patron."""
    found, shown = await _report(request, casino, day)
    made = report_csv(found, shown, language or language_of(request))
    return Response(made, media_type="text/csv", headers=_file(found, "csv"))


@get(
    "/api/report.pdf",
    security=SIGNED_IN,
    responses=refusals(400, 403, 409, 429, 503),
    media_type="application/pdf",
    opt={NAVIGATED: True},
)
async def report_as_pdf(
    request: Request[Any, Any, Any], casino: UsesCasino, day: Day = "today", language: Tag = None
) -> Response[bytes]:
    """The same as PDF, to be kept or signed; in another language than English where the machine has a font for it."""
    found, shown = await _report(request, casino, day)
    tag = language or language_of(request)
    try:
        made = await casino.work_out(report_pdf, found, shown, "", tag)  # it takes a processor for a while, as odds do
    except MissingExtra:
        raise Refused(say("no-pdf-here", "This house cannot make a PDF; the page and the CSV say the same.")) from None
    return Response(made, media_type="application/pdf", headers=_file(found, "pdf"))


def _file(found: DayReport, suffix: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="report-{found.day}.{suffix}"'}


async def _report(request: Request[Any, Any, Any], casino: Casino, day: str) -> tuple[DayReport, dict[str, str]]:
    account = await signed_in(request, casino)
    sight = Sight(account, casino.floor.library)
    if not sight.something:
        raise Denied(say("report-for-pit", "The day's report is for the pit and above."))
    starts = start_of_days(casino.settings.day_starts)
    chosen = gaming_day(casino.floor.clock(), starts) if day == "today" else _checked(day)
    try:
        found = await casino.counting(Counter.report, chosen, sight.may_be, sight.of)
    except DayNotKept:
        raise day_not_kept(f"punto cage report {chosen}", chosen) from None
    return found, casino.accounts.shown_names(found.people)


def _checked(day: str) -> str:
    try:
        return date.fromisoformat(day).isoformat()
    except ValueError:
        raise ClientException(detail=say("no-such-day", "There is no such day.")) from None


ROUTES = [report, report_as_csv, report_as_pdf]
