"""Layouts that carry the same pay rows, taken together: what is certified once need not be printed eighteen times."""

import msgspec

from punto.report.figures import listed
from punto.rulebook import Book, Menu, menu


class Group(msgspec.Struct, frozen=True):
    """Layouts with identical rows, and the menu of the first of them."""

    layouts: tuple[str, ...]
    menu: Menu

    @property
    def name(self) -> str:
        """`Layout C`, `Layouts A, B and D`."""
        return f"Layout{'s' * (len(self.layouts) > 1)} {listed(list(self.layouts))}"


def layout_groups(book: Book, layout: str | None = None) -> list[Group]:
    """The layouts of a book, or the one that is named, by the rows they carry.

    >>> from punto.rulebook import load
    >>> [group.name for group in layout_groups(load("wu-song"))]
    ['Layouts A, B and D', 'Layout C', 'Layouts E and F']
    >>> [group.name for group in layout_groups(load("wu-song"), "E")]
    ['Layout E']
    """
    if layout is not None:
        return [Group((layout,), menu(book, layout))]
    found: dict[object, list[str]] = {}
    for name in book.layouts:
        carried = tuple((bet, priced.rows) for bet, priced in menu(book, name).bets.items())
        found.setdefault(carried, []).append(name)
    return [Group(tuple(names), menu(book, names[0])) for names in found.values()]
