"""Opening a table, what is posted on it, the people at it and their money."""

from datetime import datetime

from punto.amounts import MOST, show_money
from punto.coup import CARDS_IN_A_DECK
from punto.rulebook import Basis, Book, Refused, check_box, check_day, check_decks, check_layout, check_positions, menu
from punto.settlement import Limits
from punto.table import commands as c
from punto.table import events as e
from punto.table.authority import check_house_ranks, post_of
from punto.table.books import book_for
from punto.table.evolve import evolve
from punto.table.state import AUTOMATION, SHOES, Setup, Table
from punto.table.turn import Turn

_DEFAULT_POSITIONS = 7


def open_table(command: c.OpenTable) -> tuple[Table, list[e.Event]]:
    """Open a table, or refuse what the book forbids."""
    book = book_for(command.book)
    if all(command.by not in tier for tier in book.ranks):
        raise Refused(f"A table is opened by the staff, not by {command.by!r}.")
    setup, basis = _setup(book, command)
    opened = e.TableOpened(setup, command.at, None, by=command.by, basis=basis)
    turn = Turn(evolve(None, opened), command.by)
    turn.events.append(opened)
    if command.method is not None:
        set_method(turn, c.SetMethod(command.method, by=command.by))
    return turn.table, turn.events


def _setup(book: Book, command: c.OpenTable) -> tuple[Setup, Basis]:
    """The set-up, checked, with every clause that it had to pass."""
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
    _check_words(command)
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
    shown = () if point is None else point.value
    for name in (shown,) if isinstance(shown, str) else shown if isinstance(shown, tuple) else ():
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


def _check_words(command: c.OpenTable) -> None:
    if command.shoe not in SHOES:
        raise Refused(f"There is no shoe of the kind {command.shoe!r}; they are {', '.join(SHOES)}.")
    unknown = [each for each in command.auto if each not in AUTOMATION]
    if unknown:
        raise Refused(f"A table does not do {unknown[0]!r} by itself; it can {', '.join(AUTOMATION)}.")
    if not command.currency.isalpha() or len(command.currency) != 3:
        raise Refused(f"{command.currency!r} is not a currency: write three letters, like SGD.")


def change_book(turn: Turn, command: c.ChangeBook) -> None:
    """Another book, version or layout; never in the middle of a shoe."""
    if turn.table.shoe is not None:
        basis = turn.book.front.get("title", Basis()).plus(turn.book.front.get("approval") or Basis())
        raise turn.refuse("A table does not change its book or layout in the middle of a shoe.", basis)
    turn.staff()
    turn.between_rounds("A table changes its book")
    turn.unblocked()
    book = book_for(command.book)
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
    """Other limits, from the next round on."""
    turn.staff()
    turn.between_rounds("Limits change")
    _check_displayed(turn.book, command.limits)
    was = turn.table.setup
    setup = Setup(
        was.book,
        was.digest,
        was.layout,
        was.positions,
        command.limits,
        was.decks,
        was.currency,
        was.shoe,
        was.face_down,
        was.private,
        was.high_limit,
        was.house_ranks,
        was.auto,
        was.counter_clockwise,
    )
    turn.happen(e.LimitsPosted, setup, basis=turn.basis("limits", "displayed"))


def close_table(turn: Turn, command: c.CloseTable) -> None:  # noqa: ARG001 - every handler takes its command
    """Everything must be paid before."""
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


def assign(turn: Turn, command: c.Assign) -> None:
    """A person works in a post, perhaps acting."""
    basis = turn.basis("authority", "acting")
    if all(command.post not in tier for tier in turn.book.ranks):
        ranks = ", ".join(rank for tier in turn.book.ranks for rank in tier)
        raise turn.refuse(f"There is no post {command.post!r}; the book has {ranks}.", basis)
    if command.person in turn.table.patrons or any(command.person in tier for tier in turn.book.ranks):
        raise Refused(f"{command.person!r} cannot be the name of a person of the staff here.")
    turn.need(command.post, basis)
    turn.happen(e.PostAssigned, command.person, command.post, command.acting, basis=basis)


def relieve(turn: Turn, command: c.Relieve) -> None:
    """A person leaves their post."""
    if command.person not in turn.table.posts:
        raise Refused(f"{command.person!r} has no post at this table.")
    turn.staff()
    turn.happen(e.PostLeft, command.person)


# Patrons and money


def sit(turn: Turn, command: c.Sit) -> None:
    """At a box that is free."""
    _newcomer(turn, command.patron, command.accepts_notice)
    step = check_box(turn.book, turn.table.setup.layout, command.box)
    if command.box > turn.table.setup.positions:
        raise turn.refuse(f"There is no box {command.box}: the table has {turn.table.setup.positions}.", step.basis)
    for name, patron in turn.table.patrons.items():
        if patron.box == command.box and name != command.patron:
            raise Refused(f"Box {command.box} is {name}'s.")
    basis = step.basis.plus(turn.basis("betting", "seated")).plus(turn.basis("dealing", "places"))
    turn.happen(e.PatronSat, command.patron, command.box, command.accepts_notice, basis=basis)


