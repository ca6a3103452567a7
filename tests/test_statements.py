"""What a command costs the store does not grow with the history: no statement goes through a table that grows."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import event

from punto.journal import Append, Journal
from punto.table.events import RoundSettled
from service_room import Room, quick

GROWING = ("entries", "checkpoints", "snapshots", "records", "secrets")


@contextmanager
def noted(journal: Journal) -> Iterator[dict[str, Any]]:
    """The statements that are sent to a store, each with the values of one time."""
    asked: dict[str, Any] = {}

    def note(_: Any, __: Any, statement: str, values: Any, *___: Any) -> None:
        asked.setdefault(statement, values[0] if isinstance(values, list) else values)

    event.listen(journal.engine, "before_cursor_execute", note)
    yield asked
    event.remove(journal.engine, "before_cursor_execute", note)


def check_plans(journal: Journal, asked: dict[str, Any]) -> None:
    """SQLite finds every row that a statement is about by an index."""
    known = {each for each in asked if re.match(r"\s*(SELECT|INSERT|UPDATE|DELETE)", each)}
    assert any("entries" in each for each in known)
    with journal.engine.connect() as connection:
        for statement in known:
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", asked[statement]):
                scanned = re.match(r"SCAN (\w+)", row[3])
                assert scanned is None or scanned[1] not in GROWING, (statement, row[3])


def test_no_statement_of_a_played_table_goes_through_all_rows(tmp_path: Path) -> None:
    given = quick(f"sqlite:///{tmp_path}/room.db", tmp_path, checkpoint_every=5)

    async def play() -> None:
        async with Room(given) as room:
            with noted(room.journal) as asked:
                await room.open("t", "commission-insurance", auto=("announce", "deal", "offer", "settle"))
                await room.seat("t", "ann", 1)
                while len(await room.happened("t", RoundSettled)) < 3:
                    await room.bet("t", "ann", "player", 10_00)
                    await room.until("t", lambda table: table.round is not None and table.round.phase != "betting")
            check_plans(room.journal, asked)

    asyncio.run(play())


def test_nor_does_one_that_adds_the_commands_of_many_tables(tmp_path: Path) -> None:
    with closing(Journal(f"sqlite:///{tmp_path}/many.db")) as journal:
        journal.upgrade()
        for at in range(2):
            batch = [Append(f"t{each}", at, f"k{at}", "ann", "2026-11-15T00:00:00Z", (b"{}",)) for each in range(5)]
            with noted(journal) as asked:
                journal.append(batch)
        check_plans(journal, asked)
