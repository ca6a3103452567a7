"""The most that one round pays, where it is posted: payments are cut pro rata, by the rule of the book."""

from collections.abc import Hashable, Sequence

from msgspec.structs import replace

from punto.messages import Sentence, say
from punto.rulebook import Book, Refused
from punto.settlement.chips import Chips
from punto.settlement.lines import Limits, Line

Owner = tuple[str, int]
"""Whose wager it is, and in which box."""


def payout_scope(book: Book, limits: Limits) -> str | None:
    """Over what the posted payout is counted: `wager`, `patron`, `box` or `table`; None where none is posted."""
    if limits.payout is None:
        return None
    point = book.point("limits", "payout-scope")
    if point is None:
        raise Refused(
            say("no-rule-for-payout", "The book has no rule by which a posted payout cuts payments: post none."), book
        )
    return str(point.value)


def is_capped(book: Book, bet: str) -> bool:
    """Whether the posted payout counts what a bet pays: those that the book names, else every bet and cover."""
    named = book.point("limits", "payout-bets")
    if named is None:
        return True
    found = book.bets.get(bet)
    return bet in named.values or (found is not None and found.choice_of in named.values)


def capped(book: Book, limits: Limits, lines: Sequence[Line], owners: Sequence[Owner], chips: Chips) -> Sequence[Line]:
    """The lines of a round with payments over the posted payout cut pro rata, each rounded down to the chip.

    What counts is what is won; stakes that come back are not paid by the house.
    """
    scope = payout_scope(book, limits)
    if scope is None or limits.payout is None:
        return lines
    together: dict[Hashable, list[int]] = {}
    for at, line in enumerate(lines):
        if line.net > 0 and is_capped(book, line.bet):
            name, box = owners[at]
            key = {"wager": at, "patron": name, "box": box, "table": None}[scope]
            together.setdefault(key, []).append(at)
    found = list(lines)
    for places in together.values():
        due = sum(lines[at].net for at in places)
        if due > limits.payout:
            for at in places:
                found[at] = _cut(book, lines[at], limits.payout, due, chips)
    return found


def _cut(book: Book, line: Line, most: int, due: int, chips: Chips) -> Line:
    net = line.net * most // due // chips.payment * chips.payment
    why = say(
        "payout-cut",
        "{due:money} would be paid and the most is {most:money}: {net:money} is paid here.",
        due=due,
        most=most,
        net=net,
    )
    assert line.message is not None  # it was settled just now
    says = say("two-sentences", "{first} {second}", first=Sentence(line.says, line.message), second=why)
    basis = book.basis("limits", "payout-scope").plus(book.basis("limits", "payout-bets"))
    commission = line.commission * most // due // chips.unit * chips.unit
    return replace(
        line, net=net, commission=commission, basis=line.basis.plus(basis), says=str(says), message=says.message
    )
