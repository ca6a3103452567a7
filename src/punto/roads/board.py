"""The scoreboard as one value: five roads, the two ask answers and the counters of a shoe so far."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from punto.roads.grid import ROWS, RoadCell, place, runs
from punto.roads.sequence import Result, Winner


class Bead(msgspec.Struct, frozen=True):
    """One round on the bead plate."""

    column: int
    row: int
    winner: Winner
    player_pair: bool
    banker_pair: bool
    natural: bool


class BigMark(msgspec.Struct, frozen=True):
    """One won round on the big road, and how many ties came directly after it."""

    column: int
    row: int
    winner: Winner
    ties: int
    player_pair: bool
    banker_pair: bool
    natural: bool


class Big(msgspec.Struct, frozen=True):
    """The big road. Ties before the first win belong to no mark: they are counted apart."""

    leading_ties: int
    marks: tuple[BigMark, ...]


class AskAnswer(msgspec.Struct, frozen=True):
    """What each derived road would get, `R` or `B`, or None where it would not have begun."""

    big_eye: str | None
    small: str | None
    cockroach: str | None


class Ask(msgspec.Struct, frozen=True):
    """The answers to the two questions: what if the next round goes to Banker, what if to Player."""

    banker: AskAnswer
    player: AskAnswer


class Counters(msgspec.Struct, frozen=True):
    """The counters beside the roads."""

    banker: int
    player: int
    tie: int
    player_pairs: int
    banker_pairs: int
    naturals: int


class Roads(msgspec.Struct, frozen=True):
    """The whole scoreboard. The three derived roads are strings of `R` and `B`, oldest first."""

    bead: tuple[Bead, ...]
    big: Big
    big_eye: str
    small: str
    cockroach: str
    ask: Ask
    count: Counters


def roads(results: Iterable[Result]) -> Roads:
    """Draw all roads of a sequence of results. A free hand is plotted on none of them.

    The work grows with the number of rounds and a shoe takes a fraction of a millisecond, so a new
    round is added by drawing the longer sequence.

    >>> from punto.roads import parse
    >>> board = roads(parse("PBPBBP"))
    >>> board.big_eye, board.small, board.cockroach
    ('RRBB', 'RBB', 'BB')
    >>> board.ask.banker
    AskAnswer(big_eye='B', small='R', cockroach='R')
    """
    plotted = [each for each in results if not each.free]
    winners = [each.winner for each in plotted if each.winner != "tie"]
    heights = runs(winners)
    return Roads(
        bead=_bead(plotted),
        big=_big(plotted, place(heights)),
        big_eye=derived(heights, 1),
        small=derived(heights, 2),
        cockroach=derived(heights, 3),
        ask=Ask(banker=_answer([*winners, "banker"]), player=_answer([*winners, "player"])),
        count=count(plotted),
    )


def derived(heights: Sequence[int], back: int) -> str:
    """The derived road that compares each column of the big road with the one `back` before it.

    `back` is 1 for big eye boy, 2 for the small road, 3 for the cockroach pig. Red says that the
    columns repeat each other, blue that they do not.

    >>> derived([1, 1, 2, 2, 1], 1), derived([2, 4], 1)
    ('RBBRR', 'RBR')
    """
    marks: list[str] = []
    for column, height in enumerate(heights):
        if column > back:
            level = heights[column - 1] == heights[column - 1 - back]
            marks.append("R" if level else "B")
        if column >= back:
            # Only the row just below the end of the other column is blue: there this one outgrows it.
            outgrown = heights[column - back] + 1
            marks.extend("B" if row == outgrown else "R" for row in range(2, height + 1))
    return "".join(marks)


def count(results: Iterable[Result]) -> Counters:
    """Count what the roads show; like them, it passes over free hands.

    >>> from punto.roads import parse
    >>> count(parse("BbnPTpBf"))
    Counters(banker=1, player=1, tie=1, player_pairs=1, banker_pairs=1, naturals=1)
    """
    plotted = [each for each in results if not each.free]
    winners = [each.winner for each in plotted]
    return Counters(
        banker=winners.count("banker"),
        player=winners.count("player"),
        tie=winners.count("tie"),
        player_pairs=sum(each.player_pair for each in plotted),
        banker_pairs=sum(each.banker_pair for each in plotted),
        naturals=sum(each.natural for each in plotted),
    )


def to_json(board: Roads) -> dict[str, Any]:
    """The scoreboard in dictionaries, lists, strings, numbers and None, ready for JSON.

    >>> from punto.roads import parse
    >>> shown = to_json(roads(parse("TBTPBB")))
    >>> shown["big"]["leading_ties"], shown["big"]["marks"][0]["ties"], shown["big_eye"]
    (1, 1, 'RB')
    >>> shown["ask"]["player"]
    {'big_eye': 'B', 'small': 'B', 'cockroach': None}
    """
    shown: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(board))
    return shown


def _bead(plotted: Sequence[Result]) -> tuple[Bead, ...]:
    return tuple(
        Bead(
            column=index // ROWS + 1,
            row=index % ROWS + 1,
            winner=each.winner,
            player_pair=each.player_pair,
            banker_pair=each.banker_pair,
            natural=each.natural,
        )
        for index, each in enumerate(plotted)
    )


def _big(plotted: Sequence[Result], places: Sequence[RoadCell]) -> Big:
    ties = [0]
    won: list[Result] = []
    for each in plotted:
        if each.winner == "tie":
            ties[-1] += 1
        else:
            won.append(each)
            ties.append(0)
    marks = tuple(
        BigMark(
            column=here.column,
            row=here.row,
            winner=each.winner,
            ties=following,
            player_pair=each.player_pair,
            banker_pair=each.banker_pair,
            natural=each.natural,
        )
        for here, each, following in zip(places, won, ties[1:], strict=True)
    )
    return Big(leading_ties=ties[0], marks=marks)


def _answer(winners: Sequence[Winner]) -> AskAnswer:
    """What the last of these winners puts on the derived roads."""
    before, after = runs(winners[:-1]), runs(winners)
    big_eye, small, cockroach = (derived(after, back)[len(derived(before, back)) :] or None for back in (1, 2, 3))
    return AskAnswer(big_eye=big_eye, small=small, cockroach=cockroach)
