"""`punto design`: pay tables for a bet with open odds."""

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.output import Json, Layout, check_place, check_table, percent, print_json, print_table, write_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from punto.design import Design
    from punto.rulebook import Book

_FAR = Fraction(1, 100)
"""An edge further than this from the wanted one is not what was asked for."""

_WIDE = 0.05
"""Nor is a standard deviation that is further from the wanted one by this share of it."""

_USUAL = (8, 6)
"""The decks that a pay table is made for."""

_BOOK = typer.Argument(metavar="FILE", help='A TOML file with odds = "?" where odds are open.')

Number = Annotated[int, typer.Option(metavar="N", min=1, max=50, help="How many pay tables.")]
Shoes = Annotated[int, typer.Option(metavar="N", min=0, help="Shoes to look for counters in; 0: none.")]
Counted = Annotated[
    float | None, typer.Option(metavar="N", help="The most units that a perfect counter may win a shoe; else any.")
]
Written = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the book with the first odds in it (.toml); or the pay tables: .csv, .jsonl or .parquet.",
    ),
]

DeckCounts = Annotated[
    str | None,
    typer.Option(
        metavar="N,…",
        help="Decks; odds are found for the first number; else 8,6, or the nearest that the book allows.",
    ),
]
Hit = Annotated[
    str | None, typer.Option(metavar="SHARE", help="How often it is to win, such as 20%; else all open rows win.")
]
Deviation = Annotated[float | None, typer.Option(metavar="N", min=0, help="The wanted standard deviation; else any.")]


def design(
    book: Annotated[Path, _BOOK],
    bet: Annotated[str, typer.Argument(metavar="BET", help="The bet to find odds for.")],
    edge: Annotated[str, typer.Option(metavar="SHARE", help="The wanted house edge, such as 5% or 0.05.")] = "5%",
    layout: Layout = None,
    decks: DeckCounts = None,
    most: Annotated[int, typer.Option(metavar="N", help="The greatest odds, to 1.")] = 10_000,
    hit: Hit = None,
    sd: Deviation = None,
    counted: Counted = None,
    number: Number = 5,
    shoes: Shoes = 200,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw what each row gives back.")] = None,
    output: Written = None,
    json: Json = False,
) -> None:
    """Find the pay tables in whole odds that give a bet nearly the wanted edge."""
    from punto.design import BadDesign, OpenBook, designs, wanted_odds
    from punto.rulebook import source

    table = _table_among(output, plot)
    opened = OpenBook.of(source(str(book)), str(book))
    counts, wanted = _decks(decks, opened.book), _share(edge)
    often = None if hit is None else _share(hit)
    bet = opened.one_of(bet)
    if counted is not None and not shoes:
        raise BadDesign("What a counter wins is found by dealing: write --shoes with a number.")
    found = designs(
        opened,
        bet,
        wanted,
        layout=layout,
        decks=counts,
        most=most,
        hit=often,
        sd=sd,
        counted=counted,
        number=number,
        shoes=shoes,
    )
    if not found:
        raise BadDesign("There is no such pay table.")
    write_table(table, _rows(found))
    if output is not None and table is None:
        output.write_text(opened.filled_with(bet, layout, found[0]), encoding="utf-8")
    if plot is not None:
        _plot(found[0], opened.book.bets[bet].name, plot)
    if json:
        print_json([_as_json(each) for each in found])
        return
    _show(found, opened.book.bets[bet].name, counts)
    if abs(found[0].edges[counts[0]] - wanted) > _FAR and counted is None:
        _tell_missed(wanted, wanted_odds(opened, bet, wanted, layout, counts[0], often))
    if often is not None and abs(found[0].hit - often) > _FAR:
        typer.echo(f"No choice of its open rows wins nearer to {float(often):.2%} of the time.")
    if sd is not None and abs(found[0].sd - sd) > _WIDE * sd:
        typer.echo(f"No table of whole odds with about that edge has a standard deviation nearer to {sd:g}.")


def _plot(found: "Design", name: str, file: Path) -> None:
    from punto.report.plots import plot_design

    plot_design(found, name, file)


def _tell_missed(wanted: Fraction, odds: Fraction | None) -> None:
    instead = "" if odds is None else f" Odds of {float(odds):.2f}:1 would give it."
    typer.echo(f"No whole odds come nearer to an edge of {float(wanted):.2%} than the first.{instead}")


def _table_among(output: Path | None, plot: Path | None) -> Path | None:
    """The file of a table, if the output is to be one; refused where a file could not be written."""
    from punto.tabular import is_table

    table = output if output is not None and is_table(output) else None
    check_table(table)
    check_place(output)
    check_place(plot)
    return table


def _share(text: str) -> Fraction:
    from punto.rulebook.figures import Figure

    try:
        return Figure.of(text).value
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def _decks(text: str | None, book: "Book") -> list[int]:
    if text is None:
        return list(dict.fromkeys(map(book.decks.nearest, _USUAL)))
    counts = [part.strip() for part in text.split(",")]
    if not all(count.isdecimal() for count in counts):
        raise typer.BadParameter(f"{text!r} names no decks: write them like 8,6.")
    return [int(count) for count in counts]


def _show(found: "list[Design]", name: str, counts: list[int]) -> None:
    from punto.rulebook.words import pattern_in_words, pays_in_words

    for at, each in enumerate(found, start=1):
        rows = [
            (pattern_in_words(row.when), pays_in_words(row), f"{float(share):.4f}")
            for row, share in zip(each.rows, each.shares, strict=True)
        ]
        print_table(f"{name}, pay table {at}", ["when", "pays", "gives back"], rows)
        edges = ", ".join(f"{percent(each.edges[count])} with {count} deck{'s' * (count != 1)}" for count in counts)
        typer.echo(f"House edge {edges}; wins {float(each.hit):.4%} of the time; standard deviation {each.sd:.3f}.")
        if each.counted is not None:
            typer.echo(f"A perfect counter would win {each.counted:.3f} units a shoe.")
        typer.echo()


def _rows(found: "list[Design]") -> "Iterator[dict[str, object]]":
    """The pay tables as one: a pay row a row, with what holds of its whole table."""
    from punto.rulebook.words import pattern_in_words

    for number, each in enumerate(found, start=1):
        for row, share in zip(each.rows, each.shares, strict=True):
            yield {
                "table": number,
                "when": str(pattern_in_words(row.when)),
                "odds": row.odds.text if row.odds else None,
                "result": row.result,
                "gives_back": float(share),
                "hit": float(each.hit),
                "sd": each.sd,
                "counted": each.counted,
                **{f"edge_{count}_decks": float(edge) for count, edge in each.edges.items()},
            }


def _as_json(each: "Design") -> dict[str, object]:
    from punto.rulebook.words import pattern_in_words

    return {
        "rows": [
            {"when": str(pattern_in_words(row.when)), "odds": row.odds.text if row.odds else None, "result": row.result}
            for row in each.rows
        ],
        "edges": {str(count): f"{edge.numerator}/{edge.denominator}" for count, edge in each.edges.items()},
        "hit": f"{each.hit.numerator}/{each.hit.denominator}",
        "sd": each.sd,
        "greatest": each.greatest.text,
        "counted": each.counted,
    }
