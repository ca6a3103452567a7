"""How a coup that has begun can end, from the cards that are unseen."""

from typing import Any

from punto.coup import STOOD
from punto.kernels.compiled import part
from punto.kernels.play import banker_draws, player_draws

PLAYER, BANKER, TIE = range(3)
"""Who wins, as counts by winner are ordered."""


@part
def winner(player: int, banker: int) -> int:
    """Who wins with these points.

    >>> winner(9, 8) == PLAYER, winner(0, 1) == BANKER, winner(6, 6) == TIE
    (True, True, True)
    """
    if player == banker:
        return TIE
    return PLAYER if player > banker else BANKER


@part
def endings(left: Any, size: int, player: int, banker: int, third: int) -> Any:
    """Whether a card is due, and in how many ways of drawing two more each hand wins or they tie.

    `left` are the unseen cards by value, `size` of them; `player` and `banker` are the totals of two cards, and
    `third` is the Player's third card or `STOOD` if none lies there. The ways are out of all ordered pairs of cards.

    >>> endings([16, 4, 4, 4, 4, 4, 4, 4, 4, 4], 52, 5, 7, STOOD)  # 3 and 4 win, 2 ties; the Banker stands on 7
    (True, 408, 2040, 204)
    """
    player_wins, banker_wins, ties = 0, 0, 0
    drawn = third == STOOD and player_draws(player, banker)
    due = drawn or banker_draws(player, banker, third)
    first, end = (0, 10) if drawn else (third, third + 1)
    for card in range(first, end):
        held = left[card] if drawn else 1
        points = (player + card) % 10 if card != STOOD else player
        also = banker_draws(player, banker, card)
        for last in range(10 if also else 1):
            if not also:
                ways, won = held * (size - 1), winner(points, banker)
            else:
                more = left[last] - (1 if card == last else 0) if drawn else left[last] * (size - 1)
                ways, won = held * more, winner(points, (banker + last) % 10)
            if won == PLAYER:
                player_wins += ways
            elif won == BANKER:
                banker_wins += ways
            else:
                ties += ways
    return due, player_wins, banker_wins, ties
