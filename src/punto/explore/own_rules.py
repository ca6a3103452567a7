"""Tables and commands about rules that only some books have.

Commission, a payout, bets that depend on others, and bets that are paid or placed when the first four cards lie open.
"""

from collections.abc import Iterator
from itertools import product

from msgspec.structs import replace

from punto.coup import Coup, card, outcome
from punto.explore.alphabet import ANN, BOB
from punto.explore.coups import coups
from punto.explore.dealing import Deal, dealt
from punto.explore.starts import FOUR_CARDS, LIMITS, SEATED, Start, openings, played
from punto.rulebook import Book, Library, menu
from punto.rulebook.vocabulary import DEALER
from punto.settlement import Limits, payable
from punto.table import Table, act
from punto.table import commands as c

WHO = (ANN, DEALER)
_NAMES = ("payout-", "commission-")
_SPOTS = ((ANN, 1), (ANN, 1), (BOB, 2), (BOB, 1))
STAKES = (500, 1000, 2000, 8000)
"""Of some the commission is no whole chip; of others what is won is over the payout."""

AFTERWARDS: tuple[tuple[c.Command, ...], ...] = (
    (c.EndShoe(),),
    (c.Leave(ANN, by=ANN),),
    (c.CashOut(ANN, by=ANN),),
    (c.CloseTable(),),
    *((c.PayOwed(ANN, amount, chips, by=by),) for amount in (1, 100, 10_000) for chips in (True, False) for by in WHO),
)
"""What is done about a debt when a round is paid."""


_FIRST_FOURS = (("Kh", "3c", "Kd", "3d"), ("2h", "Kc", "2d", "4s"), ("9h", "2c", "Kd", "As"), ("3h", "Kc", "2d", "Ks"))
"""A pair on both sides and on one, a natural, and none of it."""

_LATE_STAKES = (100, 150, 2000, 3000, 500_000)
_WHILE_OPEN: tuple[tuple[c.Command, ...], ...] = (
    (c.Report("foreign-card"),),
    (c.Report("unshuffled"), c.OpenBets()),
    (c.Report("interruption"),),
    (c.Report("wrong-call", (2,), faces=("5s",)),),
    (c.Report("wrong-call", (0,), faces=("Ks",)), c.Report("foreign-card")),
    (c.CashOut(ANN, by=ANN), c.Report("foreign-card")),
    (c.Leave(ANN, by=ANN),),
)
"""What may happen while four cards lie open: much of it ends the round, and what was paid is taken back."""

_WHEN_PAID: tuple[tuple[c.Command, ...], ...] = (
    (c.Report("wrong-call", (2,), faces=("5s",)),),
    (c.Report("wrong-call", (0,), faces=("2s",)), c.Report("foreign-card")),
    (c.Report("foreign-card"),),
    (c.OpenBets(), c.Report("foreign-card")),
)


def has_own_rules(book: Book) -> bool:
    """Whether a book has a rule of this kind."""
    has_points = any(name.startswith(_NAMES) for points in book.points.values() for name in points)
    return has_points or any(bet.depends or bet.settled or bet.placed for bet in book.bets.values())


def own_rule_stories(book: Book, library: Library) -> Iterator[tuple[c.Command, ...]]:
    """Rounds under rules of a book's own: won by either hand and tied, with pairs, and what is done afterwards."""
    for limits in _posted(book):
        begun, story = _begun(book, limits, library)
        bets = [*menu(book).bets]
        for bet, who in product(bets, (ANN, BOB)):
            yield *story, c.Place(who, bet, 2000, by=who)
        for bet, other, less in product(bets, bets, (500, 1500, 2000)):
            two = (c.Place(ANN, other, 2000, by=ANN), c.Place(ANN, bet, 2000, by=ANN))
            yield *story, *two, c.Lower(ANN, other, less, by=ANN)
            yield *story, two[0], c.Place(ANN, bet, less, by=ANN)
        for stake, coup in product(STAKES, _coups(book)):
            every = [c.Place(who, bet, stake, box, by=who) for who, box in _SPOTS for bet in bets]
            table, told = played(begun, story, every)
            table, told = played(table, told, (c.CloseBets(),))
            dealing = dealt(table, Deal(coup.cards))
            table, told = played(table, told, dealing)
            yield told
            if stake == STAKES[0] and coup.winner == "banker":
                yield from ((*told, *more) for more in AFTERWARDS)
        yield from _of_the_first_four(book, begun, story)


