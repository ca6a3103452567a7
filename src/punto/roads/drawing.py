"""The roads as plain text: cells by their place, one road in six lines, and the whole scoreboard."""

from collections.abc import Mapping
from typing import overload

import msgspec

from punto.roads.board import AskAnswer, Bead, Big, BigMark, Roads
from punto.roads.grid import ROWS, RoadCell, place, runs
from punto.roads.sequence import Result, show

TITLES = {
    "bead": "Bead plate",
    "big": "Big road",
    "big_eye": "Big eye boy",
    "small": "Small road",
    "cockroach": "Cockroach pig",
}
"""The roads in the order of the scoreboard, by the name of their field in `Roads`."""


@overload
def cells(road: tuple[Bead, ...]) -> dict[RoadCell, Bead]: ...
@overload
def cells(road: Big) -> dict[RoadCell, BigMark]: ...
@overload
def cells(road: str) -> dict[RoadCell, str]: ...
def cells(road: tuple[Bead, ...] | Big | str) -> Mapping[RoadCell, Bead | BigMark | str]:
    """What is seen in each cell of one road, oldest first.

    On the big road the first cell also carries the leading ties; as long as nothing but ties was
    dealt, it is a mark whose winner is `tie`.

    >>> from punto.roads import parse, roads
    >>> board = roads(parse("TBTPBB"))
    >>> [(tuple(at), mark.winner, mark.ties) for at, mark in cells(board.big).items()]
    [((1, 1), 'banker', 2), ((2, 1), 'player', 0), ((3, 1), 'banker', 0), ((3, 2), 'banker', 0)]
    >>> [(tuple(at), colour) for at, colour in cells(board.big_eye).items()]
    [((1, 1), 'R'), ((2, 1), 'B')]
    """
    if isinstance(road, str):
        return dict(zip(place(runs(road)), road, strict=True))
    if isinstance(road, tuple):
        return {RoadCell(bead.column, bead.row): bead for bead in road}
    marks = list(road.marks)
    if marks:
        marks[0] = msgspec.structs.replace(marks[0], ties=marks[0].ties + road.leading_ties)
    elif road.leading_ties:
        marks = [BigMark(1, 1, "tie", road.leading_ties, False, False, False)]
    return {RoadCell(mark.column, mark.row): mark for mark in marks}


def face(mark: Bead | BigMark | str) -> str:
    """The text of one cell: a bead in the notation, a big mark with the number of its ties, a colour.

    Ten ties or more are a `+`.

    >>> face(Bead(1, 1, "banker", player_pair=True, banker_pair=False, natural=True))
    'Bpn'
    >>> face(BigMark(1, 1, "player", 2, False, False, False)), face("R")
    ('P2', 'R')
    """
    if isinstance(mark, str):
        return mark
    if isinstance(mark, Bead):
        bead = Result(mark.winner, mark.banker_pair, mark.player_pair, mark.natural)
        return show([bead])
    ties = "" if mark.ties == 0 else str(mark.ties) if mark.ties < 10 else "+"
    return mark.winner[0].upper() + ties


def lines(road: tuple[Bead, ...] | Big | str, width: int = 24) -> list[str]:
    """One road in six lines of at most `width` columns, a dot for a free cell.

    A longer road is cut on the left. Should a dragon tail lead further than that to the right of the
    newest mark, the newest mark is in the first column shown.

    >>> lines("RRBR", width=3)
    ['R B R', 'R . .', '. . .', '. . .', '. . .', '. . .']
    """
    if width < 1:
        raise ValueError(f"A road is drawn at least 1 column wide; {width} was asked for.")
    faces = {at: face(mark) for at, mark in cells(road).items()}
    first = 1
    if faces:
        newest = next(reversed(faces))
        first = max(1, min(newest.column, max(at.column for at in faces) - width + 1))
    shown = range(first, first + width)
    size = max((len(text) for at, text in faces.items() if at.column in shown), default=1)
    return [
        " ".join(faces.get(RoadCell(column, row), ".").ljust(size) for column in shown).rstrip()
        for row in range(1, ROWS + 1)
    ]


def draw(board: Roads, width: int = 24) -> str:
    """The whole scoreboard as text: five roads with their titles, the two answers, the counters.

    >>> from punto.roads import parse, roads
    >>> for line in draw(roads(parse("PBPBBP")), width=6).splitlines()[8:11]:
    ...     print(line)
    Big road
    P B P B P .
    . . . B . .
    >>> draw(roads(parse("PBPBBP"))).splitlines()[-3]
    'If Banker is next: big eye boy B, small road R, cockroach pig R'
    """
    shown: list[str] = []
    for road, title in TITLES.items():
        shown += [title, *lines(getattr(board, road), width), ""]
    shown.append(f"If Banker is next: {_answer(board.ask.banker)}")
    shown.append(f"If Player is next: {_answer(board.ask.player)}")
    count = board.count
    shown.append(
        f"Banker {count.banker}, Player {count.player}, Tie {count.tie}, Player pairs {count.player_pairs}, "
        f"Banker pairs {count.banker_pairs}, naturals {count.naturals}"
    )
    return "\n".join(shown)


def _answer(answer: AskAnswer) -> str:
    answers = msgspec.structs.asdict(answer)
    return ", ".join(f"{TITLES[road].lower()} {colour or '-'}" for road, colour in answers.items())
