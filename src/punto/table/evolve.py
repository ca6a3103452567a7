"""Applies events: the table after an event, and the fold of a whole history."""

from collections.abc import Iterable

from punto.messages import say
from punto.rulebook import SHIPPED, Library, Refused
from punto.rulebook.clauses import cite, recording
from punto.table import events as e
from punto.table.apply import irregularities as wrong
from punto.table.apply import people, play
from punto.table.apply import settlement as closing
from punto.table.apply.tools import setup_in_order
from punto.table.state import Table

HANDLERS = people.HANDLERS | play.HANDLERS | wrong.HANDLERS | closing.HANDLERS


def evolve(table: Table | None, event: e.Event, library: Library = SHIPPED) -> Table:
    """The table after an event; the first event of a table opens it.

    `library` has the books that the table may be opened with or go over to.
    """
    if table is None:
        if not isinstance(event, e.TableOpened):
            raise Refused(say("table-begins-with-opening", "A table begins with being opened."))
        book = library.book(event.setup.digest)
        cite(book.id, *event.basis.clauses)
        return Table(book, setup_in_order(event.setup), method=event.method)
    if recording():
        cite(table.book.id, *event.basis.clauses)
    handler = HANDLERS.get(type(event))
    if handler is None:
        assert isinstance(event, e.BookChanged)
        return people.change_book(table, event, library.book(event.setup.digest))
    return handler(table, event)


def fold(events: Iterable[e.Event], table: Table | None = None, library: Library = SHIPPED) -> Table:
    """The table that a history of events has led to."""
    for event in events:
        table = evolve(table, event, library)
    if table is None:
        raise Refused(say("no-events-no-table", "No events, no table."))
    return table
