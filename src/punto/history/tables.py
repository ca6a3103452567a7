"""What tables of rounds say besides cards and winners: the head of a shoe, and the wagers in a table of their own.

So what `punto history export` and `punto journal export` write as tables becomes the same history again.
"""

import csv
import io
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from punto.amounts import USUAL
from punto.history.lines import BLANKS, read_line
from punto.history.reader import BadHistory, LineFault
from punto.history.values import (
    INSURANCE,
    Field,
    History,
    Limit,
    RecordedCover,
    RecordedRound,
    RecordedShoe,
    RecordedWager,
)
from punto.kinds import guard
from punto.tabular import Cell, Rows, delimiter_of

_OF_A_HEAD = ("rulebook", "layout", "decks", "currency")
_OF_A_WAGER = ("shoe", "round", "bet", "stake")

NO_RULEBOOK = "The rounds name no rulebook: punto history import --book says which one was played by."

Fields = dict[str, str]


def csv_lines(text: str) -> list[tuple[int, list[str]]]:
    r"""The lines of CSV that say something, with their numbers; blank lines, and `#` before the names, are left out.

    >>> csv_lines("# monday\n\nshoe;cards\n1;K 6 7 K\n")
    [(3, ['shoe', 'cards']), (4, ['1', 'K 6 7 K'])]
    """
    first = next((line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")), "")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(first))
    found: list[tuple[int, list[str]]] = []
    try:
        for cells in reader:
            is_blank = not cells or cells == [""]
            if not is_blank and (found or not cells[0].lstrip().startswith("#")):
                found.append((reader.line_num, cells))
    except csv.Error as error:
        raise BadHistory((LineFault(reader.line_num, f"This is not CSV: {error}."),)) from None
    return found


def in_words(record: dict[str, Cell]) -> Fields:
    """A row with every cell as text; what is nothing is empty."""
    return {name: _text(cell) for name, cell in record.items()}


def _text(cell: Any) -> str:
    if isinstance(cell, tuple):
        return " ".join(map(str, cell))
    return "" if cell is None else str(cell).lower() if isinstance(cell, bool) else str(cell)


def head_of(given: Fields, shoe: RecordedShoe) -> RecordedShoe:
    """The head of a shoe by its first row; what was given goes before what the row says."""
    open_names = [name for name in _OF_A_HEAD if given.get(name) and not getattr(shoe, name)]
    head = msgspec.structs.replace(shoe, **{name: read_line(name, given[name]) for name in open_names})
    if not head.rulebook:
        raise ValueError(NO_RULEBOOK)
    lines = lines_of(given.get("head", ""), head.currency)
    limits, fields = all_of(lines, Limit), all_of(lines, Field)
    return msgspec.structs.replace(head, limits=shoe.limits + limits, fields=shoe.fields + fields)


def lines_of(text: str, currency: str | None) -> list[object]:
    """Lines of a history that stand in one cell."""
    parts = (BLANKS.sub(" ", line.strip(), count=1).partition(" ") for line in text.split("\n") if line.strip())
    return [read_line(first, rest, currency or USUAL) for first, _, rest in parts]


def all_of(lines: list[Any], kind: type[Any]) -> tuple[Any, ...]:
    """Those of a kind, in their order."""
    return tuple(each for each in lines if isinstance(each, kind))


# The wagers beside it


class _Place(NamedTuple):
    """Which round of which shoe, as tables say it."""

    shoe: str
    round: str


def with_wagers(history: History, table: Rows) -> History:
    """The history with the wagers and covers of a table, amounts in minor units, laid into its rounds.

    >>> from punto.history.importing import from_rows
    >>> bets = Rows(("shoe", "round", "bet", "stake"), ((1, 1, "tie", 1000),))
    >>> history = from_rows(Rows(("winner",), (("T",),)), RecordedShoe("wu-song"))
    >>> with_wagers(history, bets).shoes[0].rounds[0].wagers[0].stake
    1000
    """
    missing = [name for name in _OF_A_WAGER if name not in table.columns]
    if missing and table.columns:  # JSON Lines without a row have none
        sentence = f"There is no column {missing[0]!r}: a wager has {', '.join(_OF_A_WAGER)}."
        raise BadHistory((LineFault(1, sentence),))
    bets: dict[_Place, list[RecordedWager | RecordedCover]] = {
        _Place(str(at), str(each.number)): [] for at, shoe in enumerate(history.shoes, start=1) for each in shoe.rounds
    }
    faults: list[LineFault] = []
    for line, row in enumerate(map(in_words, table.records()), start=1):
        place = _Place(row["shoe"], row["round"])
        try:
            if place not in bets:
                raise ValueError(f"There is no round {place.round} of shoe {place.shoe} in the table of rounds.")
            bets[place].append(_bet(row))
        except ValueError as error:
            faults.append(LineFault(line, f"row {line} of the wagers: {error}"))
    if faults:
        raise BadHistory(tuple(faults))
    return History(tuple(_laid(shoe, str(at), bets) for at, shoe in enumerate(history.shoes, start=1)))


def _laid(shoe: RecordedShoe, number: str, bets: dict[_Place, list[RecordedWager | RecordedCover]]) -> RecordedShoe:
    def rounds() -> Iterator[RecordedRound]:
        for each in shoe.rounds:
            held = bets[_Place(number, str(each.number))]
            wagers, covers = all_of(held, RecordedWager), all_of(held, RecordedCover)
            yield msgspec.structs.replace(each, wagers=wagers, covers=covers)

    return msgspec.structs.replace(shoe, rounds=tuple(rounds()))


def _bet(row: Fields) -> RecordedWager | RecordedCover:
    """A wager or cover by its row."""
    stake = _minor(row, "stake")
    net = None if not row.get("net") else _minor(row, "net")
    patron = row.get("patron") or None
    if not row["bet"].endswith(INSURANCE):
        return RecordedWager(row["bet"], stake, net, patron)
    on = row.get("on", "")
    if not on.isdecimal():
        raise ValueError(f"{on!r} is not the number of a wager: a cover has one in the column 'on', counted from 1.")
    return RecordedCover(row.get("stage", ""), row["bet"].removesuffix(INSURANCE), stake, int(on), net, patron)


def _minor(row: Fields, name: str) -> int:
    text = row[name]
    if not text.removeprefix("-").isdecimal():
        raise ValueError(f"{text!r} is not an amount in minor units: the {name} is a whole number.")
    return int(text)


guard(globals(), "with_wagers")
