"""A rulebook file into a `Book`, or all of its faults at once."""

import hashlib
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from punto.coup import STAGES
from punto.messages import say
from punto.rulebook.bases import resolved
from punto.rulebook.bets import check_declared, read_bets, read_layout
from punto.rulebook.bookfile import BadBook, BookFile
from punto.rulebook.demands import check_demands
from punto.rulebook.document import TomlTable
from punto.rulebook.equipment import read_cards, read_decks
from punto.rulebook.expected import read_expected, read_readings
from punto.rulebook.facts import HANDS, IN_BOOKS
from punto.rulebook.model import (
    Basis,
    Book,
    Cap,
    CapAt,
    CoverRow,
    Insurance,
    Names,
    Point,
)
from punto.rulebook.nearest import nearest
from punto.rulebook.pay_rows import read_rows
from punto.rulebook.points import read_points, read_policy
from punto.rulebook.ranks import read_house_ranks, read_ranks
from punto.rulebook.remedies import read_irregularities, read_offers
from punto.rulebook.shipped import games, ids, shipped_text
from punto.rulebook.superseded import edition_name, is_digest, superseded
from punto.rulebook.supplements import with_supplement
from punto.rulebook.toml_text import nested_too_deeply, read_text, read_toml
from punto.rulebook.vocabulary import (
    ALL_OTHERS,
    CAPS,
    DRAWING,
    LIMITS,
    POINTS,
    SPANS,
)

_LONGEST_ID = 60
_ID = re.compile(rf"(?=.{{1,{_LONGEST_ID}}}$)[a-z0-9]+(-[a-z0-9]+)*")
_ONCE_IGNORED = ("when", "odds")
"""Keys that a release let stand at the top of a file, unless they were tables, and did nothing with."""


class UnknownBook(ValueError):
    """Neither the id of a book nor a file."""


@cache
def _shipped(name: str) -> Book:
    return parse(source(name), f"{name}.toml")


def load(book: str | Path) -> Book:
    """Load a book by its id, one's own from a TOML file, or any edition that has shipped by its digest.

    An edition that this release cannot read any more is refused with all that is missing in it.

    >>> load("wu-song").title
    'Wu Song (Non-Commission Baccarat)'
    >>> load("wusong")
    Traceback (most recent call last):
    punto.rulebook.loader.UnknownBook: There is no rulebook 'wusong', nor a file of that name: perhaps wu-song is meant.
    """
    name = str(book) if isinstance(book, Path) else book
    if name in (*ids(), *games()):
        return _shipped(name)
    if is_digest(name):
        return _edition(name)
    return _own(source(name), name)


@lru_cache(maxsize=32)
def _own(text: bytes, file: str) -> Book:
    """A file that has not changed is not read again: a story of a table names its book more than once."""
    return parse(text, file)


@cache
def _edition(digest: str) -> Book:
    for each in (*ids(), *games()):
        if _shipped(each).digest == digest:
            return _shipped(each)
    return parse(source(digest), edition_name(digest))


def source(book: str) -> bytes:
    """The TOML of a book, by its id, from a file, or by the digest of an edition: something to begin one's own with.

    >>> source("wu-song").splitlines()[1]
    b'id = "wu-song"'
    """
    if book in (*ids(), *games()):
        return shipped_text(book)
    if is_digest(book):
        return _text_of(book)
    try:
        if Path(book).is_file():
            return Path(book).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UnknownBook(
            say(
                "rulebook-unreadable",
                "The rulebook {book} cannot be read: {fault}.",
                book=_short(book),
                fault=reason,
            )
        ) from None
    near = nearest(book, (*ids(), *games()))
    if near:
        raise UnknownBook(
            say(
                "rulebook-misspelt",
                "There is no rulebook {book}, nor a file of that name: perhaps {near:or} is meant.",
                book=_short(book),
                near=near,
            )
        )
    raise UnknownBook(
        say(
            "no-such-rulebook",
            "There is no rulebook {book}, nor a file of that name. The books are {books:and}. `punto rulebooks` lists "
            "the games, too.",
            book=_short(book),
            books=list(ids()),
        )
    )


def _text_of(digest: str) -> bytes:
    """The text of an edition that has shipped, by its digest."""
    if digest in superseded():
        return superseded()[digest].text
    for each in (*ids(), *games()):
        text = whole(source(each), each)
        if hashlib.sha256(text).hexdigest() == digest:
            return text
    raise UnknownBook(
        say("no-such-edition", "No edition of a book that has shipped has the digest {digest}….", digest=digest[:12])
    )


