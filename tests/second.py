"""A second implementation, written from the printed tables and sharing no code with the engine.

It knows cards only as ranks 1 to 13, draws by looking into the tables as they are printed, and
prices each bet by a condition in plain Python, so that it and the engine can only agree if both
are right, or both wrong in the same way.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

# The Banker's rows as printed: for each two-card total the third cards against which it draws.
BANKER_DRAWS_AGAINST = {
    0: "0123456789",
    1: "0123456789",
    2: "0123456789",
    3: "012345679",
    4: "234567",
    5: "4567",
    6: "67",
    7: "",
}


class Drawn(NamedTuple):
    """A coup as the second implementation sees it."""

    used: int
    player: int
    banker: int
    player_cards: int
    banker_cards: int
    player_pair: int
    banker_pair: int

    @property
    def winner(self) -> str:
        return "player" if self.player > self.banker else "banker" if self.banker > self.player else "tie"


def draw(a: int, b: int, c: int, d: int, e: int, f: int) -> Drawn:
    """Six ranks on top of the shoe, as many used as the printed tables ask for."""
    pips = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 0]
    player, banker = (pips[a] + pips[c]) % 10, (pips[b] + pips[d]) % 10
    player_pair, banker_pair = a if a == c else 0, b if b == d else 0
    if player in (8, 9) or banker in (8, 9):
        return Drawn(4, player, banker, 2, 2, player_pair, banker_pair)
    if player in (6, 7):
        if banker in (6, 7):
            return Drawn(4, player, banker, 2, 2, player_pair, banker_pair)
        return Drawn(5, player, (banker + pips[e]) % 10, 2, 3, player_pair, banker_pair)
    third = (player + pips[e]) % 10
    if str(pips[e] % 10) in BANKER_DRAWS_AGAINST[banker]:
        return Drawn(6, third, (banker + pips[f]) % 10, 3, 3, player_pair, banker_pair)
    return Drawn(5, third, banker, 3, 2, player_pair, banker_pair)


Price = Callable[[Drawn], Fraction | None]
"""What one unit staked earns; 0 for a stand-off, None if it loses."""


def odds(condition: Callable[[Drawn], bool], top: int, bottom: int = 1) -> Price:
    return lambda coup: Fraction(top, bottom) if condition(coup) else None


def hand(name: str, price: Callable[[Drawn], Fraction]) -> Price:
    return lambda coup: price(coup) if coup.winner == name else Fraction(0) if coup.winner == "tie" else None


def even(_: Drawn) -> Fraction:
    return Fraction(1)


def less_commission(_: Drawn) -> Fraction:
    return Fraction(95, 100)


def half_on(*points: int) -> Callable[[Drawn], Fraction]:
    return lambda coup: Fraction(1, 2) if max(coup.player, coup.banker) in points else Fraction(1)


def wins(name: str, points: int, cards: int) -> Callable[[Drawn], bool]:
    def condition(coup: Drawn) -> bool:
        held = (coup.player, coup.player_cards) if name == "player" else (coup.banker, coup.banker_cards)
        return coup.winner == name and held == (points, cards)

    return condition


def tie_at(*points: int) -> Callable[[Drawn], bool]:
    return lambda coup: coup.winner == "tie" and coup.player in points


def tiger(coup: Drawn) -> Fraction | None:
    if coup.winner == "banker" and coup.banker == 6:
        return Fraction(12 if coup.banker_cards == 2 else 20)
    return None


def tiger_pair(coup: Drawn) -> Fraction | None:
    if coup.player_pair and coup.banker_pair:
        return Fraction(100 if coup.player_pair == coup.banker_pair else 20)
    return Fraction(4) if coup.player_pair or coup.banker_pair else None


def dragon_tiger(coup: Drawn) -> Fraction | None:
    if (coup.player, coup.banker) != (7, 6):
        return None
    return Fraction({6: 100, 5: 40, 4: 30}[coup.player_cards + coup.banker_cards])


def graded_tie(coup: Drawn) -> Fraction | None:
    if coup.winner != "tie":
        return None
    return Fraction(10 if coup.player in (6, 7) else 8)


ANY_TIE = odds(lambda coup: coup.winner == "tie", 8)
BIG_TIGER, SMALL_TIGER = odds(wins("banker", 6, 3), 50), odds(wins("banker", 6, 2), 22)
TIGER_TIE = odds(tie_at(6), 35)
PAIRS: dict[str, Price] = {
    "player-pair": odds(lambda coup: coup.player_pair > 0, 11),
    "banker-pair": odds(lambda coup: coup.banker_pair > 0, 11),
}
DRAGONS: dict[str, Price] = {
    "big-dragon": odds(wins("player", 7, 3), 30),
    "small-dragon": odds(wins("player", 7, 2), 15),
    "big-tiger": BIG_TIGER,
    "small-tiger": SMALL_TIGER,
    "dragon-tiger": dragon_tiger,
}

Menu = dict[str, Price]

DA_HU: Menu = {
    "player": hand("player", even),
    "banker": hand("banker", half_on(6)),
    "tie": ANY_TIE,
    "tiger-tie": TIGER_TIE,
    "tiger": tiger,
    "big-tiger": BIG_TIGER,
    "small-tiger": SMALL_TIGER,
    "tiger-pair": tiger_pair,
}
WU_SONG_ALL: Menu = {
    "player": hand("player", half_on(7)),
    "banker": hand("banker", half_on(6, 7)),
    "tiger-tie": TIGER_TIE,
    "big-tiger": BIG_TIGER,
    "small-tiger": SMALL_TIGER,
    "wu-dalang": odds(lambda coup: (coup.player, coup.banker) == (1, 0), 150),
}
WU_SONG_A_TO_D: Menu = {**WU_SONG_ALL, **PAIRS, "wu-song": odds(wins("player", 6, 3), 36)}
WU_SONG_GRADED: Menu = {**WU_SONG_A_TO_D, "tie": graded_tie}
WU_SONG_E_F: Menu = {
    **WU_SONG_ALL,
    "tie": ANY_TIE,
    "banker-big-7": odds(wins("banker", 7, 3), 30),
    "banker-small-7": odds(wins("banker", 7, 2), 15),
    "player-big-7": odds(wins("player", 7, 3), 30),
    "player-small-7": odds(wins("player", 7, 2), 15),
}
MBS: Menu = {
    "player": hand("player", even),
    "banker": hand("banker", less_commission),
    "tie": ANY_TIE,
    **DRAGONS,
}
COMMISSION: Menu = {
    "player": hand("player", even),
    "banker": hand("banker", less_commission),
    "tie": ANY_TIE,
    **PAIRS,
}
HOIANA_SIDES: Menu = {"tie": ANY_TIE, **PAIRS, **DRAGONS}
HOIANA_NC: Menu = {"player": hand("player", even), "banker": hand("banker", half_on(6)), **HOIANA_SIDES}
HOIANA_C: Menu = {"player": hand("player", even), "banker": hand("banker", less_commission), **HOIANA_SIDES}

MENUS: dict[str, dict[str, Menu]] = {
    "da-hu-ying-xiong": dict.fromkeys("ABCDEFGHIJKLMNOPQR", DA_HU),
    "wu-song": {
        **dict.fromkeys("ABD", WU_SONG_GRADED),
        "C": {**WU_SONG_A_TO_D, "tie": ANY_TIE},
        **dict.fromkeys("EF", WU_SONG_E_F),
    },
    "dragon-tiger-mbs": dict.fromkeys("ABCDEFGHIJK", MBS),
    "commission-insurance": dict.fromkeys("ABCDEFG", COMMISSION),
    "dragon-tiger-hoiana": {**dict.fromkeys("12", HOIANA_NC), **dict.fromkeys("34", HOIANA_C)},
}
