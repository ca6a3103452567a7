"""Wagers as a table: a wager or cover a row in, the same row with what it comes to out."""

from collections.abc import Iterator
from itertools import groupby

import msgspec

from punto.settlement.rounds import Faulty, Rounds, Settled, SettledLine
from punto.tabular import BadTable, Cell, Rows

NEEDED = ("rulebook", "cards", "bet", "stake")
OF_A_ROUND = ("rulebook", "layout", "decks", "currency", "cards")
TOGETHER = ("round", "patron", *OF_A_ROUND)
"""Rows that follow each other and agree in these are settled together, where there is a column `round`."""

ADDED = ("effective", "returned", "result", "net", "odds", "commission", "clause", "readings", "says", "error")
"""The columns that settling adds."""

_INSURANCE = "-insurance"

Record = dict[str, Cell]


def settle_table(table: Rows) -> tuple[Rows, int]:
    """The table with what every wager comes to, and how many rows could not be settled.

    >>> given = Rows(("rulebook", "cards", "bet", "stake"), (("wu-song", "K 6 7 K", "player", "100"),))
    >>> settled, faulty = settle_table(given)
    >>> settled.records()[0]["net"], settled.records()[0]["clause"], faulty
    ('50.00', '4.1.1', 0)
    """
    missing = [name for name in NEEDED if name not in table.columns]
    if missing and table.columns:  # JSON Lines without a row have none
        raise BadTable(f"There is no column {missing[0]!r}: a wager has {', '.join(NEEDED)}.")
    rounds, answered = Rounds(), []
    for rows in _together(table):
        answered += list(_answers(rounds, rows))
    columns = (*(name for name in table.columns if name not in ADDED), *ADDED)
    made = tuple(tuple(each.get(name) for name in columns) for each in answered)
    return Rows(columns, made), sum(each["error"] is not None for each in answered)


def _together(table: Rows) -> Iterator[list[Record]]:
    if "round" not in table.columns:
        yield from ([each] for each in table.records())
        return
    for _, rows in groupby(table.records(), key=lambda each: [each.get(name) for name in TOGETHER]):
        yield list(rows)


def _answers(rounds: Rounds, rows: list[Record]) -> Iterator[Record]:
    """The rows of a round with what they come to; in the order in which they stand, wagers and covers mixed."""
    answer = rounds.answer(msgspec.json.encode(_round(rows)), 1)
    if isinstance(answer, Faulty):
        yield from ({**row, **dict.fromkeys(ADDED), "error": answer.error} for row in rows)
        return
    lines = _in_order(rows, answer)
    for row, line in zip(rows, lines, strict=True):
        yield {
            **row,
            **{name: getattr(line, name) for name in ADDED[:-1]},
            "error": None,
        }


def _in_order(rows: list[Record], answer: Settled) -> list[SettledLine]:
    wagers = iter(answer.lines[: sum(not _is_cover(row) for row in rows)])
    covers = iter(answer.lines[sum(not _is_cover(row) for row in rows) :])
    return [next(covers if _is_cover(row) else wagers) for row in rows]


def _is_cover(row: Record) -> bool:
    return str(row["bet"] or "").endswith(_INSURANCE)


def _round(rows: list[Record]) -> dict[str, object]:
    """The round that some rows are, as `punto settle` reads one."""
    first = rows[0]
    given: dict[str, object] = {name: first[name] for name in OF_A_ROUND if first.get(name) is not None}
    if isinstance(given.get("decks"), str) and str(given["decks"]).isdecimal():
        given["decks"] = int(str(given["decks"]))
    given["wagers"] = [{"bet": row["bet"], "stake": row["stake"]} for row in rows if not _is_cover(row)]
    given["insurance"] = [
        {"stage": row.get("stage"), "hand": str(row["bet"]).removesuffix(_INSURANCE), "stake": row["stake"]}
        for row in rows
        if _is_cover(row)
    ]
    return given
