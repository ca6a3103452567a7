"""What bets are worth that are placed when the first four cards lie open: exact, by the cards that can still come."""

from collections.abc import Iterator, Mapping, Sequence

from punto.coup import STOOD, Card, Coup, deal, outcome
from punto.coup.play import banker_draws, player_draws
from punto.odds.bets import BetFigures, BetOdds, RowOdds
from punto.odds.card_classes import CARDS
from punto.odds.composition import by_rank, with_suits
from punto.rulebook import Menu, Pattern

Left = Mapping[Card, int]
"""How many of each card the shoe has; suits are told where a bet looks at them."""


def odds_after_four(menu: Menu, shoe: Sequence[int], four: tuple[Card, ...]) -> BetFigures:
    """The exact odds of every bet that may be placed after some first four cards, which the shoe has no more.

    >>> from punto.coup import cards
    >>> from punto.odds import full_shoe, without
    >>> from punto.rulebook import load, menu
    >>> four = cards("6h 2c Kd As")
    >>> odds_after_four(menu(load("wu-song")), without(full_shoe(8), four), four)
    {}
    """
    coups = [(deal((*four, *thirds)), ways) for thirds, ways in _thirds(four, _left(menu, shoe))]
    total = sum(ways for _, ways in coups)
    found = BetFigures()
    for name, priced in menu.bets.items():
        window = priced.window
        if window is None or not all(window.holds(coup, outcome(coup.outcome)) for coup, _ in coups):
            continue
        met = [0] * len(priced.rows)
        for coup, ways in coups:
            at = next((at for at, row in enumerate(priced.rows) if _meets(row.when, coup)), None)
            if at is not None:
                met[at] += ways
        rows = tuple(RowOdds(row, number, total) for row, number in zip(priced.rows, met, strict=True))
        found[name] = BetOdds(name, priced.bet.name, rows, total)
    return found


def _meets(when: Pattern, coup: Coup) -> bool:
    return when.holds(coup, outcome(coup.outcome))


def _left(menu: Menu, shoe: Sequence[int]) -> Left:
    if menu.by_suit:
        return dict(zip(CARDS, with_suits(shoe), strict=True))
    return {Card(rank): count for rank, count in enumerate(by_rank(shoe), start=1)}


def _thirds(four: tuple[Card, ...], left: Left) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Every way in which third cards can come, and how many of the orders of the next two cards lead there."""
    first, second, third, fourth = four
    player, banker = (first.value + third.value) % 10, (second.value + fourth.value) % 10
    size = sum(left.values())
    if not player_draws(player, banker):
        draws = banker_draws(player, banker, STOOD)
        for card, count in left.items() if draws else ():
            if count:
                yield (card,), count * (size - 1)
        if not draws:
            yield (), size * (size - 1)
        return
    for card, count in left.items():
        if not count:
            continue
        if not banker_draws(player, banker, card.value):
            yield (card,), count * (size - 1)
            continue
        for last, more in left.items():
            if ways := count * (more - (last == card)):
                yield (card, last), ways
