"""How settlement and disputes change a table."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from punto.messages import say
from punto.roads import result as road_result
from punto.rulebook import Basis
from punto.rulebook.clauses import cite, recording
from punto.settlement import Line
from punto.table import events as e
from punto.table.apply.tools import current, in_order, keep_free, money, with_round
from punto.table.felt import coup
from punto.table.state import Dispute, Patron, Table


def original_back(bet: str, stake: int, basis: Basis) -> Line:
    """The line of a lost wager that comes back because its insurance was not offered."""
    says = say("insured-bet-back-not-offered", "The insured bet comes back: its insurance was not offered.")
    return Line(bet, stake, 0, stake, "returned", 0, None, basis, str(says), says.message)


def _settled(table: Table, event: e.RoundSettled) -> Table:
    round = current(table)
    patrons, house = dict(table.patrons), table.house
    for name, (balance, owed) in event.moves.items():
        who = patrons[name]
        held = who.held if event.again else 0  # what lies there by then is at stake in the next round
        house += who.held - held - balance + owed
        patrons[name] = Patron(who.box, who.balance + balance, held, who.owed + owed, who.away)
    result = road_result(coup(round), round.free)
    shoe = table.shoe
    if shoe is not None and (
        shoe.results or not event.again
    ):  # a correction after its shoe has ended changes no scoreboard
        past = shoe.results[:-1] if event.again else shoe.results
        shoe = replace(shoe, results=(*past, result))
    struck = _struck(table, event) if event.again else frozenset(event.strikes)
    if recording():
        for line in (each for lines in event.lines.values() for each in lines):
            cite(table.book.id, *line.basis.clauses)
    lines = in_order(event.lines)
    settled = replace(round, phase="settled", lines=lines, result=result, window=None, struck=struck)
    strikes = (table.strikes - round.struck) | struck
    after = replace(table, patrons=patrons, house=house, strikes=strikes, shoe=shoe, round=settled)
    return keep_free(after) if round.free else after


def _first_four_settled(table: Table, event: e.FirstFourSettled) -> Table:
    """Pay the bets that the first four cards settle; at the end of the round only what they come to otherwise moves."""
    round = current(table)
    wagers = dict(round.wagers)
    kept = _on_record(table)
    for name, own in event.lines.items():
        held = 0
        for spot, line in zip(event.spots[name], own, strict=True):
            paid = (line.stake + line.net, line.commission if kept else 0)
            wagers[spot] = replace(wagers[spot], paid=paid)
            held += line.stake
        balance, owed = event.moves[name]
        table = money(table, name, balance=balance, held=-held, owed=owed)
    if recording():
        for line in (each for lines in event.lines.values() for each in lines):
            cite(table.book.id, *line.basis.clauses)
    lines = {name: (*round.lines.get(name, ()), *own) for name, own in event.lines.items()}
    return with_round(table, wagers=wagers, lines=in_order({**round.lines, **lines}))


def _on_record(table: Table) -> bool:
    point = table.book.point("money", "commission")
    return point is not None and point.value == "on-record"


def _first_four_reversed(table: Table, event: e.FirstFourReversed) -> Table:
    """Put the stakes back on the felt, and take back what was paid for them."""
    wagers = dict(current(table).wagers)
    for spot in event.spots:
        table = money(table, spot[0], held=wagers[spot].stake)
        wagers[spot] = replace(wagers[spot], paid=None)
    for name, (balance, owed) in event.moves.items():
        table = money(table, name, balance=balance, owed=owed)
    return with_round(table, wagers=wagers, lines={})


def _struck(table: Table, event: e.RoundSettled) -> frozenset[str]:
    """Whose one wager under the minimum counts as used after a second settlement; a stand-off does not (AMB-28)."""
    late, limits = table.book.point("limits", "under-minimum-late"), table.setup.limits
    if late is None or late.value != "settle-once":
        return frozenset()
    lines = [(name, line) for name, own in event.lines.items() for line in own if line.result in ("win", "lose")]
    return frozenset(name for name, line in lines if line.stake < (limits.minimum_of(line.bet) or 0))


def _dispute_raised(table: Table, event: e.DisputeRaised) -> Table:
    return replace(table, disputes=(*table.disputes, Dispute(event.patron, event.says, event.level)))


def _dispute_moved(table: Table, event: e.DisputeMoved) -> Table:
    disputes = list(table.disputes)
    was = disputes[event.dispute]
    disputes[event.dispute] = replace(
        was, done=(*was.done, event.step), level=event.level or was.level, state=event.state or was.state
    )
    return replace(table, disputes=tuple(disputes))


HANDLERS: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    e.RoundSettled: _settled,
    e.FirstFourSettled: _first_four_settled,
    e.FirstFourReversed: _first_four_reversed,
    e.DisputeRaised: _dispute_raised,
    e.DisputeMoved: _dispute_moved,
}
