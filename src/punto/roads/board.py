"""The scoreboard as one value: five roads, the two ask answers and the counters of a shoe so far."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from punto.roads.grid import ROWS, RoadCell, place, runs
from punto.roads.sequence import Result, Winner
from punto.tabular import Rows, Tabular

DERIVED = ("big_eye", "small", "cockroach")
_COLOURS = {"banker": "#c22", "player": "#22c", "tie": "#282", "R": "#c22", "B": "#22c"}


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


class Big(Tabular, msgspec.Struct, frozen=True):
    """The big road. Ties before the first win belong to no mark: they are counted apart."""

    leading_ties: int
    marks: tuple[BigMark, ...]

    def to_rows(self) -> Rows:
        """The big road as a table: a row for every mark."""
        return Rows(BigMark.__struct_fields__, tuple(map(msgspec.structs.astuple, self.marks)), "Big road")


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


class Roads(Tabular, msgspec.Struct, frozen=True):
    """The whole scoreboard. The three derived roads are strings of `R` and `B`, oldest first."""

    bead: tuple[Bead, ...]
    big: Big
    big_eye: str
    small: str
    cockroach: str
    ask: Ask
    count: Counters

    def to_rows(self) -> Rows:
        """The bead plate as a table: a row for every round that is plotted."""
        return Rows(Bead.__struct_fields__, tuple(msgspec.structs.astuple(each) for each in self.bead), "Bead plate")

    def derived(self) -> Rows:
        """The three derived roads as one table: a row for every mark, oldest first within each road."""
        return Rows(
            ("road", "column", "row", "mark"),
            tuple(
                (name, at.column, at.row, mark)
                for name in DERIVED
                for at, mark in zip(place(runs(getattr(self, name))), getattr(self, name), strict=True)
            ),
            "Derived roads",
        )

    def _repr_html_(self) -> str:
        beads = {RoadCell(each.column, each.row): (each.winner[0].upper(), each.winner) for each in self.bead}
        marks = {RoadCell(each.column, each.row): ("●", each.winner) for each in self.big.marks}
        shown = [_html_road("Bead plate", beads), _html_road("Big road", marks)]
        for title, road in (
            ("Big eye boy", self.big_eye),
            ("Small road", self.small),
            ("Cockroach pig", self.cockroach),
        ):
            shown.append(_html_road(title, {at: ("●", mark) for at, mark in zip(place(runs(road)), road, strict=True)}))
        return "".join(shown)


def _html_road(title: str, marks: Mapping[RoadCell, tuple[str, str]]) -> str:
    """One road as a grid of coloured marks."""
    width = max((at.column for at in marks), default=1)
    lines = []
    for row in range(1, ROWS + 1):
        cells = (marks.get(RoadCell(column, row)) for column in range(1, width + 1))
        shown = (f'<td style="color:{_COLOURS[each[1]]}">{each[0]}</td>' if each else "<td></td>" for each in cells)
        lines.append(f"<tr>{''.join(shown)}</tr>")
    return f'<table><caption style="text-align:left">{title}</caption><tbody>{"".join(lines)}</tbody></table>'


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
