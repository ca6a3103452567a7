"""Whether a book allows a set-up: layout, decks, positions, box, day. Refusals name the clause."""

from datetime import datetime

import msgspec

from punto.coup import MOST_DECKS
from punto.messages import Message, Sentence, say
from punto.rulebook.approval import is_approved
from punto.rulebook.clauses import cite
from punto.rulebook.menu import menu
from punto.rulebook.model import Basis, Book
from punto.rulebook.refusal import Refused


class Step(msgspec.Struct, frozen=True):
    """One step of a reasoning: a sentence and what it rests on."""

    says: str
    basis: Basis
    message: Message | None = None


def stated(says: Sentence, basis: Basis) -> Step:
    """A step with its message."""
    return Step(str(says), basis, says.message)


def step(book: Book, says: Sentence, basis: Basis) -> Step:
    """A step that the engine takes, with its clauses cited."""
    cite(book.id, *basis.clauses)
    return stated(says, basis)


_VERSIONS: dict[str, Sentence] = {
    "commission": say("version-commission", "commission"),
    "non-commission": say("version-non-commission", "non-commission"),
}
"""Versions of layouts that other languages have words for; any other is told as its book writes it."""


def check_layout(book: Book, layout: str | None) -> list[Step]:
    """The layout must be one of the book's; says what is known of it, and that it is approved where the book is."""
    found = menu(book, layout).layout
    if is_approved(book):
        says = say("layout-approved", "Layout {layout} is approved.", layout=found.id)
        if found.title:
            says = say(
                "layout-approved-titled", "Layout {layout} ({title}) is approved.", layout=found.id, title=found.title
            )
    else:
        says = say("layout-of-book", "The book has layout {layout}.", layout=found.id)
        if found.title:
            says = say(
                "layout-of-book-titled", "The book has layout {layout} ({title}).", layout=found.id, title=found.title
            )
    steps = [step(book, says, Basis((found.clause, book.layouts_clause)))]
    if found.version:
        version = _VERSIONS.get(found.version, found.version)
        says = say(
            "layout-of-version", "Layout {layout} is of the {version} version.", layout=found.id, version=version
        )
        steps.append(step(book, says, found.version_basis))
    if found.areas_clause:
        steps.append(
            step(
                book, say("area-for-each-bet", "It has an area for each bet of the menu."), Basis((found.areas_clause,))
            )
        )
    if found.chinese:
        steps.append(
            step(
                book,
                say("chinese-labels", "Its Chinese labels mean what the English ones do."),
                Basis((found.chinese,)),
            )
        )
    if found.labels and found.labels_clause:
        meant = [
            say("label-means", "{label} means {bet}", label=label, bet=book.bets[bet].name)
            for label, bet in found.labels
        ]
        says = say("labels-on-print", "On its print {labels:list}.", labels=meant)
        steps.append(step(book, says, Basis((found.labels_clause,))))
    if found.notice:
        steps.append(step(book, say("notice", "{notice}", notice=found.notice.says), found.notice.basis))
    if not found.verified:
        says = say(
            "bets-of-layout-assumed",
            "Which bets it carries could not be read from the text: all of the menu are assumed.",
        )
        steps.append(stated(says, Basis((), found.readings)))
    return steps


def check_currency(currency: str) -> None:
    """Refuse what is not written like the code of a currency.

    >>> check_currency("dollars")
    Traceback (most recent call last):
    punto.rulebook.refusal.Refused: 'dollars' is not a currency: write three letters, like SGD.
    """
    if not currency.isalpha() or len(currency) != 3:
        raise Refused(
            say(
                "not-a-currency",
                "{currency:quoted} is not a currency: write three letters, like SGD.",
                currency=currency,
            )
        )


def check_decks(book: Book, decks: int) -> Step:
    """The number of decks must be one the book allows.

    >>> from punto.rulebook import load
    >>> check_decks(load("commission-insurance"), 9)
    Traceback (most recent call last):
    punto.rulebook.refusal.Refused: 9 decks are not allowed: 4 to 8 are. (commission-insurance 2.2.1)
    """
    low, high = book.decks.min or 1, book.decks.max or MOST_DECKS
    if book.decks.named:
        return _check_named(book, decks)
    if not low <= decks <= high:
        if book.decks.min is None:
            raise Refused(
                say(
                    "decks-not-handled",
                    "{decks} decks cannot be: the book names no number, and 1 to {most} are handled.",
                    decks=decks,
                    most=MOST_DECKS,
                )
            )
        raise Refused(
            say(
                "decks-not-allowed",
                "{decks} decks are not allowed: {low} to {high} are.",
                decks=decks,
                low=low,
                high=high,
            ),
            book,
            book.decks.basis,
        )
    if book.decks.min is None:
        return stated(say("decks-not-named", "{decks} decks: the book names no number.", decks=decks), book.decks.basis)
    return step(
        book,
        say("decks-allowed", "{decks} decks: {low} to {high} are allowed.", decks=decks, low=low, high=high),
        book.decks.basis,
    )


def _check_named(book: Book, decks: int) -> Step:
    counts = list(book.decks.named)
    if decks not in counts:
        says = say("decks-not-among", "{decks} decks are not allowed: {counts:or} are.", decks=decks, counts=counts)
        raise Refused(says, book, book.decks.basis)
    says = say("decks-among", "{decks} decks: {counts:or} are allowed.", decks=decks, counts=counts)
    return step(book, says, book.decks.basis)


def check_positions(book: Book, layout: str, positions: int) -> Step:
    """How many positions the table has must be what the layout allows."""
    found = menu(book, layout).layout
    basis = Basis((found.clause,), found.positions.readings)
    low, high = found.positions.min, found.positions.max
    if positions < low or (high is not None and positions > high):
        says = say(
            "positions-of-layout",
            "Layout {layout} has {low} to {high} positions, not {positions}.",
            layout=found.id,
            low=low,
            high=str(high),
            positions=positions,
        )
        raise Refused(says, book, basis)
    return step(
        book,
        say("positions-allowed", "{positions} positions on layout {layout}.", positions=positions, layout=found.id),
        basis,
    )


def check_box(book: Book, layout: str, box: int) -> Step:
    """A box must be one that the layout can have."""
    found = menu(book, layout).layout
    basis = Basis((found.clause, book.boxes_clause), found.positions.readings)
    if box < 1 or (found.positions.max is not None and box > found.positions.max):
        raise Refused(
            say("no-box-on-layout", "There is no box {box} on layout {layout}.", box=box, layout=found.id), book, basis
        )
    return step(book, say("box-on-layout", "Box {box} is on layout {layout}.", box=box, layout=found.id), basis)


def check_day(book: Book, when: datetime) -> Step:
    """A table may not open before the book takes effect."""
    basis = book.front["title"]
    if when < book.effective:
        day, time = f"{book.effective:%Y-%m-%d}", f"{book.effective:%H:%M %Z}"
        says = say("book-takes-effect", "The book takes effect on {day} at {time}.", day=day, time=time)
        raise Refused(says, book, basis)
    return step(
        book, say("book-in-effect", "The book is in effect since {day}.", day=f"{book.effective:%Y-%m-%d}"), basis
    )
