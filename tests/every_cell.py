"""Every cell of the insurance tables, as the books print them, held against what the engine offers and pays."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from punto.coup import Card, Coup, banker_draws, deal_from, natural, player_draws
from punto.rulebook import Refused, load
from punto.settlement import Cover, Limits, Wager, offer, settle

GRIDS = Path(__file__).parent / "cases/insurance-grids.txt"
ROOMY = Limits(maximum=10**9)


def grids() -> list[tuple[str, str, str, list[list[str]]]]:
    """The tables by book, stage and hand: rows are the own points, columns those of the other hand."""
    found = []
    blocks = GRIDS.read_text().split("\n\n")[1:]
    for block in blocks:
        head, *rows = block.strip().splitlines()
        book, stage, hand = head.split()
        found.append((book, stage, hand, [row.split() for row in rows]))
    assert len(found) == 8
    return found


def coups(stage: str, player: int, banker: int) -> list[tuple[Coup, bool]]:
    """Every way by card values to come to these points at a stage, and whether a card is then due."""
    return [(deal_from((*cards, Card(13), Card(13))), due) for cards, due in _ways(stage, player, banker)]


def _ways(stage: str, player: int, banker: int) -> Iterator[tuple[tuple[Card, ...], bool]]:
    """The cards that lie at these points."""
    if stage == "four-cards":
        due = not natural(player, banker) and (player_draws(player, banker) or banker_draws(player, banker, -1))
        yield (Card(player or 10), Card(banker or 10), Card(11), Card(12)), due
        return
    for third in range(10):
        two = (player - third) % 10
        if banker < 8 and two < 6:
            cards = (Card(two or 10), Card(banker or 10), Card(11), Card(12), Card(third or 13))
            yield cards, banker_draws(two, banker, third)


def assert_offered_as_the_grid_says(book: str, stage: str, hand: str, grid: list[list[str]]) -> None:
    """All 100 cells of a table, each with every third card that can lead there."""
    rulebook = load(book)
    for own, opposite in product(range(10), repeat=2):
        cell = grid[own][opposite]
        player, banker = (own, opposite) if hand == "player" else (opposite, own)
        seen = coups(stage, player, banker)
        assert bool(seen) == (cell != "x")
        priced = ":" in cell
        assert ("+" in cell) == (priced and any(not due for _, due in seen))
        for coup, due in seen:
            if priced and due:
                row = offer(rulebook, coup, stage, hand)
                assert row.odds.text == cell.rstrip("+T")
                assert (row.tie_pays is not None) == ("T" in cell)
            else:
                with pytest.raises(Refused):
                    offer(rulebook, coup, stage, hand)


def assert_paid_as_the_grid_says(book: str, stage: str, hand: str, grid: list[list[str]]) -> None:
    """Every priced cell, with every card that can come next.

    Cover wins at the printed odds where its hand loses, is lost where that wins, and comes back after a tie, but
    where the book prints that a tie pays.
    """
    rulebook = load(book)
    for own, opposite in product(range(10), repeat=2):
        cell = grid[own][opposite]
        player, banker = (own, opposite) if hand == "player" else (opposite, own)
        for cards, due in _ways(stage, player, banker):
            for value in range(10) if due and ":" in cell else ():
                coup = deal_from((*cards, Card(value or 12), Card(12)))
                covers = [Cover(stage, hand, 10000, 0)]
                main, line = settle(rulebook, coup, [Wager(hand, 10**6)], covers, limits=ROOMY)
                won = coup.winner != hand if "T" in cell and coup.winner == "tie" else coup.winner not in (hand, "tie")
                if won:
                    odds = Fraction(*map(int, cell.rstrip("+T").split(":")))
                    assert line.result == "win", (cell, coup)
                    assert Fraction(line.net) == 10000 * odds, (cell, coup)
                elif coup.winner == hand:
                    assert (line.result, line.net) == ("lose", -10000), (cell, coup)
                else:
                    assert (line.result, line.net, line.returned) == ("stand-off", 0, 0), (cell, coup)
                assert (main.result == "stand-off") == (coup.winner == "tie")


def assert_table_of_cover(book: str) -> None:
    """The whole table of a book: what is offered in every cell, and what comes of it."""
    own = [table for table in grids() if table[0] == book]
    assert len(own) == 4
    for table in own:
        assert_offered_as_the_grid_says(*table)
        assert_paid_as_the_grid_says(*table)
