"""Money that might be put down or taken back: wagers, cover, chips, with the amounts that the limits speak of."""

from collections.abc import Iterator

from punto.amounts import MOST
from punto.rulebook.facts import HANDS
from punto.settlement import room_beside
from punto.table import commands as c
from punto.table.handlers.companions import beside
from punto.table.handlers.differential import room
from punto.table.legal.confirming import Amounts, Asking, Candidate
from punto.table.legal.fields import Choice, Field, Text
from punto.table.legal.reports import SENTENCE
from punto.table.state import Patron, Round, Spot, Table
from punto.table.turn import Turn


def patrons(asking: Asking) -> tuple[str, ...]:
    """The patrons whom somebody may act for: themself, or for the staff everybody."""
    table = asking.table
    return (asking.who,) if asking.who in table.patrons else tuple(table.patrons)


def place(asking: Asking) -> Iterator[Candidate]:
    """Money on a bet."""
    round = asking.table.running
    if round is not None:
        areas = _areas(asking)
        yield from (_placing(asking, round, (name, *area)) for name in patrons(asking) for area in areas)


def likely_place(asking: Asking) -> Iterator[Candidate]:
    """Money on a bet where it is likeliest to be taken: so many wagers for an area, however many patrons there are.

    In each area that is whoever has the most chips of those without a wager in it, and of those with one, and whoever
    sits there: where none of them may put money down, nobody else is expected to.
    """
    found, round = asking.table.patrons, asking.table.running
    if round is None:
        return
    areas, names = _areas(asking), patrons(asking)
    richest = sorted(names, key=lambda name: (found[name].away, -found[name].balance))
    backers: dict[tuple[int, str], set[str]] = {area: set() for area in areas}
    for name, box, bet in round.wagers:
        backers.get((box, bet), set()).add(name)
    for wagered in (False, True):
        for area, there in backers.items():
            likeliest = next((name for name in richest if (name in there) is wagered), None)
            if likeliest is not None:
                yield _placing(asking, round, (likeliest, *area))
    sitters = {found[name].box: name for name in names}
    for area in areas:
        if area[0] in sitters:
            yield _placing(asking, round, (sitters[area[0]], *area))


def _areas(asking: Asking) -> list[tuple[int, str]]:
    """Every box with every bet that money can be put on now."""
    round = asking.table.running
    if round is None or (round.cards and not round.late):
        return []
    bets = round.late or asking.table.menu.bets
    return [(box, bet) for box in range(1, asking.table.setup.positions + 1) for bet in bets]


def _placing(asking: Asking, round: Round, spot: Spot) -> Candidate:
    """Money on a spot; of who has too little for a single step, no limits are looked up."""
    table, balance = asking.table, asking.table.patrons[spot[0]].balance
    near = () if balance < _step(table, spot[2]) else _near(asking, round, spot)
    fields = {**_spot(table, spot), "stake": _stakes(table, spot[2], balance, near)}
    return Candidate(c.Place, {**fields, "medium": Choice(("chips", "cash"))}, ("box", "medium"))


def find(asking: Asking) -> Iterator[Candidate]:
    """A wager that nobody had noticed."""
    round = asking.table.running
    if round is None or round.phase != "closed" or asking.who in asking.table.patrons:
        return
    reason = Text(SENTENCE, needed=round.revealed)
    for name in asking.table.patrons:
        for bet in asking.table.menu.bets:
            for box in range(1, asking.table.setup.positions + 1):
                amounts = _stakes(asking.table, bet, asking.table.patrons[name].balance)
                fields = {**_spot(asking.table, (name, box, bet)), "stake": amounts, "reason": reason}
                yield Candidate(c.Find, fields, ("box",))


def lower(asking: Asking) -> Iterator[Candidate]:
    """Part of a wager taken back."""
    return _taking_off(asking, c.Lower)


def remove(asking: Asking) -> Iterator[Candidate]:
    """A wager, or part of it, taken off to cure the differential."""
    return _taking_off(asking, c.Remove)


def _taking_off(asking: Asking, kind: type[c.Lower] | type[c.Remove]) -> Iterator[Candidate]:
    round, limits = asking.table.running, asking.table.setup.limits
    for spot, placed in round.wagers.items() if round is not None and (not round.cards or round.late) else ():
        step, start = _step(asking.table, spot[2]), limits.unit
        while (placed.stake - start) % step and start <= step:
            start += limits.unit
        least = limits.minimum_of(spot[2]) or 0
        amounts = Amounts(start, placed.stake, step, (placed.stake - least, placed.stake - 1))
        yield Candidate(kind, {**_spot(asking.table, spot), "amount": amounts}, ("box",))


def withdraw(asking: Asking) -> Iterator[Candidate]:
    """A wager taken back."""
    return _whole(asking, c.Withdraw)


