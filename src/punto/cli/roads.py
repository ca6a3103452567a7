"""`punto roads`: the five roads of a sequence of results."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.output import Json, Table, check_table, console, print_json, write_table

if TYPE_CHECKING:
    from rich.text import Text

    from punto.roads import Roads
    from punto.tabular import Rows

_RESULTS = {"B": "red", "P": "blue", "T": "green"}
_MARKS = {"R": "red", "B": "blue"}


class RoadTable(StrEnum):
    """The roads as tables."""

    BEADS = "beads"
    BIG = "big"
    DERIVED = "derived"


def roads(
    sequence: Annotated[
        list[str],
        typer.Argument(
            metavar="SEQUENCE",
            help="Results such as BPTB; marks follow a result: b, p its pairs, n a natural, f a free hand.",
        ),
    ],
    json: Json = False,
    width: Annotated[int, typer.Option(min=6, max=1000, metavar="N", help="How many columns to draw.")] = 30,
    output: Table = None,
    of: Annotated[
        RoadTable | None, typer.Option(metavar="beads|big|derived", help="Which table --output writes; else beads.")
    ] = None,
) -> None:
    """Draw the bead plate, the big road and the three derived roads, with the two ask answers."""
    from punto.roads import parse, to_json
    from punto.roads import roads as plotted

    check_table(output, of)
    board = plotted(parse(" ".join(sequence)))
    write_table(output, table_of(board, of or RoadTable.BEADS))
    if json:
        print_json(to_json(board))
    else:
        console().print(coloured(board, width))


def table_of(board: "Roads", of: RoadTable) -> "Rows":
    """The bead plate, the big road or the derived roads as a table: a mark a row, with its place."""
    if of is RoadTable.BIG:
        return board.big.to_rows()
    return board.to_rows() if of is RoadTable.BEADS else board.derived()


def coloured(board: "Roads", width: int) -> "Text":
    """The roads as they are drawn, Banker red, Player blue, Tie green; derived marks red and blue."""
    from rich.text import Text

    from punto.roads import TITLES, draw

    text = Text()
    colours: dict[str, str] = {}
    for line in draw(board, width).splitlines():
        if line in TITLES.values():
            colours = _RESULTS if line in (TITLES["bead"], TITLES["big"]) else _MARKS
            text.append(f"{line}\n", style="bold")
        elif line.startswith(("If ", "Banker ")):
            text.append(f"{line}\n")
        else:
            for letter in line:
                text.append(letter, style=colours.get(letter, "dim" if letter == "." else ""))
            text.append("\n")
    text.rstrip()
    return text
