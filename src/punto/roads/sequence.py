"""Round results and the notation for a sequence of them: `B P T`, each with its marks `b p n f`."""

from collections.abc import Iterable
from typing import Literal

import msgspec

from punto.coup import Coup

Winner = Literal["banker", "player", "tie"]

_RESULTS: dict[str, Winner] = {"B": "banker", "P": "player", "T": "tie"}
_LETTERS = {winner: letter for letter, winner in _RESULTS.items()}
_MARKS = {"b": "banker_pair", "p": "player_pair", "n": "natural", "f": "free"}


class BadSequence(ValueError):
    """Text that is no sequence of results. The message names the character and its position."""


class Result(msgspec.Struct, frozen=True):
    """What one round was, as far as a scoreboard shows it. A free hand is on no road.

    >>> Result("banker", natural=True)
    Result(winner='banker', banker_pair=False, player_pair=False, natural=True, free=False)
    """

    winner: Winner
    banker_pair: bool = False
    player_pair: bool = False
    natural: bool = False
    free: bool = False


def result(coup: Coup, free: bool = False) -> Result:
    """The result of a finished coup.

    >>> from punto.coup import deal
    >>> show([result(deal("6h 2c Kd As 5h")), result(deal("4h 9c 4d Ks"), free=True)])
    'BBpnf'
    """
    if coup.player_points == coup.banker_points:
        winner: Winner = "tie"
    else:
        winner = "player" if coup.player_points > coup.banker_points else "banker"
    return Result(
        winner,
        banker_pair=coup.pairs in ("banker", "both", "twin"),
        player_pair=coup.pairs in ("player", "both", "twin"),
        natural=coup.natural,
        free=free,
    )


def parse(text: str) -> tuple[Result, ...]:
    """Read a sequence: a result `B`, `P` or `T`, then its marks, in any order, without a gap.

    The marks are `b` banker pair, `p` player pair, `n` natural, `f` free hand. Spaces, line ends and
    commas may divide rounds.

    >>> [each.winner for each in parse("BP, T")]
    ['banker', 'player', 'tie']
    >>> parse("Bpn") == (Result("banker", player_pair=True, natural=True),)
    True
    >>> parse("BPX")
    Traceback (most recent call last):
    punto.roads.sequence.BadSequence: 'X' at position 3 is not part of a sequence: write B, P or T for a \
result, then its marks of b, p, n and f; spaces and commas may divide rounds.
    """
    found: list[Result] = []
    winner: Winner | None = None
    marks: dict[str, bool] = {}
    for position, letter in enumerate(text, start=1):
        if letter in _MARKS:
            if winner is None:
                raise BadSequence(
                    f"{letter!r} at position {position} is a mark without a result: write B, P or T, "
                    f"in upper case, directly before it."
                )
            if _MARKS[letter] in marks:
                raise BadSequence(
                    f"{letter!r} at position {position} marks its round a second time: "
                    f"write each of b, p, n and f at most once after a result."
                )
            marks[_MARKS[letter]] = True
            continue
        if winner is not None:
            found.append(Result(winner, **marks))
        winner, marks = _RESULTS.get(letter), {}
        if winner is None and letter != "," and not letter.isspace():
            raise BadSequence(
                f"{letter!r} at position {position} is not part of a sequence: write B, P or T for a result, "
                f"then its marks of b, p, n and f; spaces and commas may divide rounds."
            )
    if winner is not None:
        found.append(Result(winner, **marks))
    return tuple(found)


def show(results: Iterable[Result]) -> str:
    """Write results as `parse` reads them, without gaps, the marks in the order `b p n f`.

    >>> show(parse("B, Pnb, Tf"))
    'BPbnTf'
    """
    return "".join(
        _LETTERS[each.winner] + "".join(mark for mark, field in _MARKS.items() if getattr(each, field))
        for each in results
    )
