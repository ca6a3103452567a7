"""Opening and closing a table, going over to another book, and the limits that are posted."""

from datetime import datetime

from msgspec.structs import replace

from punto.messages import say
from punto.rulebook import (
    Basis,
    Book,
    Library,
    Refused,
    check_currency,
    check_day,
    check_decks,
    check_layout,
    check_positions,
    menu,
)
from punto.settlement import (
    ROUNDED,
    Limits,
    check_maximums,
    check_minimums,
    check_posted,
    chips_of,
    payout_scope,
)
from punto.table import commands as c
from punto.table import events as e
from punto.table.authority import check_house_ranks
from punto.table.evolve import evolve
from punto.table.handlers.method import set_method
from punto.table.state import AUTOMATION, SHOES, Setup, Table
from punto.table.turn import Turn

_DEFAULT_POSITIONS = 7


WHOLE_CHIPS = 5
"""The engine since which every payment at a table is whole chips (AMB-30)."""


def open_table(command: c.OpenTable, library: Library, engine: int) -> tuple[Table, list[e.Event]]:
    """Open a table, or refuse what the book forbids; `engine` is the number of the rules to decide by."""
    book = library.book(command.book)
    if all(command.by not in tier for tier in book.ranks):
        raise Refused(
            say(
                "table-opened-by-staff",
                "A table of this book is opened by its staff, {ranks:or}, not by {by:quoted}.",
                ranks=[rank for tier in book.ranks for rank in tier],
                by=command.by,
            )
        )
    setup, basis = _setup(book, command, engine)
    opened = e.TableOpened(setup, command.at, None, by=command.by, basis=basis)
    turn = Turn(evolve(None, opened, library), command.by, library, engine)
    turn.events.append(opened)
    if command.method is not None:
        set_method(turn, c.SetMethod(command.method, by=command.by))
    return turn.table, turn.events


def _setup(book: Book, command: c.OpenTable, engine: int) -> tuple[Setup, Basis]:
    """The set-up that a command asks for, checked against the book, and the clauses that it rests on."""
    steps = [check_day(book, _time(command.at))]
    layout = menu(book, command.layout).layout
    steps += check_layout(book, layout.id)
    if layout.notice is not None and not command.acknowledged:
        raise Refused(
            say(
                "notice-to-acknowledge",
                "Layout {layout} opens only with its notice acknowledged: {notice}",
                layout=layout.id,
                notice=layout.notice.says,
            ),
            book,
            layout.notice.basis,
        )
    steps.append(check_decks(book, command.decks))
    positions = layout.positions.max or _DEFAULT_POSITIONS if command.positions is None else command.positions
    steps.append(check_positions(book, layout.id, positions))
    _check_displayed(book, command.limits)
    whole_chips = engine >= WHOLE_CHIPS
    if whole_chips:
        chips = chips_of(book, command.limits, command.currency)
        check_minimums(menu(book, layout.id), command.limits, chips)
        check_maximums(menu(book, layout.id), command.limits, chips)
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
        whole_chips,
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
        raise Refused(
            say(
                "not-a-time",
                "{text:quoted} is not a time: write it like 2025-03-01T20:00:00+08:00.",
                text=text,
            )
        ) from None
    if when.tzinfo is None:
        raise Refused(
            say(
                "time-without-zone",
                "{text:quoted} has no time zone: write it like 2025-03-01T20:00:00+08:00.",
                text=text,
            )
        )
    return when


def _check_displayed(book: Book, limits: Limits) -> None:
    point = book.point("limits", "displayed")
    for name in () if point is None else point.values:
        if getattr(limits, name) is None:
            raise Refused(
                say(
                    "limit-to-be-posted",
                    "The {limit} must be displayed at the table, and none is posted.",
                    limit=name,
                ),
                book,
                point.basis if point else Basis(),
            )
    payout_scope(book, limits)
    for bet in (*limits.minimums, *limits.maximums):
        if bet not in book.bets:
            raise Refused(
                say(
                    "no-such-bet-to-limit",
                    "There is no bet {bet:quoted} that a limit could be posted for; they are {bets:list}.",
                    bet=bet,
                    bets=list(book.bets),
                )
            )
    if limits.rounding not in (None, "exact", "up"):
        raise Refused(
            say("payments-exact-or-up", "Payments are exact, or rounded up to the chip where that is posted."),
            book,
            ROUNDED,
        )
    check_posted(book, limits)


def _check_choices(command: c.OpenTable) -> None:
    if command.shoe not in SHOES:
        raise Refused(
            say(
                "no-such-shoe",
                "There is no shoe of the kind {shoe:quoted}; they are {shoes:list}.",
                shoe=command.shoe,
                shoes=list(SHOES),
            )
        )
    unknown = [each for each in command.auto if each not in AUTOMATION]
    if unknown:
        raise Refused(
            say(
                "not-by-itself",
                "A table does not do {what:quoted} by itself; it can {known:list}.",
                what=unknown[0],
                known=list(AUTOMATION),
            )
        )
    check_currency(command.currency)


