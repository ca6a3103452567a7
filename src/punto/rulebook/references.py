"""What the data of a book refers to: clauses and readings, each with where it stands."""

from collections.abc import Iterator

import msgspec

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


def references(book: Book) -> Iterator[tuple[str, str]]:
    """Every clause that the book's data refers to, with where it does."""
    yield from named(book, "", _CLAUSE_FIELDS)
    for term, clause in book.terms.items():
        yield f"terms, {term}", clause
    for clause in book.house_ranks:
        yield "authority.house-ranks", clause


def named(thing: object, where: str, names: set[str]) -> Iterator[tuple[str, str]]:
    """The texts in all fields with certain names, with where they stand."""
    if isinstance(thing, msgspec.Struct):
        for name in thing.__struct_fields__:
            value = getattr(thing, name)
            if name in names:
                for word in value if isinstance(value, tuple) else (value,):
                    if isinstance(word, str):
                        yield where, word
            else:
                yield from named(value, f"{where}.{name}".lstrip("."), names)
    elif isinstance(thing, dict):
        for key, value in thing.items():
            yield from named(value, f"{where}.{key}", names)
    elif isinstance(thing, tuple):
        for at, value in enumerate(thing):
            yield from named(value, f"{where}[{at}]", names)
