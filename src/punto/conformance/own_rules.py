"""Rounds about rules that only some books have: a posted payout, and bets that depend on others."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from punto.amounts import show_money
from punto.conformance.questions import KitQuestion, a_round, coup_of
from punto.coup import STAGES, Coup
from punto.explore.coups import insured
from punto.rulebook import Book, Menu, menu
from punto.rulebook.facts import HANDS
from punto.settlement import Chips, Wager, chips_of, company, lying_together
from punto.settlement.lines import Limits

_STAKE = 40_000
_ANY = "9h 2c Kd As"
_PAYOUTS = (0, 1, 2, 3, 5, 10)
"""The posted payout as a share of what is due, in tenths; none at all is refused."""


def own_rule_rounds(book: Book) -> Iterator[KitQuestion]:
    """Every round about such a rule of a book; one for each where the book has it not."""
    yield from _payouts(book)
    yield from _companions(book)


# A posted payout


def _payouts(book: Book) -> Iterator[KitQuestion]:
    """Payments on every bet, alone and with others, under a payout of less than is due, all of it and more."""
    layout = book.first_layout
    carried, chips = menu(book, layout), chips_of(book, Limits())
    if book.point("limits", "payout-scope") is None:
        yield KitQuestion(("no payout",), _asked(book, _ANY, [Wager("player", _STAKE)], {"payout": "100"}, layout))
        return
    for bet in carried.bets:
        for coup in _won(carried, bet):
            laid = lying_together(carried, [*_pair(carried, bet, chips), *_others(carried, bet, chips)], chips)
            due = sum(_due(carried, each, coup) for each in laid)
            for tenth, more, unit in product(_PAYOUTS, (-1, 0, 1), ("", "0.50", "5")):
                limits = {"payout": show_money(max(due * tenth // 10 + more * 100, 0))}
                if unit:
                    limits["unit"] = unit
                yield KitQuestion((f"payout {bet}",), _asked(book, coup, laid, limits, layout))
    if book.insurance is None:
        return
    covers = [{"stage": stage, "hand": hand, "stake": "40"} for stage, hand in product(STAGES, HANDS)]
    for coup in list(insured().values())[::37]:
        laid = [Wager("player", _STAKE), Wager("banker", _STAKE)]
        for cover, payout in product(covers, ("50", "200", "400")):
            limits = {"payout": payout, "maximum": "50000", "differential": "50000"}
            yield KitQuestion(("payout cover",), _asked(book, coup, laid, limits, layout, insurance=[cover]))


def _won(carried: Menu, bet: str) -> list[Coup]:
    priced = carried.bets[bet]
    found = (coup_of(priced, row) for row in priced.rows if row.odds is not None)
    return [coup for coup in found if coup is not None]


def _due(carried: Menu, wager: Wager, coup: Coup) -> int:
    """What a wager wins, to the cent."""
    odds = carried.bets[wager.bet].verdict_of(coup).odds
    return 0 if odds is None else wager.stake * odds.numerator // odds.denominator


def _pair(carried: Menu, bet: str, chips: Chips) -> list[Wager]:
    """Two wagers on a bet, after those that they must lie with."""
    step = chips.step(carried.bets[bet])
    stake = -(-_STAKE // step) * step
    return [*company(carried, Wager(bet, 3 * stake), chips)[:-1], Wager(bet, stake), Wager(bet, 2 * stake)]


def _others(carried: Menu, bet: str, chips: Chips) -> list[Wager]:
    """A small wager on every other bet."""
    return [Wager(other, 10 * chips.step(priced)) for other, priced in carried.bets.items() if other != bet]


def _asked(
    book: Book, coup: Coup | str, laid: list[Wager], limits: dict[str, str], layout: str, **more: Any
) -> dict[str, Any]:
    wagers = [(each.bet, show_money(each.stake)) for each in laid]
    return a_round(book, coup, wagers, limits=limits, layout=layout, **more)


# Bets that depend on others


def _companions(book: Book) -> Iterator[KitQuestion]:
    """Every bet that depends on others: alone, with each other bet, and on both sides of the share that it may be."""
    chips = chips_of(book, Limits())
    for bet, layout in _first_layouts(book).items():
        carried = menu(book, layout)
        step = chips.step(carried.bets[bet])
        if not carried.bets[bet].bet.depends:
            continue
        for stake in (step, -(-_STAKE // step) * step):
            yield KitQuestion((f"alone {bet}",), _asked(book, _ANY, [Wager(bet, stake)], {}, layout))
            for other, share in product(carried.bets, (1, 2, 4, 10, 20)):
                size = chips.step(carried.bets[other])
                beside = Wager(other, -(-stake * share // size) * size)
                for more in (0, step) if other != bet else ():
                    laid = [beside, Wager(bet, stake + more)]
                    shows = (f"beside {bet} {other}",)
                    yield KitQuestion(shows, _asked(book, _ANY, laid, {}, layout))
                    yield KitQuestion(shows, _asked(book, _ANY, laid[::-1], {}, layout))


def _first_layouts(book: Book) -> dict[str, str]:
    """For each bet the first layout that carries it."""
    found: dict[str, str] = {}
    for layout in book.layouts:
        found |= {bet: layout for bet in menu(book, layout).bets if bet not in found}
    return found
