"""A rulebook file into a `Book`, or all of its faults at once."""

import hashlib
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path

from punto.coup import RANKS, STAGES, Card
from punto.rulebook.document import BadBook, Document, Fault, Table, listed
from punto.rulebook.facts import HANDS, IN_BOOKS
from punto.rulebook.model import (
    Basis,
    Bet,
    Book,
    Cap,
    CapAt,
    Cards,
    CardValue,
    CoverRow,
    Decks,
    Insurance,
    Layout,
    Notice,
    Pattern,
    Point,
    Policy,
    Positions,
    Print,
    Result,
    Row,
    Value,
)
from punto.rulebook.remedies import read_irregularities, read_offers
from punto.rulebook.vocabulary import (
    ANY,
    CAPS,
    DRAWING,
    LIMITS,
    PATTERN,
    POINTS,
    SPANS,
    WHOLE,
)

_BOOKS = files("punto.rulebook") / "books"


class UnknownBook(ValueError):
    """Neither the id of a book nor a file."""


@cache
def ids() -> tuple[str, ...]:
    """The books that come with Punto.

    >>> ids()
    ('commission-insurance', 'da-hu-ying-xiong', 'dragon-tiger-hoiana', 'dragon-tiger-mbs', 'wu-song')
    """
    return tuple(sorted(each.name.removesuffix(".toml") for each in _BOOKS.iterdir()))


@cache
def _shipped(name: str) -> Book:
    return parse(source(name), f"{name}.toml")


def load(book: str) -> Book:
    """Load a book by its id, or one's own from a TOML file.

    >>> load("wu-song").title
    'Wu Song (Non-Commission Baccarat)'
    >>> load("wusong")
    Traceback (most recent call last):
    punto.rulebook.loader.UnknownBook: There is no rulebook 'wusong', nor a file of that name. The books are \
commission-insurance, da-hu-ying-xiong, dragon-tiger-hoiana, dragon-tiger-mbs and wu-song.
    """
    if book in ids():
        return _shipped(book)
    return parse(source(book), book)


def source(book: str) -> bytes:
    """The TOML of a book, by its id or from a file: something to begin one's own with.

    >>> source("wu-song").splitlines()[1]
    b'id = "wu-song"'
    """
    if book in ids():
        return (_BOOKS / f"{book}.toml").read_bytes()
    try:
        if Path(book).is_file():
            return Path(book).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UnknownBook(f"The rulebook {_short(book)} cannot be read: {reason}.") from None
    names = listed(ids()).replace(" or ", " and ")
    raise UnknownBook(f"There is no rulebook {_short(book)}, nor a file of that name. The books are {names}.")


def _short(name: str) -> str:
    return repr(name if len(name) <= 60 else name[:59] + "…")


def parse(source: bytes, file: str) -> Book:
    """Read the bytes of a rulebook file; raises `BadBook` with every fault."""
    try:
        text = source.decode()
        data = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise BadBook([Fault(file, 1, "the file", f"is not UTF-8 text: {error.reason}.")]) from None
    except tomllib.TOMLDecodeError as error:
        says, _, where = str(error).partition(" (at line ")
        line = int(where.partition(",")[0]) if where[:1].isdecimal() else len(source.splitlines())
        raise BadBook([Fault(file, line, "the file", f"is not TOML: {says}.")]) from None
    except RecursionError:
        raise BadBook([Fault(file, 1, "the file", "is nested too deeply.")]) from None
    document = Document(file, text)
    book = _book(Table(document, (), data), hashlib.sha256(source).hexdigest())
    if document.faults:
        raise BadBook(document.faults)
    return book


