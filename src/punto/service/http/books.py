"""Routes to what books say: the edition of a book that tables are opened by, and the very book of a table.

What is said in words is said in the language that the header Accept-Language asks for, else in English.
"""

from typing import Any

import msgspec
from litestar import Request, Response, get
from litestar.datastructures import ResponseHeader
from litestar.params import FromPath, FromQuery

from punto.messages.languages import told_in
from punto.rulebook import Bet, Book, PrintedCard, Row, index_for, menu
from punto.rulebook.approval import approval
from punto.rulebook.facts import HANDS
from punto.rulebook.posted import POSTED, enforces
from punto.rulebook.words import cover_in_words, pattern_in_words, per_cent
from punto.service.books import in_use
from punto.service.http.casino import UsesCasino
from punto.service.http.errors import refusals
from punto.service.http.languages import language_of
from punto.service.http.parameters import Name

DIGEST_HEADER = ResponseHeader(
    name="Book-Digest",
    value="",
    description="The digest of the edition that was answered from.",
    documentation_only=True,
)


def digest_of(book: Book) -> dict[str, str]:
    """The header that says from which edition of a book an answer comes."""
    return {DIGEST_HEADER.name: book.digest}


class RowCommission(msgspec.Struct):
    """The odds of a row before commission, and the share of what is won that the house takes."""

    odds: str
    share: str


class PayRow(msgspec.Struct, omit_defaults=True):
    """What a bet pays, on which clause, and when, in words. Without odds the result tells a stand-off from a loss.

    Where the row has a commission, the odds are those after it.
    """

    odds: str | None
    clause: str | None
    when: str
    result: str
    commission: RowCommission | None = None


class BetChoice(msgspec.Struct):
    """What is chosen with a bet: the bet of the book with its names, and a mark for what is chosen, like 6 or K."""

    of: str
    name: str
    names: dict[str, str]
    mark: str


class BookBet(msgspec.Struct, omit_defaults=True):
    """A bet of a book: its name, in other languages too, the hand that it is on if it is on one, and its pay rows.

    `needs` are lists of bets: of each list one must lie in the same box; `share` is how much of those in the last list
    it may be at most, and `apart` are bets that it never lies with. `colour` is that of its field on the felt. All are
    left out where there are none, and where it is gold. `late`: it is placed after the first four cards.
    """

    name: str
    names: dict[str, str]
    hand: str | None
    choice: BetChoice | None
    clause: str | None
    pays: list[PayRow]
    needs: list[list[str]] = []
    colour: str = "gold"
    late: bool = False
    apart: list[str] = []
    share: str | None = None


class AboutLayout(msgspec.Struct):
    """A layout: what it is called, in other languages too, where it is written, and what its areas say."""

    title: str | None
    titles: dict[str, str]
    clause: str
    labels: dict[str, str]
    verified: bool


class AboutCover(msgspec.Struct):
    """A row of the insurance table: when it applies, in words, and what it pays."""

    when: str
    odds: str
    clause: str | None


class AboutPrinted(msgspec.Struct):
    """The card that is printed on the layouts of a book: the hand that has it, and whether it begins with it."""

    card: str
    hand: str
    first: bool
    clause: str | None


class AboutBook(msgspec.Struct):
    """A book: its titles, who approved it, its layouts, ranks, insurance and limits, and the digest of its text."""

    id: str
    title: str
    operator: str
    approver: str
    version: str
    effective: str
    ranks: tuple[tuple[str, ...], ...]
    layouts: dict[str, AboutLayout]
    insurance: list[AboutCover] | None
    digest: str
    ships: bool
    """Whether this is the very text that ships with Punto; if not, its approval is what the file says."""
    approval: str
    limits: list[str]
    """The limits that the book enforces: a table by it posts no other."""
    printed: AboutPrinted | None = None
    """The card that is printed on the layouts, if there is one."""
    titles: dict[str, str] = {}
    """The title in other languages, as the book gives them."""


@get("/api/books", responses=refusals(429))
async def books(casino: UsesCasino) -> list[str]:
    """The books that tables can be opened by: those that ship, and those of the house's own."""
    return list(casino.floor.library.ids())


@get("/api/books/{book:str}", responses=refusals(400, 404, 429))
async def about_book(book: FromPath[str], request: Request[Any, Any, Any], casino: UsesCasino) -> AboutBook:
    """A book: what it is called, who approved it, its layouts, ranks and insurance."""
    return _about(in_use(casino.floor.library, book), language_of(request))


@get("/api/books/{book:str}/bets", response_headers=[DIGEST_HEADER], responses=refusals(400, 404, 409, 429))
async def bets(
    book: FromPath[str], request: Request[Any, Any, Any], casino: UsesCasino, layout: FromQuery[str | None] = None
) -> Response[dict[str, BookBet]]:
    """The bets of a book's layout: names and pay rows with their clauses."""
    rules = in_use(casino.floor.library, book)
    return Response(_bets(rules, layout, language_of(request)), headers=digest_of(rules))


class BookTerm(msgspec.Struct):
    """A term that a book defines: in which clause, and what it is called in other languages."""

    clause: str
    names: dict[str, str]