def stand(turn: Turn, command: c.Stand) -> None:
    """Without a seat; wagers go into the boxes of others."""
    _newcomer(turn, command.patron, command.accepts_notice)
    turn.happen(e.PatronStood, command.patron, command.accepts_notice, basis=turn.basis("betting", "standing"))


def _newcomer(turn: Turn, name: str, accepts: bool) -> None:
    if not name or name == "house" or name in turn.table.posts or post_of(turn.table, name) is not None:
        raise Refused(f"{name!r} cannot be the name of a patron.")
    turn.oneself_or_staff(name)
    table = turn.table
    if table.insurance_off and name not in table.notice and not accepts:
        insurance = turn.book.insurance
        basis = insurance.points["off"].basis if insurance and "off" in insurance.points else Basis()
        raise turn.refuse("This table offers no insurance: whoever joins must accept that notice.", basis)


def leave(turn: Turn, command: c.Leave) -> None:
    """Money at stake stays and is settled; what it brings is kept for the patron (AMB-35)."""
    patron = turn.patron(command.patron)
    turn.oneself_or_staff(command.patron)
    keeps = bool(patron.held or patron.balance or patron.owed)
    basis = turn.basis("betting", "walk-away") if patron.held else Basis()
    insurance = turn.book.insurance
    if patron.held and insurance is not None:
        basis = basis.plus(insurance.points["lapses"].basis)
    if patron.away and keeps:
        raise Refused(f"{command.patron} has left already.")
    turn.happen(e.PatronLeft, command.patron, keeps or _had_wager(turn, command.patron), basis=basis)


def _had_wager(turn: Turn, name: str) -> bool:
    """Whether the round concerns them: until the next one even what was paid may be taken back."""
    round = turn.table.round
    return round is not None and any(spot[0] == name for spot in round.wagers)


def _amount(amount: int) -> None:
    if amount <= 0:
        raise Refused(f"{show_money(amount)} is no amount: it must be more than nothing.")
    if amount > MOST:
        raise Refused(f"{show_money(amount)} is too much: {show_money(MOST)} is the most.")


def buy_in(turn: Turn, command: c.BuyIn) -> None:
    """Money for chips of the table's unit."""
    patron = turn.patron(command.patron)
    turn.oneself_or_staff(command.patron)
    _amount(command.amount)
    if patron.balance + command.amount > MOST:
        raise Refused(f"{command.patron} would have more than {show_money(MOST)}.")
    unit = turn.table.setup.limits.unit
    if command.amount % unit:
        raise Refused(f"{show_money(command.amount)} cannot be had in chips: the smallest is {show_money(unit)}.")
    turn.happen(e.BoughtIn, command.patron, command.amount, basis=turn.basis("betting", "medium"))


def cash_out(turn: Turn, command: c.CashOut) -> None:
    """What is owed is kept back first."""
    patron = turn.patron(command.patron)
    turn.oneself_or_staff(command.patron)
    if patron.owed and patron.balance:
        turn.happen(
            e.OwedPaid,
            command.patron,
            min(patron.owed, patron.balance),
            chips=True,
            basis=turn.basis("money", "corrections"),
        )
        patron = turn.patron(command.patron)
    amount = patron.balance if command.amount is None else command.amount
    if amount == 0 and turn.events:
        return
    _amount(amount)
    if amount > patron.balance:
        raise Refused(f"{command.patron} has {show_money(patron.balance)}, not {show_money(amount)}.")
    turn.happen(e.CashedOut, command.patron, amount)


def pay_owed(turn: Turn, command: c.PayOwed) -> None:
    """With money from outside."""
    patron = turn.patron(command.patron)
    turn.oneself_or_staff(command.patron)
    _amount(command.amount)
    if command.amount > patron.owed:
        raise Refused(f"{command.patron} owes {show_money(patron.owed)}, not {show_money(command.amount)}.")
    turn.happen(e.OwedPaid, command.patron, command.amount, basis=turn.basis("money", "corrections"))


# Shoe and method


def load_shoe(turn: Turn, command: c.LoadShoe) -> None:
    """Shuffled cards; the old ones must be out of use."""
    turn.staff()
    if turn.table.shoe is not None:
        raise Refused("Cards are in use already: end that shoe first.")
    turn.between_rounds("Cards are changed")
    basis = turn.book.decks.basis.plus(turn.basis("dealing", "devices"))
    if len(command.commitment) > 64 or (turn.table.setup.shoe == "virtual") != bool(command.commitment):
        raise Refused("A virtual shoe is loaded with the commitment to its seed, any other without.")
    cards = turn.table.setup.decks * CARDS_IN_A_DECK
    turn.happen(e.ShoeLoaded, turn.table.shoes + 1, cards, command.commitment, basis=basis)