def _short(name: str) -> str:
    return repr(name if len(name) <= 60 else name[:59] + "…")


def parse(source: bytes, file: str) -> Book:
    """Read the bytes of a rulebook file; raises `BadBook` with every fault."""
    document, data, text, digest = _read(source, file)
    try:
        return _parsed(document, with_supplement(data, digest), text, digest)
    except RecursionError:
        raise nested_too_deeply(text, file) from None


def parse_kept(source: bytes, file: str) -> Book:
    """Read the text of a book that a journal keeps, which some release has loaded already.

    What a release took without reading it, and a later one refuses, does as little as it did then.
    """
    document, data, text, digest = _read(source, file)
    document.kept = True
    read = {key: value for key, value in data.items() if key not in _ONCE_IGNORED or isinstance(value, dict)}
    return _parsed(document, with_supplement(read, digest), text, digest)


def whole(source: bytes, file: str) -> bytes:
    r"""The text that a book is known by: of a file with a base the whole of both, of any other the file itself.

    >>> whole(b'base = "punto-banco"\nid = "mine"', "mine.toml").splitlines()[0]
    b'id = "mine"'
    """
    text = read_text(source, file)
    _, known_by = resolved(BookFile(file, text), read_toml(text, file), source)
    return known_by


def _read(source: bytes, file: str) -> tuple[BookFile, dict[str, Any], str, str]:
    """A file as far as TOML and its base go, what it says with it, its own text, and the digest of the whole."""
    text = read_text(source, file)
    document = BookFile(file, text)
    data, known_by = resolved(document, read_toml(text, file), source)
    return document, data, text, hashlib.sha256(known_by).hexdigest()


def _parsed(document: BookFile, data: dict[str, Any], text: str, digest: str) -> Book:
    """Read a file until nothing in it has to be understood otherwise than it is written."""
    while True:
        book = _book(TomlTable(document, (), data), text, digest)
        corrected = document.corrected(data)
        if corrected is None:
            document.settle_names()
            corrected = document.corrected(data)
        if corrected is None:
            break
        data = corrected
    check_demands(document, book)
    if document.faults:
        raise BadBook(document.faults)
    return book


def _book(top: TomlTable, text: str, digest: str) -> Book:
    front = top.child("front", required=True)
    _check_filled(top)
    _check_row_keys(top)
    declared = {name: read_bets(name, section) for name, section in top.children("bets").items()}
    check_declared(top.document, declared)
    bets = {bet.id: bet for each in declared.values() for bet, _ in each}
    chosen = {name: [(bet.id, value) for bet, value in each] for name, each in declared.items()}
    groups = top.child("pays", required=True)
    terms = {name: _term(top.child("terms"), name) for name in top.child("terms").data}
    rounding = _commission_rounding(top)
    tables = {group: [read_rows(section, chosen, rounding) for section in groups.each(group)] for group in groups.data}
    pays = {group: tuple(row for rows in each for row in rows) for group, each in tables.items()}
    top.document.groups.given.update((group, ("pays", group)) for group in pays)
    layouts = {name: read_layout(name, section) for name, section in top.children("layouts").items()}
    authority = top.child("authority", required=True)
    ranks = read_ranks(authority)
    authority.take("residual")
    house_ranks = read_house_ranks(authority.child("house-ranks"))
    book = Book(
        id=_id(top),
        title=top.text("title"),
        operator=top.text("operator"),
        approver=top.text("approver"),
        version=top.text("version"),
        effective=top.moment("effective"),
        front={key: front.basis(key) for key in ("title", "approval")},
        decks=read_decks(top.child("decks", required=True)),
        layouts_clause=top.text("layouts-clause"),
        boxes_clause=top.text("boxes-clause"),
        menu_clause=top.text("menu-clause"),
        terms={name: clause for name, (clause, _) in terms.items()},
        cards=read_cards(top.child("cards", required=True)),
        drawing=_drawing(top.child("drawing", required=True)),
        bets=bets,
        pays=pays,
        pay_tables={group: tuple(at for at, rows in enumerate(each) for _ in rows) for group, each in tables.items()},
        layouts=layouts,
        insurance=_insurance(top.child("insurance")) if "insurance" in top else None,
        points=_all_points(top, authority),
        ranks=ranks,
        tiers={rank: at for at, tier in enumerate(ranks) for rank in tier},
        house_ranks=house_ranks,
        policies={name: read_policy(section) for name, section in top.children("policy", required=False).items()},
        offers=read_offers(top),
        irregularities=read_irregularities(top),
        silent=_silent(top),
        readings=read_readings(top.child("readings")),
        expected=tuple(read_expected(each, layouts) for each in top.each("expect", required=False)),
        file=top.document.file,
        digest=digest,
        text=text,
        term_names={name: names for name, (_, names) in terms.items() if names},
        titles=top.translations("titles"),
    )
    for section in POINTS:
        top.take(section, required=False)
    front.done()
    top.done()
    return book


