"""The service of this tree beside that of another one: processor time for a command, both up and loaded in turn.

python benchmarks/beside.py ../before                       # another tree of Punto, checked out there
python benchmarks/beside.py ../before --on postgresql --by socket --slices 20

Each tree has a database of its own, made and served by its own code, and the same load. It comes in short slices, one
tree after the other, so that whatever else the machine does meets both; of the slices the median counts.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from service import drive, http_say, socket_say

HERE = Path(__file__).parent.parent
PATRONS = 7
WARM = 2
"""Slices that do not count."""


class Up(NamedTuple):
    """A service that is up, and what speaking to it needs."""

    port: int
    pid: int
    server: int
    """The process of its PostgreSQL server; 0 where there is none."""
    tokens: list[list[str]]


@contextmanager
def house(tree: Path, kind: str, tables: int) -> Iterator[Up]:
    """The house of a tree, for as long as this lasts."""
    command = [sys.executable, str(HERE / "benchmarks" / "kept_house.py"), str(tree), kind, str(tables), str(PATRONS)]
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("["):
                yield Up(*json.loads(line))
                break
        process.stdin.close()


def worked(pid: int) -> float:
    """The processor time of all threads of a process and of its children, in seconds.

    Those of a PostgreSQL server are children of one process. A child that has ended meanwhile is left out.
    """
    found = 0
    for child in [pid, *_children(pid)]:
        for thread in Path(f"/proc/{child}/task").glob("*/schedstat"):
            with suppress(FileNotFoundError, ProcessLookupError):
                found += int(thread.read_text(encoding="ascii").split()[0])
    return found / 1e9


def _children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in listed.read_text(encoding="ascii").split()]


class Slice(NamedTuple):
    """What a command took in one slice of the load, in microseconds of the processor, and how many there were."""

    service: float
    database: float
    rate: float
    half: float
    slowest: float


async def load(up: Up, say: Any, patrons: int, asked: argparse.Namespace) -> Slice:
    """One slice."""
    pids = [up.pid, up.server] if up.server else [up.pid]
    before = [worked(pid) for pid in pids]
    figures = await drive(say, len(up.tokens), patrons, asked.at_once, asked.seconds)
    taken = [worked(pid) - early for pid, early in zip(pids, before, strict=True)]
    service, database = [each / max(1, len(figures.delays)) * 1e6 for each in (*taken, 0.0)[:2]]
    return Slice(service, database, figures.rate, figures.at(0.5), figures.at(0.99))


async def compare(houses: tuple[Up, Up], by: str, asked: argparse.Namespace) -> list[tuple[Slice, Slice]]:
    """The load on both houses, on connections that stay open: pairs of slices, each in another order."""
    open_ways, patrons = (http_say, PATRONS) if by == "http" else (socket_say, 1)
    pairs = []
    async with AsyncExitStack() as stack:
        ways = [
            (up, await stack.enter_async_context(open_ways([up.port], up.tokens, asked.at_once)), patrons)
            for up in houses
        ]
        for number in range(asked.slices + WARM):
            order = [0, 1] if number % 2 else [1, 0]
            made = {which: await load(*ways[which], asked) for which in order}
            pairs.append((made[0], made[1]))
    return pairs[WARM:]


def tell(what: str, pairs: list[tuple[Slice, Slice]]) -> None:
    """Say the medians."""
    print(f"{what}: {len(pairs)} slices each")
    sides = [Slice(*map(statistics.median, zip(*side, strict=True))) for side in zip(*pairs, strict=True)]
    for name, side in zip(("this tree", "the other"), sides, strict=True):
        print(
            f"  {name}: service {side.service:.0f} µs, database {side.database:.0f} µs of processor for a command; "
            f"{side.rate:,.0f} a second, p50 {side.half:.0f} ms, p99 {side.slowest:.0f} ms"
        )
    service = [ours.service / theirs.service for ours, theirs in pairs]
    both = [(ours.service + ours.database) / (theirs.service + theirs.database) for ours, theirs in pairs]
    spread = f"{min(service):.2f} to {max(service):.2f}"
    print(f"  beside it: service {statistics.median(service):.2f} ({spread}), both {statistics.median(both):.2f}")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path, help="another tree of Punto")
    parser.add_argument("--on", nargs="+", default=["sqlite", "postgresql"])
    parser.add_argument("--by", nargs="+", default=["http", "socket"])
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--at-once", type=int, default=100, help="commands under way at once")
    parser.add_argument("--slices", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=0.5)
    asked = parser.parse_args()
    for kind in asked.on:
        with house(HERE, kind, asked.tables) as ours, house(asked.tree.resolve(), kind, asked.tables) as theirs:
            for by in asked.by:
                tell(f"{kind} by {by}", asyncio.run(compare((ours, theirs), by, asked)))


if __name__ == "__main__":
    main()