def burn(turn: Turn, command: c.Burn) -> None:
    """Before the first round of a shoe."""
    turn.staff()
    shoe, basis = turn.shoe(), turn.basis("dealing", "burn")
    running = turn.table.running
    dealt = shoe.left + len(shoe.carried) < turn.table.setup.decks * CARDS_IN_A_DECK and not shoe.burned
    if shoe.rounds > 1 or dealt or (running is not None and running.cards):
        raise turn.refuse("Cards are burned before the first card of a shoe is dealt.", basis)
    if shoe.burned:
        raise turn.refuse("The burn has been done.", basis)
    if not 0 < command.count <= min(shoe.left, 11):
        raise Refused("At least one card is burned, and at most eleven.")
    turn.happen(e.Burned, command.count, basis=basis)


def last_hand(turn: Turn, command: c.LastHand) -> None:  # noqa: ARG001
    """The coming hand, or the running one, is the shoe's last (AMB-97)."""
    turn.staff()
    if turn.shoe().last_round is not None:
        raise Refused("The last hand has been announced.")
    turn.happen(e.LastHandAnnounced, basis=Basis((), ("AMB-83", "AMB-97")))


def end_shoe(turn: Turn, command: c.EndShoe) -> None:
    """Out of use, and with it what was carried over."""
    turn.staff()
    shoe = turn.shoe()
    turn.between_rounds("A shoe ends")
    turn.unblocked()
    turn.lapse("next-round")
    turn.happen(e.ShoeEnded, command.seed[:64], command.key[:64], basis=shoe.replace or Basis())


def set_method(turn: Turn, command: c.SetMethod) -> None:
    """A or B by one rank, C by another and only where the book allows it."""
    methods = turn.point("dealing", "methods")
    if methods is None or not isinstance(methods.value, tuple):
        raise Refused("This book knows no methods of dealing.")
    if command.method not in methods.value:
        raise turn.refuse(f"The methods are {', '.join(methods.value)}, not {command.method!r}.", methods.basis)
    choice, special = turn.point("dealing", "method-choice"), turn.point("dealing", "method-c")
    if choice is None or special is None:
        raise Refused("The book does not say who chooses the method.")
    if turn.table.running is not None:
        raise turn.refuse("The method is chosen before the round.", choice.basis)
    point = special if command.method == "C" else choice
    turn.need(point.by or "dealer", point.basis)
    basis = methods.basis.plus(point.basis).plus(turn.basis("dealing", "device-holder"))
    if command.method == "C":
        if not turn.table.setup.high_limit:
            area = turn.basis("dealing", "high-limit-area")
            raise turn.refuse("Method C is for the high-limit area only.", point.basis.plus(area))
        if turn.table.setup.shoe == "hand":
            raise turn.refuse("Method C needs a shoe that reads the cards.", turn.basis("dealing", "method-c-draws"))
        basis = methods.basis.plus(point.basis).plus(turn.basis("dealing", "method-c-draws"))
    shoe = turn.table.shoe
    if shoe is not None and shoe.controller is not None and command.method != "C":
        turn.happen(e.ShoeGivenBack, shoe.controller, basis=turn.basis("dealing", "device-holder"))
    turn.happen(e.MethodSet, command.method, basis=basis)


def take_shoe(turn: Turn, command: c.TakeShoe) -> None:
    """One patron at a time, with a wager unless let (Method C)."""
    _method_c(turn)
    turn.patron(command.patron)
    turn.oneself_or_staff(command.patron)
    shoe = turn.shoe()
    ends = turn.basis("dealing", "method-c-control-ends")
    if shoe.controller is not None:
        raise turn.refuse(f"{shoe.controller} controls the shoe.", ends)
    running = turn.table.running
    bets = running is not None and any(spot[0] == command.patron for spot in running.wagers)
    let = turn.basis("dealing", "method-c-without-wager")
    if not bets and command.patron not in turn.table.without_wager:
        raise turn.refuse(f"{command.patron} has no wager, and has not been let draw without one.", let)
    basis = turn.basis("dealing", "method-c-draws").plus(ends if bets else let)
    turn.happen(e.ShoeTaken, command.patron, basis=basis)


def give_back_shoe(turn: Turn, command: c.GiveBackShoe) -> None:  # noqa: ARG001
    """Given up, or taken back by the staff."""
    controller = turn.shoe().controller
    if controller is None:
        raise Refused("Nobody but the staff controls the shoe.")
    turn.oneself_or_staff(controller)
    turn.happen(e.ShoeGivenBack, controller, basis=turn.basis("dealing", "method-c-control-ends"))


def let_draw(turn: Turn, command: c.LetDraw) -> None:
    """Without a wager, by leave."""
    point = turn.point("dealing", "method-c-without-wager")
    if point is None:
        raise Refused("In this book no patron draws cards.")
    turn.need(point.by or "dealer", point.basis)
    turn.patron(command.patron)
    turn.happen(e.DrawingLet, command.patron, basis=point.basis)


def _method_c(turn: Turn) -> None:
    holder = turn.basis("dealing", "device-holder")
    if turn.table.method != "C":
        raise turn.refuse("The dealer holds the shoe.", holder)