@get("/api/books/{book:str}/terms", response_headers=[DIGEST_HEADER], responses=refusals(400, 404, 429))
async def about_terms(book: FromPath[str], casino: UsesCasino) -> Response[dict[str, BookTerm]]:
    """The terms that a book defines, with their clauses and their names in other languages."""
    rules = in_use(casino.floor.library, book)
    found = {name: BookTerm(clause, dict(rules.term_names.get(name, ()))) for name, clause in rules.terms.items()}
    return Response(found, headers=digest_of(rules))


@get("/api/books/{book:str}/clauses", response_headers=[DIGEST_HEADER], responses=refusals(400, 404, 429))
async def about_clauses(book: FromPath[str], casino: UsesCasino, of: FromQuery[str] = "") -> Response[dict[str, str]]:
    """What clauses are about, by number; `of` is a list with commas, and nothing means all of them."""
    rules = in_use(casino.floor.library, book)
    found = index_for(rules.id, rules.file)
    wanted = [each for each in of.split(",") if each]
    told = {each: found[each].summary for each in (wanted or found) if each in found}
    return Response(told, headers=digest_of(rules))


@get("/api/tables/{name:str}/book", responses=refusals(400, 404, 429, 503))
async def table_book(name: Name, request: Request[Any, Any, Any], casino: UsesCasino) -> AboutBook:
    """The very book that a table goes by, whatever edition has the same id today."""
    return _about((await casino.floor.table(name)).book, language_of(request))


@get("/api/tables/{name:str}/bets", response_headers=[DIGEST_HEADER], responses=refusals(400, 404, 429, 503))
async def table_bets(name: Name, request: Request[Any, Any, Any], casino: UsesCasino) -> Response[dict[str, BookBet]]:
    """The bets on a table's felt: names and pay rows with their clauses, by the table's own book."""
    table = await casino.floor.table(name)
    found = _bets(table.book, table.setup.layout, language_of(request))
    return Response(found, headers=digest_of(table.book))


def _about(book: Book, tag: str) -> AboutBook:
    layouts = {
        each.id: AboutLayout(each.title, dict(each.titles), each.clause, dict(each.labels), each.verified)
        for each in book.layouts.values()
    }
    approved = approval(book)
    cover = None
    if book.insurance is not None:
        rows = book.insurance.rows
        cover = [AboutCover(told_in(tag, cover_in_words(row)), row.odds.text, row.basis.clause) for row in rows]
    return AboutBook(
        book.id,
        book.title,
        book.operator,
        book.approver,
        book.version,
        book.effective.isoformat(),
        book.ranks,
        layouts,
        cover,
        book.digest,
        approved.verified,
        told_in(tag, approved.says),
        [limit for limit in POSTED if enforces(book, limit)],
        _printed(book.cards.printed),
        dict(book.titles),
    )


def _printed(card: PrintedCard | None) -> AboutPrinted | None:
    if card is None:
        return None
    return AboutPrinted(str(card.card), HANDS[card.place % 2], card.place < len(HANDS), card.basis.clause)


def _bets(book: Book, layout: str | None, tag: str) -> dict[str, BookBet]:
    found = {}
    for name, priced in menu(book, layout).bets.items():
        pays = [
            PayRow(
                row.odds.text if row.odds else None,
                row.basis.clause,
                told_in(tag, pattern_in_words(row.when)),
                row.result,
                _commission(row),
            )
            for row in priced.rows
        ]
        bet, choice = priced.bet, None
        if bet.choice is not None:
            choice = BetChoice(bet.choice.of, bet.choice.name, dict(bet.choice.names), bet.choice.mark)
        found[name] = BookBet(
            bet.name,
            dict(bet.names),
            bet.hand,
            choice,
            bet.basis.clause,
            pays,
            _needs(book, bet),
            _colour(bet),
            bet.placed is not None,
            _apart(book, bet),
            None if bet.at_most is None else str(bet.at_most.share),
        )
    return found


def _commission(row: Row) -> RowCommission | None:
    taken = row.commission
    return None if taken is None else RowCommission(taken.gross.text, per_cent(taken.share))


def _colour(bet: Bet) -> str:
    """The colour of a bet's field: the file's own, else Banker's red, Player's blue, green for the tie, gold."""
    return bet.colour or _COLOURS.get(bet.id, "gold")


_COLOURS = {"banker": "red", "player": "blue", "tie": "green"}


def _needs(book: Book, bet: Bet) -> list[list[str]]:
    """For each rule that another bet must lie with a bet: the bets of which one does."""
    rules = [others for others in (bet.needs, bet.at_most) if others is not None]
    return [[name for name, other in book.bets.items() if others.among(other)] for others in rules]


def _apart(book: Book, bet: Bet) -> list[str]:
    """The bets that a bet never lies with, whichever of the two says so."""

    def bars(one: Bet, other: Bet) -> bool:
        return one is not other and one.not_with is not None and one.not_with.among(other)

    return [name for name, other in book.bets.items() if bars(bet, other) or bars(other, bet)]


ROUTES = [books, about_book, bets, about_terms, about_clauses, table_book, table_bets]