def _book(top: Table, digest: str) -> Book:
    front = top.child("front")
    bets = {name: _bet(name, table) for name, table in top.children("bets").items()}
    top.take("pays")
    groups = top.child("pays")
    pays = {group: tuple(_row(table, bets) for table in groups.each(group)) for group in groups.data}
    for name, bet in bets.items():
        if not any(row.bet == name for rows in pays.values() for row in rows):
            top.child("bets").fault(name, f"{bet.name} has no pay row.")
    authority = top.child("authority")
    ranks = _ranks(authority)
    house_ranks = _house_ranks(authority.child("house-ranks"), ranks)
    book = Book(
        id=top.text("id"),
        title=top.text("title"),
        operator=top.text("operator"),
        approver=top.text("approver"),
        version=top.text("version"),
        effective=top.moment("effective"),
        front={key: front.basis(key) for key in ("title", "approval")},
        decks=_decks(top.child("decks")),
        layouts_clause=top.text("layouts-clause"),
        boxes_clause=top.text("boxes-clause"),
        menu_clause=top.text("menu-clause"),
        terms={name: top.child("terms").text(name) for name in top.child("terms").data},
        cards=_cards(top.child("cards")),
        drawing=_drawing(top.child("drawing")),
        bets=bets,
        pays=pays,
        layouts={name: _layout(name, table, bets, pays) for name, table in top.children("layouts").items()},
        insurance=_insurance(top.child("insurance"), ranks) if "insurance" in top else None,
        points={
            section: _points(authority if section == "authority" else top.child(section), section, ranks)
            for section in POINTS
            if section != "insurance" and section in top
        },
        ranks=ranks,
        tiers={rank: at for at, tier in enumerate(ranks) for rank in tier},
        house_ranks=house_ranks,
        policies={name: _policy(table) for name, table in top.children("policy", required=False).items()},
        offers=read_offers(top, ranks),
        irregularities=read_irregularities(top, ranks),
        silent=tuple(str(fact) for fact in sorted(top.among("silent", IN_BOOKS, required=False))),
        file=top.document.file,
        digest=digest,
    )
    if not book.layouts:
        top.fault("layouts", "has no layout.")
    front.done()
    top.done()
    return book


def _decks(table: Table) -> Decks:
    verified = table.flag("verified", True)
    low, high = (table.whole(key, least=1, required=verified) for key in ("min", "max"))
    if low is not None and high is not None and low > high:
        table.fault("min", "is more than max.")
    decks = Decks(low, high, table.own_basis(required=verified), verified)
    table.done()
    return decks


def _cards(table: Table) -> Cards:
    values = []
    for each in table.each("values"):
        ranks = each.text("ranks")
        for rank in ranks:
            if rank not in RANKS:
                each.fault("ranks", f"{rank!r} is not a rank: they are {RANKS}.")
        face = each.data.get("points") == "face"
        points = None if each.take("points") == "face" else each.whole("points")
        for rank in ranks:
            counts = Card(RANKS.find(rank) + 1).value
            if rank in RANKS and points is not None and points % 10 != counts:
                each.fault("points", f"{rank} counts {counts} in the Table of Play that all books share.")
            if face and rank in "JQK":
                each.fault("points", f"{rank} has no number on its face.")
        values.append(
            CardValue(ranks, "face" if points is None else points, each.own_basis(), each.maybe("pairs-clause"))
        )
        each.done()
    if sorted("".join(value.ranks for value in values)) != sorted(RANKS):
        table.fault("values", "must name each of the thirteen ranks once.")
    cards = Cards(
        tuple(values),
        table.text("values-clause"),
        table.basis("total-to-nine"),
        table.basis("total-over-nine"),
    )
    table.done()
    return cards


def _drawing(table: Table) -> dict[str, Basis]:
    drawing = {case: table.basis(case) for case in DRAWING}
    table.done()
    return drawing


def _bet(name: str, table: Table) -> Bet:
    if not name.replace("-", "").isalnum() or name != name.lower():
        table.fault(None, f"{name!r} is not a bet's name: lower-case letters, digits and hyphens.")
    bet = Bet(
        name,
        table.text("name"),
        table.word("hand", HANDS, required=False) or None,
        table.own_basis(),
        table.maybe("area"),
        table.maybe("defined"),
        table.maybe("offered"),
        table.maybe("alone"),
        table.maybe("wins"),
        table.basis("loses"),
    )
    table.done()
    return bet


def _pattern(table: Table) -> Pattern:
    when = table.child("when")
    if not when.data:
        table.fault("when", "must say which outcomes are meant.")
    fields = tuple(
        (name.replace("-", "_"), when.among(name, allowed)) for name, allowed in PATTERN.items() if name in when
    )
    when.done()
    return Pattern(fields)


def _known_bet(table: Table, bets: dict[str, Bet]) -> str:
    return table.word("bet", tuple(bets) or ("(no bet is declared)",))


def _row(table: Table, bets: dict[str, Bet]) -> Row:
    result: Result = "win"
    odds = None
    if "result" in table:
        table.word("result", ("stand-off",))
        result = "stand-off"
    else:
        odds = table.odds("odds")
    row = Row(_known_bet(table, bets), _pattern(table), result, odds, table.own_basis())
    table.done()
    return row


