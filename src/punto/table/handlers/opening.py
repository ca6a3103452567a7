"""Opening and closing a table, going over to another book, and the limits that are posted."""

from datetime import datetime

from msgspec.structs import replace

from punto.amounts import show_money
from punto.rulebook import (
    Basis,
    Book,
    Library,
    Refused,
    check_day,
    check_decks,
    check_layout,
    check_positions,
    menu,
)
from punto.settlement import Limits
from punto.table import commands as c
from punto.table import events as e
from punto.table.authority import check_house_ranks
from punto.table.evolve import evolve
from punto.table.handlers.method import set_method
from punto.table.state import AUTOMATION, SHOES, Setup, Table
from punto.table.turn import Turn

_DEFAULT_POSITIONS = 7


def open_table(command: c.OpenTable, library: Library) -> tuple[Table, list[e.Event]]:
    """Open a table, or refuse what the book forbids."""
    book = library.book(command.book)
    if all(command.by not in tier for tier in book.ranks):
        raise Refused(f"A table is opened by the staff, not by {command.by!r}.")
    setup, basis = _setup(book, command)
    opened = e.TableOpened(setup, command.at, None, by=command.by, basis=basis)
    turn = Turn(evolve(None, opened, library), command.by, library)
    turn.events.append(opened)
    if command.method is not None:
        set_method(turn, c.SetMethod(command.method, by=command.by))
    return turn.table, turn.events


def _setup(book: Book, command: c.OpenTable) -> tuple[Setup, Basis]:
    """The set-up that a command asks for, checked against the book, and the clauses that it rests on."""
    steps = [check_day(book, _time(command.at))]
    layout = menu(book, command.layout).layout
    steps += check_layout(book, layout.id)
    if layout.notice is not None and not command.acknowledged:
        raise Refused(
            f"Layout {layout.id} opens only with its notice acknowledged: {layout.notice.says}",
            book,
            layout.notice.basis,
        )
    steps.append(check_decks(book, command.decks))
    positions = layout.positions.max or _DEFAULT_POSITIONS if command.positions is None else command.positions
    steps.append(check_positions(book, layout.id, positions))
    _check_displayed(book, command.limits)
    _check_choices(command)
    setup = Setup(
        book.id,
        book.digest,
        layout.id,
        positions,
        command.limits,
        command.decks,
        command.currency,
        command.shoe,
        command.face_down,
        command.private,
        command.high_limit,
        dict(command.house_ranks),
        frozenset(command.auto),
        command.counter_clockwise,
    )
    check_house_ranks(book, setup)
    basis = Basis()
    for step in steps:
        basis = basis.plus(step.basis)
    for part in (book.front.get("approval"), *(p.basis for s, n in _POSTED if (p := book.point(s, n)))):
        basis = basis.plus(part or Basis())
    return setup, basis


_POSTED = (("limits", "displayed"), ("dealing", "equipment"), ("display", "pictures"), ("display", "scoreboard"))


def _time(text: str) -> datetime:
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise Refused(f"{text!r} is not a time: write it like 2025-03-01T20:00:00+08:00.") from None
    if when.tzinfo is None:
        raise Refused(f"{text!r} has no time zone: write it like 2025-03-01T20:00:00+08:00.")
    return when


def _check_displayed(book: Book, limits: Limits) -> None:
    point = book.point("limits", "displayed")
    for name in () if point is None else point.values:
        if getattr(limits, name) is None:
            raise Refused(
                f"The {name} must be displayed at the table, and none is posted.",
                book,
                point.basis if point else Basis(),
            )
    for bet in (*limits.minimums, *limits.maximums):
        if bet not in book.bets:
            raise Refused(f"There is no bet {bet!r} that a limit could be posted for; they are {', '.join(book.bets)}.")
    if limits.rounding not in (None, "exact", "up"):
        raise Refused(
            "Payments are exact, or rounded up to the chip where that is posted.", book, Basis((), ("AMB-30",))
        )


def _check_choices(command: c.OpenTable) -> None:
    if command.shoe not in SHOES:
        raise Refused(f"There is no shoe of the kind {command.shoe!r}; they are {', '.join(SHOES)}.")
    unknown = [each for each in command.auto if each not in AUTOMATION]
    if unknown:
        raise Refused(f"A table does not do {unknown[0]!r} by itself; it can {', '.join(AUTOMATION)}.")
    if not command.currency.isalpha() or len(command.currency) != 3:
        raise Refused(f"{command.currency!r} is not a currency: write three letters, like SGD.")


def change_book(turn: Turn, command: c.ChangeBook) -> None:
    """Go over to another book, version or layout; never in the middle of a shoe."""
    if turn.table.shoe is not None:
        basis = turn.book.front.get("title", Basis()).plus(turn.book.front.get("approval") or Basis())
        raise turn.refuse("A table does not change its book or layout in the middle of a shoe.", basis)
    turn.staff()
    turn.between_rounds("A table changes its book")
    turn.unblocked()
    book = turn.library.book(command.book)
    setup, basis = _setup(book, command)
    for name, patron in turn.table.patrons.items():
        if patron.box is not None and patron.box > setup.positions:
            raise Refused(f"{name} sits at box {patron.box}, and the table would have {setup.positions}.")
    for name in (*turn.table.patrons, *turn.table.posts):
        if any(name in tier for tier in book.ranks):
            raise Refused(f"{name!r} is a post of that book: nobody at the table can be called so.", book)
    for question in turn.table.questions:
        turn.happen(e.Lapsed, question.id, basis=question.basis)
    turn.happen(e.BookChanged, setup, command.at, basis=basis)
    if command.method is not None:
        turn.book = book
        set_method(turn, c.SetMethod(command.method, by=command.by))


def post_limits(turn: Turn, command: c.PostLimits) -> None:
    """Post other limits; they hold from the next round on."""
    turn.staff()
    turn.between_rounds("Limits change")
    _check_displayed(turn.book, command.limits)
    setup = replace(turn.table.setup, limits=command.limits)
    turn.happen(e.LimitsPosted, setup, basis=turn.basis("limits", "displayed"))


def close_table(turn: Turn, command: c.CloseTable) -> None:
    """Close the table, once everybody is paid."""
    turn.staff()
    turn.between_rounds("The table closes")
    turn.unblocked()
    if turn.table.shoe is not None and turn.table.setup.shoe == "virtual":
        raise Refused("End the shoe first: its seed is revealed with that.")
    for name, patron in turn.table.patrons.items():
        if patron.balance or patron.owed:
            raise Refused(f"{name} still has {show_money(patron.balance)} and owes {show_money(patron.owed)}.")
    turn.lapse("next-round")
    turn.happen(e.TableClosed)