def change_book(turn: Turn, command: c.ChangeBook) -> None:
    """Go over to another book, version or layout; never in the middle of a shoe."""
    if turn.table.shoe is not None:
        basis = turn.book.front.get("title", Basis()).plus(turn.book.front.get("approval") or Basis())
        raise turn.refuse(
            say("no-change-within-shoe", "A table does not change its book or layout in the middle of a shoe."),
            basis,
        )
    turn.staff()
    turn.between_rounds(say("book-changed-between-rounds", "A table changes its book only between rounds."))
    turn.unblocked()
    book = turn.library.book(command.book)
    setup, basis = _setup(book, command, turn.engine)
    if setup.currency != turn.table.setup.currency:
        raise Refused(
            say(
                "currency-stays",
                "A table keeps its currency, which is {currency} here: open another table for {other}.",
                currency=turn.table.setup.currency,
                other=setup.currency,
            )
        )
    for name, patron in turn.table.patrons.items():
        if patron.box is not None and patron.box > setup.positions:
            raise Refused(
                say(
                    "box-would-be-gone",
                    "{patron} sits at box {box}, and the table would have {positions}.",
                    patron=name,
                    box=patron.box,
                    positions=setup.positions,
                )
            )
    for name in (*turn.table.patrons, *turn.table.posts):
        if any(name in tier for tier in book.ranks):
            raise Refused(
                say(
                    "name-is-a-post",
                    "{name:quoted} is a post of that book: nobody at the table can be called so.",
                    name=name,
                ),
                book,
            )
    if setup.whole_chips:
        _check_purses(turn, setup.limits)
    for question in turn.table.questions:
        turn.happen(e.Lapsed, question.id, basis=question.basis)
    turn.happen(e.BookChanged, setup, command.at, basis=basis)
    if command.method is not None:
        turn.book = book
        set_method(turn, c.SetMethod(command.method, by=command.by))


def post_limits(turn: Turn, command: c.PostLimits) -> None:
    """Post other limits; they hold from the next round on."""
    turn.staff()
    turn.between_rounds(say("limits-change-between-rounds", "Limits change only between rounds."))
    _check_displayed(turn.book, command.limits)
    setup = replace(turn.table.setup, limits=command.limits)
    if setup.whole_chips:
        chips = turn.table.chips_by(turn.table.policies, setup)
        check_minimums(turn.table.menu, command.limits, chips)
        check_maximums(turn.table.menu, command.limits, chips)
        _check_chip(turn, command.limits)
    turn.happen(e.LimitsPosted, setup, basis=turn.basis("limits", "displayed"))


def _check_chip(turn: Turn, limits: Limits) -> None:
    """Refuse another chip in which something that is or may still be paid would not be whole (AMB-30)."""
    table = turn.table
    now = table.setup.limits.unit if table.posted is None else table.posted.limits.unit
    if now % limits.unit == 0:
        return
    over = table.past is None and (table.round is None or table.round.phase != "settled")
    if not over:
        raise Refused(
            say(
                "chip-between-shoes",
                "The last round was paid in chips of {now:money}, and may still be put right: "
                "chips of {unit:money} come with a change of book between two shoes.",
                now=now,
                unit=limits.unit,
            ),
            turn.book,
            ROUNDED,
        )
    _check_purses(turn, limits)


def _check_purses(turn: Turn, limits: Limits) -> None:
    """Refuse a chip that does not make up what somebody has or owes (AMB-30)."""
    for name, patron in turn.table.patrons.items():
        for amount in (patron.balance, patron.owed):
            if amount % limits.unit:
                raise Refused(
                    say(
                        "purse-not-in-chips",
                        "{patron} has or owes {amount:money}, which chips of {unit:money} do not make up: "
                        "that is paid first.",
                        patron=name,
                        amount=amount,
                        unit=limits.unit,
                    ),
                    turn.book,
                    ROUNDED,
                )


def close_table(turn: Turn, command: c.CloseTable) -> None:
    """Close the table, once everybody is paid."""
    turn.staff()
    turn.between_rounds(say("table-closes-between-rounds", "The table closes only between rounds."))
    turn.unblocked()
    if turn.table.shoe is not None and turn.table.setup.shoe == "virtual":
        raise Refused(say("end-shoe-first", "End the shoe first: its seed is revealed with that."))
    for name, patron in turn.table.patrons.items():
        if patron.balance:
            says = say("money-still-out", "{patron} still has {balance:money}.", patron=name, balance=patron.balance)
            raise Refused(says)
        if patron.owed:
            raise Refused(say("money-still-owed", "{patron} still owes {owed:money}.", patron=name, owed=patron.owed))
    turn.lapse("next-round")
    turn.happen(e.TableClosed)