def _of_the_first_four(book: Book, begun: Table, story: tuple[c.Command, ...]) -> Iterator[tuple[c.Command, ...]]:
    """Rounds in which bets are paid or placed when four cards lie open; and then the round is void, or put right."""
    moments = sorted(menu(book).early | menu(book).late)
    laid = [c.Place(who, bet, 2000, by=who) for bet in menu(book).bets for who in (ANN, BOB)]
    table, told = played(begun, story, (*laid, c.CloseBets(), *FOUR_CARDS))
    for four in _FIRST_FOURS if moments else ():
        opened, so_far = played(table, told, (c.Expose(four),))
        deal = Deal(tuple(map(card, (*four, "4s", "9s"))))
        for stake, bet in product(_LATE_STAKES, moments):
            late = c.Place(ANN, bet, stake, by=ANN)
            for more in ((), (late,), (c.Lower(ANN, bet, 1000, by=ANN),), (c.Withdraw(ANN, bet, by=ANN),)):
                yield *so_far, late, *more, c.CloseBets(), late
                after, ended = played(opened, so_far, (late, *more))
                yield *ended, *dealt(after, deal)
        yield from ((*so_far, *more) for more in _WHILE_OPEN)
        yield from ((*so_far, *dealt(opened, deal), *more) for more in _WHEN_PAID)


def _coups(book: Book) -> list[Coup]:
    """A short coup for each winner, without a pair and with one on each side."""
    found: dict[tuple[str, str], Coup] = {}
    for each in coups(book.cards.printed).values():
        key = each.winner, outcome(each.outcome).pairs
        if key not in found or len(each.cards) < len(found[key].cards):
            found[key] = each
    return [coup for (_, pairs), coup in found.items() if pairs in ("none", "both")]


def _posted(book: Book) -> tuple[Limits, ...]:
    """Limits that leave room for wagers, with a low payout where the book has a rule for one."""
    payout = 4000 if book.point("limits", "payout-scope") is not None else None
    wide = replace(LIMITS, minimum=100, differential=1_000_000, maximum=100_000, payout=payout)
    return tuple(payable(menu(book), limits) for limits in (wide, replace(wide, unit=100, payout=None)))


def _begun(book: Book, limits: Limits, library: Library) -> tuple[Table, tuple[c.Command, ...]]:
    """A table with two patrons, its bets open."""
    command = replace(openings(book)[0].command, limits=limits)
    table, _ = act(None, command, library)
    return played(table, (command,), (*SEATED, c.OpenBets()))


def own_rule_starts(book: Book, library: Library) -> Iterator[Start]:
    """Tables of a book with such rules, with bets open or closed."""
    for limits in _posted(book):
        begun, story = _begun(book, limits, library)
        bets = tuple(c.Place(who, bet, 2000, by=who) for bet in menu(book).bets for who in (ANN, BOB))
        for more in ((), bets, (*bets, c.CloseBets())):
            yield Start("own rules", *played(begun, story, more))
        if menu(book).early or menu(book).late:
            for four in _FIRST_FOURS:
                more = (*bets, c.CloseBets(), *FOUR_CARDS, c.Expose(four))
                yield Start("four cards open", *played(begun, story, more))


def own_rules(table: Table) -> Iterator[c.Command]:
    """Wagers on every bet, raised, lowered, taken back and found; and what is done about a debt."""
    round = table.running
    for bet, who, amount in product(table.menu.bets, (ANN, BOB), STAKES):
        if round is not None and round.phase == "betting":
            yield c.Place(who, bet, amount, by=who)
            yield c.Lower(who, bet, amount, by=who)
            yield c.Withdraw(who, bet, by=who)
        elif round is not None:
            if bet in table.menu.late or bet in table.menu.early:
                yield c.Place(who, bet, amount, by=who)
                yield c.Lower(who, bet, amount, by=who)
                yield c.Withdraw(who, bet, by=who)
            yield c.Find(who, bet, amount)
            yield c.Remove(who, bet, amount)
    yield c.CloseBets()
    if round is None:
        yield c.OpenBets()
        yield from (each for some in AFTERWARDS for each in some)
