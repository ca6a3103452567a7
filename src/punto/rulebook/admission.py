"""Whether a book allows a set-up: layout, decks, positions, box, day. Refusals name the clause."""

from datetime import datetime

import msgspec

from punto.coup import MOST_DECKS
from punto.rulebook.clauses import cite
from punto.rulebook.menu import menu
from punto.rulebook.model import Basis, Book, Layout
from punto.rulebook.refusal import Refused


class Step(msgspec.Struct, frozen=True):
    """One step of a reasoning: a sentence and what it rests on."""

    says: str
    basis: Basis


def step(book: Book, says: str, basis: Basis) -> Step:
    """A step that the engine takes, with its clauses cited."""
    cite(book.id, *basis.clauses)
    return Step(says, basis)


def check_layout(book: Book, layout: str | None) -> list[Step]:
    """The layout must be an approved one; says what is known of it."""
    found = menu(book, layout).layout
    title = f" ({found.title})" if found.title else ""
    steps = [step(book, f"Layout {found.id}{title} is approved.", Basis((found.clause, book.layouts_clause)))]
    if found.version:
        says = f"Layout {found.id} is of the {found.version} version."
        steps.append(step(book, says, found.version_basis))
    if found.areas_clause:
        steps.append(step(book, "It has an area for each bet of the menu.", Basis((found.areas_clause,))))
    if found.chinese:
        steps.append(step(book, "Its Chinese labels mean what the English ones do.", Basis((found.chinese,))))
    if found.labels and found.labels_clause:
        labels = ", ".join(f"{label} means {book.bets[bet].name}" for label, bet in found.labels)
        steps.append(step(book, f"On its print {labels}.", Basis((found.labels_clause,))))
    if found.notice:
        steps.append(step(book, found.notice.says, found.notice.basis))
    if not found.verified:
        says = "Which bets it carries could not be read from the text: all of the menu are assumed."
        steps.append(Step(says, Basis((), found.readings)))
    return steps


def check_decks(book: Book, decks: int) -> Step:
    """The number of decks must be one the book allows.

    >>> from punto.rulebook import load
    >>> check_decks(load("commission-insurance"), 9)
    Traceback (most recent call last):
    punto.rulebook.refusal.Refused: 9 decks are not allowed: 4 to 8 are. (commission-insurance 2.2.1)
    """
    low, high = book.decks.min or 1, book.decks.max or MOST_DECKS
    if not low <= decks <= high:
        if book.decks.min is None:
            raise Refused(f"{decks} decks cannot be: the book names no number, and 1 to {MOST_DECKS} are handled.")
        raise Refused(f"{decks} decks are not allowed: {low} to {high} are.", book, book.decks.basis)
    if book.decks.min is None:
        return Step(f"{decks} decks: the book names no number.", book.decks.basis)
    return step(book, f"{decks} decks: {low} to {high} are allowed.", book.decks.basis)


def _positions_said(layout: Layout) -> str:
    low, high = layout.positions.min, layout.positions.max
    return f"1 to {high}" if low == 1 else f"{low} to {high}"


def check_positions(book: Book, layout: str, positions: int) -> Step:
    """How many positions the table has must be what the layout allows."""
    found = menu(book, layout).layout
    basis = Basis((found.clause,), found.positions.readings)
    low, high = found.positions.min, found.positions.max
    if positions < low or (high is not None and positions > high):
        raise Refused(f"Layout {found.id} has {_positions_said(found)} positions, not {positions}.", book, basis)
    return step(book, f"{positions} positions on layout {found.id}.", basis)


def check_box(book: Book, layout: str, box: int) -> Step:
    """A box must be one that the layout can have."""
    found = menu(book, layout).layout
    basis = Basis((found.clause, book.boxes_clause), found.positions.readings)
    if box < 1 or (found.positions.max is not None and box > found.positions.max):
        raise Refused(f"There is no box {box} on layout {found.id}.", book, basis)
    return step(book, f"Box {box} is on layout {found.id}.", basis)


def check_day(book: Book, when: datetime) -> Step:
    """A table may not open before the book takes effect."""
    basis = book.front["title"]
    if when < book.effective:
        raise Refused(f"The book takes effect on {book.effective:%Y-%m-%d at %H:%M %Z}.", book, basis)
    return step(book, f"The book is in effect since {book.effective:%Y-%m-%d}.", basis)
