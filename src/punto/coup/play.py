"""The Table of Play, identical in all five books, and the dense indexes of what bets can see.

Everything here is a plain function of small whole numbers, so that the same source can be
compiled for simulation. `third` is the value of the Player's third card, or `STOOD`.
"""

STOOD = -1
"""In the place of the Player's third card: the Player stood."""

OUTCOMES = 2000
"""Player points x banker points x player cards (2, 3) x banker cards (2, 3) x pairs."""

SITUATIONS = 1100
"""Four cards: 10 x 10 points. Player's third card: 10 x 10 points x 10 values of that card."""

NO_PAIR, PLAYER_PAIR, BANKER_PAIR, BOTH_PAIRS, TWIN_PAIRS = range(5)


def natural(player: int, banker: int) -> bool:
    """Whether the first four cards end the coup: 8 or 9 on either hand.

    >>> natural(8, 0), natural(7, 7)
    (True, False)
    """
    return player > 7 or banker > 7


def player_draws(player: int, banker: int) -> bool:
    """Whether the Player takes a third card, by the points of both two-card hands.

    >>> player_draws(5, 7), player_draws(6, 0), player_draws(0, 9)
    (True, False, False)
    """
    return player < 6 and banker < 8


def banker_draws(player: int, banker: int, third: int) -> bool:
    """Whether the Banker takes a third card; `player` is the Player's two-card total.

    >>> banker_draws(0, 3, 8), banker_draws(0, 3, 9), banker_draws(7, 5, STOOD)
    (False, True, True)
    """
    if player > 7 or banker > 6:
        return False
    if third == STOOD:
        return banker < 6
    if banker < 3:
        return True
    if banker == 3:
        return third != 8
    return 2 * (banker - 3) <= third <= 7


def outcome_index(player: int, banker: int, player_cards: int, banker_cards: int, pairs: int) -> int:
    """Where a finished coup stands among the 2,000 outcomes.

    >>> outcome_index(9, 9, 3, 3, TWIN_PAIRS)
    1999
    """
    return (((player * 10 + banker) * 2 + player_cards - 2) * 2 + banker_cards - 2) * 5 + pairs


def situation_index(player: int, banker: int, third: int) -> int:
    """Where a moment of insurance stands among the 1,100 situations.

    Before a third card `third` is `STOOD`; afterwards it is the value of the Player's third card
    and `player` is the total of three cards.

    >>> situation_index(6, 3, STOOD), situation_index(9, 9, 9)
    (63, 1099)
    """
    if third == STOOD:
        return player * 10 + banker
    return 100 + (player * 10 + banker) * 10 + third