def _layout(name: str, table: Table, bets: dict[str, Bet], pays: dict[str, tuple[Row, ...]]) -> Layout:
    positions = table.child("positions")
    labels = table.child("labels")
    groups = table.texts("pays", required=True)
    for group in groups:
        if group not in pays:
            table.fault("pays", f"there is no group of pay rows called {group!r}.")
    least, most = positions.whole("min", least=1), positions.whole("max", least=1, required=False)
    if least and most and least > most:
        positions.fault("min", "is more than max.")
    prints = []
    for each in table.each("print", required=False):
        prints.append(Print(_known_bet(each, bets), _pattern(each), each.odds("odds"), each.own_basis()))
        each.done()
    notice = None
    if "notice" in table:
        said = table.child("notice")
        notice = Notice(said.text("says"), said.own_basis())
        said.done()
    layout = Layout(
        id=name,
        clause=table.text("clause"),
        title=table.maybe("title"),
        version=table.maybe("version"),
        version_basis=table.basis("version-clause", required="version" in table),
        areas_clause=table.maybe("areas-clause"),
        positions=Positions(least or 1, most, positions.flag("verified", True), positions.texts("readings")),
        pays=groups,
        verified=table.flag("verified", True),
        readings=table.texts("readings"),
        labels=tuple((label, labels.word(label, tuple(bets))) for label in labels.data),
        labels_clause=table.maybe("labels-clause"),
        chinese=table.maybe("chinese"),
        prints=tuple(prints),
        notice=notice,
    )
    positions.done()
    table.done()
    return layout


def _insurance(table: Table, ranks: tuple[tuple[str, ...], ...]) -> Insurance:
    cap, rows, more = table.child("cap"), [], []
    table.take("cap")
    for each in table.each("cap-at", required=False):
        more.append(CapAt(each.odds("odds"), each.share("share"), each.word("of", LIMITS), each.own_basis()))
        each.done()
    for each in table.each("row"):
        rows.append(
            CoverRow(
                each.word("stage", STAGES),
                each.word("hand", HANDS),
                frozenset(int(point) for point in each.among("own", range(10))),
                frozenset(int(point) for point in each.among("opposite", range(10))),
                each.odds("odds"),
                each.own_basis(),
                each.basis("tie-pays") if "tie-pays" in each else None,
            )
        )
        each.done()
    insurance = Insurance(
        clause=table.text("clause"),
        defined=table.text("defined"),
        original=table.text("original"),
        windows=table.text("windows"),
        live=table.basis("live"),
        table=table.text("table"),
        cap=Cap(cap.word("on", CAPS), cap.word("over", SPANS), cap.own_basis()),
        cap_at=tuple(more),
        tie=table.basis("tie"),
        won=table.basis("won"),
        notes=table.texts("notes"),
        points=_points(table, "insurance", ranks),
        rows=tuple(rows),
    )
    cap.done()
    return insurance


def _points(table: Table, section: str, ranks: tuple[tuple[str, ...], ...]) -> dict[str, Point]:
    found = {}
    for name, allowed in POINTS[section].items():
        if name in table:
            each = table.child(name)
            basis = each.own_basis(required=False)
            found[name] = Point(_value(each, allowed), _rank(each, ranks), each.flag("reason", False), basis)
            if not basis.clauses and not basis.readings:
                each.fault(None, "names neither a clause nor a reading.")
            each.done()
    table.done()
    return found


def _value(table: Table, allowed: tuple[str, ...]) -> Value:
    value = table.data.get("value")
    if allowed is WHOLE:
        return table.whole("value", least=1) or 0
    if isinstance(value, list):
        words = table.texts("value")
        for word in words:
            if allowed is not ANY and word not in allowed:
                table.fault("value", f"{word!r} is none of {listed(allowed)}.")
        return words
    return table.text("value") if allowed is ANY else table.word("value", allowed)


def _rank(table: Table, ranks: tuple[tuple[str, ...], ...]) -> str | None:
    names = ("house", *(rank for tier in ranks for rank in tier))
    return table.word("by", names, required=False) or None


def _ranks(authority: Table) -> tuple[tuple[str, ...], ...]:
    tiers = authority.take("ranks")
    if not isinstance(tiers, list) or not all(
        isinstance(tier, list) and tier and all(isinstance(rank, str) for rank in tier) for tier in tiers
    ):
        authority.fault("ranks", "must be a list of tiers, each a list of ranks, the lowest first.")
        return ()
    return tuple(tuple(tier) for tier in tiers)


def _house_ranks(table: Table, ranks: tuple[tuple[str, ...], ...]) -> dict[str, str]:
    return {clause: table.word(clause, [rank for tier in ranks for rank in tier]) for clause in table.data}


def _policy(table: Table) -> Policy:
    choices = table.texts("choices", required=True)
    policy = Policy(table.word("value", choices or ("",)), choices, table.text("reading"), table.maybe("clause"))
    table.done()
    return policy
