"""Whether a book is whole: facts without a hole, clauses that exist, what nobody has verified."""

from collections.abc import Iterator
from itertools import product

import msgspec

from punto.lint.findings import Finding, finding
from punto.rulebook import BadIndex, Basis, Book, index_for
from punto.rulebook.vocabulary import FACTS, GUARDS
from punto.rulebook.words import guards_in_words

_CLAUSE_FIELDS = {
    "clause",
    "clauses",
    "area",
    "defined",
    "offered",
    "alone",
    "wins",
    "bound",
    "notes",
    "original",
    "windows",
    "table",
    "chinese",
}


def check_facts(book: Book) -> Iterator[Finding]:
    """Facts whose rows leave a case open: nobody would know what happens then."""
    for fact, guards in FACTS.items():
        rows = [row for row in book.irregularities if row.fact == fact]
        for case in product(*(GUARDS[guard] for guard in guards)) if rows else ():
            known = dict(zip(guards, case, strict=True))
            if not any(all(known[name] in values for name, values in row.when.items()) for row in rows):
                words = guards_in_words({name: frozenset({value}) for name, value in known.items()})
                says = f"no row says what happens with {words}; write one, or refer that case."
                yield finding(book, "open-case", f"irregularity {fact}", says, rows[0].basis)
        for number, row in enumerate(rows):
            if any(_covers(earlier.when, row.when) for earlier in rows[:number]):
                says = "an earlier row already covers every case of this one."
                yield finding(book, "unreachable", f"irregularity {fact}, row {number + 1}", says, row.basis)


def _covers(earlier: dict[str, frozenset[str]], later: dict[str, frozenset[str]]) -> bool:
    return all(name in later and later[name] <= values for name, values in earlier.items())


def references(book: Book) -> Iterator[tuple[str, str]]:
    """Every clause that the book's data refers to, with where it does."""
    yield from _references(book, "")
    for term, clause in book.terms.items():
        yield f"terms, {term}", clause


def _references(thing: object, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(thing, msgspec.Struct):
        for name in thing.__struct_fields__:
            value = getattr(thing, name)
            if name in _CLAUSE_FIELDS or name.endswith("_clause"):
                for clause in value if isinstance(value, tuple) else (value,):
                    if isinstance(clause, str):
                        yield where, clause
            else:
                yield from _references(value, f"{where}.{name}".lstrip("."))
    elif isinstance(thing, dict):
        for key, value in thing.items():
            yield from _references(value, f"{where}.{key}")
    elif isinstance(thing, tuple):
        for at, value in enumerate(thing):
            yield from _references(value, f"{where}[{at}]")


def check_references(book: Book) -> Iterator[Finding]:
    """Clauses that the index of the book does not have."""
    try:
        index = index_for(book.id, book.file)
    except BadIndex as error:
        yield Finding("fault", "index", "clauses", str(error))
        return
    if not index:
        says = f"there is no clause index for {book.id!r}, so its clause numbers could not be checked."
        yield Finding("finding", "no-index", "clauses", says)
        return
    for where, clause in references(book):
        if clause not in index:
            yield Finding("fault", "unknown-clause", where, f"the book has no clause {clause}.", clause)


def check_verified(book: Book) -> Iterator[Finding]:
    """What the text does not tell and nobody has checked against the printed book."""
    if not book.decks.verified:
        says = "the number of decks is not from the rules."
        yield Finding("finding", "unverified", "decks", says, None, book.decks.basis.readings)
    bets = [layout for layout in book.layouts.values() if not layout.verified]
    boxes = [layout for layout in book.layouts.values() if not layout.positions.verified]
    for layouts, says in (
        (bets, "which bets these layouts carry is not verified"),
        (boxes, "how many boxes these layouts have is not known"),
    ):
        if layouts:
            names = ", ".join(layout.id for layout in layouts)
            readings = layouts[0].readings if layouts is bets else layouts[0].positions.readings
            yield finding(book, "unverified", "layouts", f"{says}: {names}.", Basis((), readings))
