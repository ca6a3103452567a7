"""Two files of one book side by side, place by place: whatever differs in them but comments and layout."""

import tomllib
from collections.abc import Iterator
from difflib import SequenceMatcher

from punto.rulebook.differences import SILENT, Difference, Statement
from punto.rulebook.loader import whole
from punto.rulebook.model import Book


def file_differences(a: Book, b: Book) -> list[Difference]:
    """Every place at which the files of two books differ, also in clauses, readings and terms.

    >>> from punto.rulebook import load
    >>> file_differences(load("wu-song"), load("wu-song"))
    []
    """
    found = _differing(_whole(a), _whole(b), ())
    return [Difference(", ".join(place), _said(one), _said(other)) for place, one, other in found]


def _whole(book: Book) -> dict[str, object]:
    """What a book's file says, together with its base where it has one."""
    return tomllib.loads(whole(book.text.encode(), book.file).decode())


Place = tuple[str, ...]
_NOTHING = object()


def _differing(a: object, b: object, place: Place) -> Iterator[tuple[Place, object, object]]:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in dict.fromkeys((*a, *b)):
            yield from _differing(a.get(key, _NOTHING), b.get(key, _NOTHING), (*place, key))
    elif _is_rows(a) and _is_rows(b):
        yield from _rows_differing(a, b, place)
    elif a != b:
        yield place, a, b


def _is_rows(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(each, dict) for each in value)


def _rows_differing(a: object, b: object, place: Place) -> Iterator[tuple[Place, object, object]]:
    """Rows that stand in both files are left alone, wherever others were put in or left out between them."""
    assert isinstance(a, list)
    assert isinstance(b, list)
    matched = SequenceMatcher(None, list(map(repr, a)), list(map(repr, b)), autojunk=False)
    for _, first, last, start, end in matched.get_opcodes():
        for offset in range(max(last - first, end - start)):
            one = a[first + offset] if first + offset < last else _NOTHING
            other = b[start + offset] if start + offset < end else _NOTHING
            number = first + offset if one is not _NOTHING else start + offset
            yield from _differing(one, other, (*place, f"row {number + 1}"))


def _said(value: object) -> Statement:
    return Statement(SILENT if value is _NOTHING else _in_words(value))


def _in_words(value: object) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_in_words(each)}" for key, each in value.items())
    if isinstance(value, list):
        return ", ".join(map(_in_words, value))
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