def _check_filled(top: TomlTable) -> None:
    """Refuse a book without bets, pay rows or layouts."""
    for key in ("bets", "pays", "layouts"):
        if top.data.get(key) == {}:
            top.fault(key, say("must-not-be-empty", "must not be empty."))


def _all_points(top: TomlTable, authority: TomlTable) -> dict[str, dict[str, Point]]:
    """The points of every section but insurance, which has them with its cells."""
    return {
        section: read_points(authority if section == "authority" else top.child(section), section)
        for section in POINTS
        if section != "insurance" and section in top
    }


def _check_row_keys(top: TomlTable) -> None:
    """Note that what belongs in a pay row has a header of its own, so that the row ends before it."""
    for key in ("when", "odds"):
        if isinstance(top.data.get(key), dict):
            top.take(key)
            says = say("row-key-as-section", "belongs in a pay row: write {key} = {{ … }} there, in one line.", key=key)
            top.fault(key, says)
            top.document.doubt(("pays",))


def _term(section: TomlTable, name: str) -> tuple[str, Names]:
    """The clause that defines a term, and what the term is called in other languages."""
    if not isinstance(section.data[name], dict):
        return section.text(name), ()
    said = section.child(name)
    found = said.text("clause"), said.translations("names")
    said.done()
    return found


def _commission_rounding(top: TomlTable) -> str:
    """How commission is rounded, read before the pay rows; what is wrong with the point is told where it is read."""
    money = top.data.get("money")
    point = money.get("commission-rounding") if isinstance(money, dict) else None
    value = point.get("value") if isinstance(point, dict) else None
    return value if value in POINTS["money"]["commission-rounding"] else "exact"


def _silent(top: TomlTable) -> tuple[str, ...]:
    """The facts on which a book is silent: those that it names, or all that it has no row about."""
    if top.data.get("silent") != ALL_OTHERS:
        return tuple(str(fact) for fact in sorted(top.among("silent", IN_BOOKS, required=False)))
    top.take("silent")
    rows = top.data.get("irregularity")
    told = {row.get("fact") for row in rows if isinstance(row, dict)} if isinstance(rows, list) else set()
    return tuple(sorted(fact for fact in IN_BOOKS if fact not in told))


def _id(top: TomlTable) -> str:
    """The id of a book. It is the name of files and tables, too, and never looks like a digest."""
    given = top.text("id")
    if given and not _ID.fullmatch(given):
        says = say(
            "bad-book-id",
            "must be 1 to {longest} small letters, digits and single hyphens between them, like wu-song.",
            longest=_LONGEST_ID,
        )
        top.fault("id", says)
    return given


def _drawing(section: TomlTable) -> dict[str, Basis]:
    drawing = {case: section.basis(case) for case in DRAWING}
    section.done()
    return drawing


def _insurance(section: TomlTable) -> Insurance:
    cap, rows, more = section.child("cap", required=True), [], []
    section.take("lapses")
    for each in section.each("cap-at", required=False):
        more.append(CapAt(each.odds("odds"), each.share("share"), each.word("of", LIMITS), each.own_basis()))
        each.done()
    for each in section.each("row"):
        rows.append(
            CoverRow(
                each.word("stage", STAGES),
                each.word("hand", HANDS),
                frozenset(int(point) for point in each.among("own", range(10))),
                frozenset(int(point) for point in each.among("opposite", range(10))),
                each.odds("odds"),
                each.own_basis(),
                each.basis("tie-pays", required=False) if "tie-pays" in each else None,
            )
        )
        each.take("tie-pays", required=False)
        each.done()
    insurance = Insurance(
        clause=section.text("clause"),
        defined=section.text("defined"),
        original=section.text("original"),
        windows=section.text("windows"),
        live=section.basis("live"),
        table=section.text("table"),
        cap=Cap(cap.word("on", CAPS), cap.word("over", SPANS), cap.own_basis()),
        cap_at=tuple(more),
        tie=section.basis("tie"),
        won=section.basis("won"),
        notes=section.texts("notes"),
        points=read_points(section, "insurance"),
        rows=tuple(rows),
    )
    cap.done()
    return insurance