def pull(asking: Asking) -> Iterator[Candidate]:
    """Chips taken back after the closing call."""
    return _whole(asking, c.Pull)


def _whole(asking: Asking, kind: type[c.Withdraw] | type[c.Pull]) -> Iterator[Candidate]:
    round = asking.table.running
    for spot in round.wagers if round is not None else ():
        yield Candidate(kind, _spot(asking.table, spot), ("box",))


def insure(asking: Asking) -> Iterator[Candidate]:
    """Cover on a wager that it is offered on."""
    round = asking.table.running
    window = round.window if round is not None else None
    if window is None:
        return
    step = asking.table.chips.step(window.row)
    for name in dict.fromkeys(spot[0] for spot in window.most):
        spots = {spot: most for spot, most in window.most.items() if spot[0] == name}
        balance = asking.table.patrons[name].balance if name in asking.table.patrons else 0
        for spot, most in spots.items():
            boxes = Choice((spot[1],) if len(spots) > 1 else (spot[1], None))
            fields = {"patron": Choice((name,)), "hand": Choice((window.hand,)), "box": boxes}
            yield Candidate(c.Insure, {**fields, "stake": Amounts(step, min(most, balance), step)}, ("box",))


def buy_in(asking: Asking) -> Iterator[Candidate]:
    """Money for chips."""
    unit = asking.table.setup.limits.unit
    for name in patrons(asking):
        amounts = Amounts(unit, MOST - asking.table.patrons[name].balance, unit)
        yield Candidate(c.BuyIn, {"patron": Choice((name,)), "amount": amounts})


def cash_out(asking: Asking) -> Iterator[Candidate]:
    """Chips for money: all, or so much in chips."""
    unit = asking.table.setup.limits.unit
    for name in patrons(asking):
        patron = asking.table.patrons[name]
        yield Candidate(c.CashOut, {"patron": Choice((name,)), "amount": Choice((None,))})
        left = _after_debts(patron)
        yield Candidate(c.CashOut, {"patron": Choice((name,)), "amount": Amounts(0, left, unit, (unit,))})
        if left % unit:
            yield Candidate(c.CashOut, {"patron": Choice((name,)), "amount": Choice((left,))})


def pay_owed(asking: Asking) -> Iterator[Candidate]:
    """What a patron owes, with money from outside or with chips."""
    unit = asking.table.setup.limits.unit if asking.table.setup.whole_chips else 1
    for name in patrons(asking):
        owed, balance = asking.table.patrons[name].owed, asking.table.patrons[name].balance
        in_chips = {"patron": Choice((name,)), "chips": Choice((True,))}
        yield Candidate(c.PayOwed, {**in_chips, "amount": Amounts(unit, min(owed, balance), unit)})
        if owed % unit and owed <= balance:
            yield Candidate(c.PayOwed, {**in_chips, "amount": Choice((owed,))})
        yield Candidate(c.PayOwed, {"patron": Choice((name,)), "amount": Amounts(unit, owed, unit)})
        if owed % unit:
            yield Candidate(c.PayOwed, {"patron": Choice((name,)), "amount": Choice((owed,))})


def _after_debts(patron: Patron) -> int:
    return patron.balance - min(patron.owed, patron.balance)


def _spot(table: Table, spot: Spot) -> dict[str, Field]:
    """The place of a wager; the box need not be named where it is the patron's own."""
    name, box, bet = spot
    own = name in table.patrons and table.patrons[name].box == box
    return {"patron": Choice((name,)), "bet": Choice((bet,)), "box": Choice((box, None) if own else (box,))}


def _step(table: Table, bet: str) -> int:
    """The step that stakes on a bet go in."""
    return table.chips.step(table.menu[bet])


def _stakes(table: Table, bet: str, balance: int, near: tuple[int, ...] = ()) -> Amounts:
    step = _step(table, bet)
    return Amounts(step, balance, step, tuple(each + more for each in near for more in (-1, 0, step)))


def _near(asking: Asking, round: Round, spot: Spot) -> tuple[int, ...]:
    """Amounts at which a limit may begin or cease to allow a stake."""
    table, limits = asking.table, asking.table.setup.limits
    own = round.wagers[spot].stake if spot in round.wagers else 0
    shared = sum(placed.stake for (_, box, bet), placed in round.wagers.items() if (box, bet) == spot[1:])
    found = []
    least, most = limits.minimum_of(spot[2]), limits.maximum_of(spot[2])
    if least is not None:
        found.append(least - own)
    if most is not None:
        found += [most - own, most - shared]
    if table.menu.depends:
        room_left = room_beside(table.menu, spot[2], beside(round, spot), table.chips)[0]
        found += [] if room_left is None else [room_left - own]
    if limits.differential is not None and spot[2] in HANDS:
        balance = table.patrons[spot[0]].balance
        found.append(room(Turn(table, asking.who), round, spot, balance)[0])
    return tuple(found)
