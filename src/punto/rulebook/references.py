"""What the data of a book refers to: clauses and readings, each with the key of the file where it stands."""

from collections.abc import Iterator

import msgspec

from punto.rulebook.lines import Path
from punto.rulebook.model import Book

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
    "areas_clause",
    "boxes_clause",
    "labels_clause",
    "layouts_clause",
    "menu_clause",
    "pairs_clause",
}
_WORDS = {
    "Basis.clauses": "clause",
    "Book.irregularities": "irregularity",
    "Book.policies": "policy",
    "Cards.clause": "values-clause",
    "Cards.to_nine": "total-to-nine",
    "Cards.over_nine": "total-over-nine",
    "Insurance.rows": "row",
    "Layout.prints": "print",
    "Layout.version_basis": "version-clause",
    "Remedy.otherwise": "else",
}
"""What the file calls a field of the model, where it is another word."""
_NOT_IN_FILES = ("basis", "points")
"""Fields of the model whose parts stand directly in the table above them in a file."""


def references(book: Book) -> Iterator[tuple[Path, str]]:
    """Every clause that the book's data refers to, with the key that does; a list may be written as its only element.

    >>> from punto.rulebook import load
    >>> next(path for path, clause in references(load("wu-song")) if clause == "3.7#tiger-tie")
    ('bets', 'tiger-tie', 'clause', 0)
    """
    yield from named_in(book, _CLAUSE_FIELDS)
    for term, clause in book.terms.items():
        yield ("terms", term), clause
    for clause in book.house_ranks:
        yield ("authority", "house-ranks", clause), clause


def named_in(book: Book, names: set[str]) -> Iterator[tuple[Path, str]]:
    """The texts in all fields of a book with certain names, each once, with the key of the file where it stands."""
    yield from dict.fromkeys((_as_written(book, path), text) for path, text in named(book, (), names))


def _as_written(book: Book, path: Path) -> Path:
    """A key of the file: one table of it may stand for several rows, and one bet for several choices."""
    match path:
        case ("pays", str(group), int(row), *rest):
            return ("pays", group, book.pay_tables[group][row], *rest)
        case ("bets", str(bet), *rest):
            return ("bets", book.bets[bet].choice_of or bet, *rest)
    return path


def named(thing: object, above: Path, names: set[str]) -> Iterator[tuple[Path, str]]:
    """The texts in all fields with certain names, with the keys of the file where they stand."""
    if isinstance(thing, msgspec.Struct):
        for name in thing.__struct_fields__:
            value = getattr(thing, name)
            path = _path(thing, above, name)
            if name in names:
                if isinstance(value, str):
                    yield path, value
                elif isinstance(value, tuple):
                    yield from (((*path, at), word) for at, word in enumerate(value))
            else:
                yield from named(value, path, names)
    elif isinstance(thing, dict):
        for key, value in thing.items():
            yield from named(value, (*above, key), names)
    elif isinstance(thing, tuple):
        for number, value in enumerate(thing):
            yield from named(value, (*above, number), names)


def _path(thing: msgspec.Struct, above: Path, field: str) -> Path:
    if field in _NOT_IN_FILES:
        return above
    return (*above, _WORDS.get(f"{type(thing).__name__}.{field}", field.replace("_", "-")))
