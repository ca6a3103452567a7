"""`punto exposure --output`: the figures of a run as tables."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from punto.cli.late_exposure import NAMES, worth_figures
from punto.cli.output import write_table

if TYPE_CHECKING:
    from punto.exposure import Exposure, Measure


class ExposedTable(StrEnum):
    """The tables that a run has."""

    BETS = "bets"
    DEPTHS = "depths"
    INSURANCE = "insurance"


Which = Annotated[
    ExposedTable | None,
    typer.Option(metavar="bets|depths|insurance", help="Which table --output writes; else bets, or countermeasures."),
]
_WORTH = tuple(f"{name}{part}" for name in NAMES for part in ("", "_error", "_low", "_high"))
CELL_COLUMNS = ("stage", "hand", "own", "opposite", "odds", "full_shoe_edge", "met", *_WORTH)
DEPTH_COLUMNS = ("bet", "left", "rounds", "favourable", "units")
MEASURE_COLUMNS = ("kind", "value", "house_edge", "price", "rounds_a_shoe", "cap", "units", "protection", *_WORTH)


def write_run(output: Path | None, of: ExposedTable | None, total: "Exposure", result: dict[str, Any]) -> None:
    """Write the table of a run that was asked for."""
    if of is ExposedTable.INSURANCE:
        write_table(output, _flat(result["insurance"], CELL_COLUMNS), CELL_COLUMNS)
    elif of is ExposedTable.DEPTHS:
        write_table(output, _depths(result["bets"]), DEPTH_COLUMNS)
    else:
        write_table(output, total.to_rows())


def write_measures(output: Path | None, measures: Iterable[dict[str, Any]]) -> None:
    """Write countermeasures, one a row."""
    write_table(output, _flat(measures, MEASURE_COLUMNS), MEASURE_COLUMNS)


def measured(each: "Measure") -> dict[str, Any]:
    """A countermeasure in figures, as JSON has it."""
    return {
        "kind": each.kind,
        "value": each.value,
        "house_edge": each.house_edge,
        "price": each.price,
        "rounds_a_shoe": each.rounds,
        "cap": each.cap,
        "units": each.units,
        "protection": each.protection,
        **worth_figures(each.worth),
    }


def _depths(bets: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What every bet was worth by how many cards were left."""
    for bet, figures in bets.items():
        yield from ({"bet": bet, **each} for each in figures["by_depth"])


def _flat(records: Iterable[dict[str, Any]], columns: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Figures with their errors and intervals beside them, each in a column of its own."""
    for each in records:
        errors = {f"{name}_error": each["error"][name] for name in NAMES}
        intervals = {name: each["interval"][name] or (None, None) for name in NAMES}
        lows = {f"{name}_low": low for name, (low, _) in intervals.items()}
        highs = {f"{name}_high": high for name, (_, high) in intervals.items()}
        told = each | errors | lows | highs
        yield {name: told[name] for name in columns}
