"""`punto roads`: the five roads of a sequence of results."""

from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.output import Json, console, print_json

if TYPE_CHECKING:
    from rich.text import Text

    from punto.roads import Roads

_RESULTS = {"B": "red", "P": "blue", "T": "green"}
_MARKS = {"R": "red", "B": "blue"}


def roads(
    sequence: Annotated[
        list[str],
        typer.Argument(
            metavar="SEQUENCE",
            help="Results such as BPTB; marks follow a result: b, p its pairs, n a natural, f a free hand.",
        ),
    ],
    json: Json = False,
    width: Annotated[int, typer.Option(min=6, metavar="N", help="How many columns to draw.")] = 30,
) -> None:
    """Draw the bead plate, the big road and the three derived roads, with the two ask answers."""
    from punto.roads import parse, to_json
    from punto.roads import roads as plotted

    board = plotted(parse(" ".join(sequence)))
    if json:
        print_json(to_json(board))
    else:
        console().print(coloured(board, width))


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
