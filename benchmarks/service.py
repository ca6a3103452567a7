"""The service under load, with the load generator on the same machine: commands, followers, both; and memory.

python benchmarks/service.py                      # 1,000 tables, 5,000 followers; some minutes
python benchmarks/service.py --short              # the same in a minute, smaller
python benchmarks/service.py --on postgresql --by http socket --processes 2

Beside it: what the bare database commits a second, and what a trivial Litestar endpoint answers a second.
"""

import argparse
import asyncio
import json
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).parent))

import sqlalchemy
from wire import Http, Socket, opened

from punto.journal import Append, Journal
from punto.journal.leases import mark_released
from punto.settlement import Limits
from punto.table import act, commands, encode
from service_process import HOST, People, Service, database, free_port

BOOK = "wu-song"
BETS = ("player", "banker", "tie")
BUSY = 100
"""Followers follow so many of the tables."""

FOLLOWING = ["stream", "screen", "patrons"]
FROM_NOW = 2**53
"""A follower after this number hears nothing: a socket for commands only."""


def seed(url: str, tables: int, patrons: int) -> list[list[str]]:
    """Tables with open bets and patrons with money, and everybody's token, by table."""
    people, journal = People(url), Journal(url)
    tokens = []
    for number in range(tables):
        names = [f"p{number}-{seat}" for seat in range(patrons)]
        tokens.append([people.patron(name) for name in names])
        limits = Limits(minimum=1000, maximum=10_000_000, differential=1_000_000_000)
        steps: list[commands.Command] = [
            commands.OpenTable(BOOK, "2026-11-15T08:00:00+08:00", decks=8, limits=limits),
            commands.LoadShoe(),
        ]
        for box, name in enumerate(names[:6], start=1):
            steps.append(commands.Sit(name, box, by=name))
        steps += [commands.Stand(name, by=name) for name in names[6:]]
        steps += [commands.BuyIn(name, 1_000_000_000, by=name) for name in names]
        table, bodies = None, []
        for step in (*steps, commands.OpenBets()):
            table, made = act(table, step)
            bodies += [encode(event) for event in made]
        journal.append([Append(f"t{number}", 0, "seed", "seed", "2026-11-15T00:00:00Z", tuple(bodies))])
    mark_released(journal, [f"t{number}" for number in range(tables)])
    journal.close()
    people.close()
    return tokens


def bare(url: str, seconds: float) -> float:
    """What the database commits a second: one small row, one commit, one after the other."""
    journal = Journal(url)
    journal.upgrade()
    statement = sqlalchemy.text("INSERT INTO records (kind, name, body) VALUES ('bare', :name, :body)")
    done, end = 0, time.perf_counter() + seconds
    with journal.engine.connect() as connection:
        while time.perf_counter() < end:
            with connection.begin():
                connection.execute(statement, {"name": f"{done}-{time.time_ns()}", "body": "x" * 200})
            done += 1
    with journal.engine.begin() as connection:
        connection.execute(sqlalchemy.text("DELETE FROM records WHERE kind = 'bare'"))
    journal.close()
    return done / seconds


class Figures:
    """Delays, and how many a second."""

    def __init__(self) -> None:
        self.delays: list[float] = []
        self.refused = 0
        self.seconds = 0.0
        self.processor = 0.0

    def at(self, part: float) -> float:
        """A quantile, in milliseconds."""
        found = sorted(self.delays)
        return found[min(len(found) - 1, int(len(found) * part))] * 1000 if found else float("nan")

    @property
    def rate(self) -> float:
        """How many a second."""
        return len(self.delays) / self.seconds if self.seconds else 0.0

    def __str__(self) -> str:
        refused = f", {self.refused} refused" if self.refused else ""
        return f"{self.rate:,.0f} a second, p50 {self.at(0.5):.1f} ms, p99 {self.at(0.99):.1f} ms{refused}"


Say = Callable[[int, dict[str, Any]], Awaitable[bool]]


async def drive(say: Say, tables: int, patrons: int, at_once: int, seconds: float) -> Figures:
    """So many commands under way at once, for so long: bets placed and taken back, at all tables."""
    figures, end = Figures(), time.perf_counter() + seconds
    lines = [list(range(first, tables * patrons, at_once)) for first in range(at_once)]

    async def one(mine: list[int]) -> None:
        placed: dict[int, str] = {}
        chance = random.Random(mine[0])
        while time.perf_counter() < end:
            who = chance.choice(mine)
            name = f"p{who // patrons}-{who % patrons}"
            command: dict[str, Any] = {"do": "withdraw", "patron": name, "bet": placed.pop(who, "")}
            if not command["bet"]:
                placed[who] = chance.choice(BETS)
                command = {"do": "place", "patron": name, "bet": placed[who], "stake": 5000}
                if who % patrons >= 6:
                    command["box"] = 1
                    placed.pop(who)
            began = time.perf_counter()
            if await say(who, command):
                figures.delays.append(time.perf_counter() - began)
            else:
                figures.refused += 1

    began = time.perf_counter()
    await asyncio.gather(*(one(mine) for mine in lines if mine))
    figures.seconds = time.perf_counter() - began
    return figures


@asynccontextmanager
async def http_say(ports: list[int], tokens: list[list[str]], at_once: int) -> AsyncIterator[Say]:
    """Commands by HTTP on connections that are kept."""
    patrons = len(tokens[0])
    idle = [await opened(Http, HOST, ports[n % len(ports)]) for n in range(at_once)]

    async def say(who: int, command: dict[str, Any]) -> bool:
        connection = idle.pop()
        table, seat = divmod(who, patrons)
        status = await connection.post(
            f"/api/tables/t{table}/commands", tokens[table][seat], json.dumps(command).encode()
        )
        idle.append(connection)
        return status == 200

    yield say
    for connection in idle:
        connection.close()


@asynccontextmanager
async def socket_say(ports: list[int], tokens: list[list[str]], _: int) -> AsyncIterator[Say]:
    """Commands by WebSocket, from one patron of each table."""
    sockets = []
    for number, table in enumerate(tokens):
        path = f"/api/tables/t{number}/stream?after={FROM_NOW}"
        sockets.append(await opened(Socket, HOST, ports[number % len(ports)], path, table[0]))

    async def say(who: int, command: dict[str, Any]) -> bool:
        command["patron"] = f"p{who}-0"
        return "first" in await sockets[who].ask(command)

    yield say
    for socket in sockets:
        socket.close()


async def by_http(services: list[Service], tokens: list[list[str]], at_once: int, seconds: float) -> Figures:
    """Commands by HTTP."""
    async with http_say([service.port for service in services], tokens, at_once) as say:
        return await drive(say, len(tokens), len(tokens[0]), at_once, seconds)


async def by_socket(services: list[Service], tokens: list[list[str]], at_once: int, seconds: float) -> Figures:
    """Commands by WebSocket."""
    async with socket_say([service.port for service in services], tokens, at_once) as say:
        return await drive(say, len(tokens), 1, at_once, seconds)


async def follow(
    services: list[Service], tokens: list[list[str]], followers: int, load: Callable[[], Awaitable[Figures]], by: str
) -> tuple[Figures, Figures]:
    """So many followers of a busy floor: the delay from just before an event's commit to its arrival at each.

    Followers by `stream` are told events; by `screen` they are pushed what changed; `patrons` are screens of people who
    are logged in, so that each is pushed something of their own and their sessions are checked every second.
    """
    figures, busy = Figures(), min(len(tokens), BUSY)
    began = float("inf")

    def heard(message: bytes) -> None:
        at = message.find(b'"at":"') + 6
        if at < 6:
            return  # somebody else's purse
        said = datetime.fromisoformat(message[at : message.index(b'"', at)].decode()).timestamp()
        if said >= began:
            figures.delays.append(time.time() - said)

    sockets = []
    for number in range(followers):
        service, table = services[number % len(services)], number % busy
        token = tokens[table][number // busy % len(tokens[table])] if by == "patrons" else ""
        path = f"/api/tables/t{table}/{'stream' if by == 'stream' else 'screen'}"
        sockets.append(await opened(Socket, HOST, service.port, path, token, heard))
    await asyncio.sleep(1)  # what has been is told
    began, start, before = time.time() - 0.001, time.perf_counter(), spent(services)
    loaded = await load()
    figures.seconds = time.perf_counter() - start  # what comes after that counts for the delays only
    known = -1
    while len(figures.delays) > known:
        known = len(figures.delays)
        await asyncio.sleep(1)
    figures.processor = spent(services) - before
    for socket in sockets:
        socket.close()
    return figures, loaded


def trivial(at_once: int, seconds: float) -> Figures:
    """What a trivial endpoint of the same framework answers."""
    port = free_port()
    code = f"import uvicorn; from service import app; uvicorn.run(app(), port={port}, log_level='error')"
    with subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parent) as process:
        figures = asyncio.run(_get(port, at_once, seconds))
        process.kill()
    return figures


def app() -> Any:
    """An application that only answers."""
    from litestar import Litestar, post

    @post("/", status_code=200)
    async def answer(data: dict[str, Any]) -> dict[str, Any]:
        return data

    return Litestar([answer])


async def _get(port: int, at_once: int, seconds: float) -> Figures:
    for _ in range(500):
        try:
            connections = [await opened(Http, HOST, port) for _ in range(at_once)]
            break
        except OSError:
            await asyncio.sleep(0.02)
    body = json.dumps({"do": "place", "patron": "p1-1", "bet": "player", "stake": 5000}).encode()

    async def say(_: int, __: dict[str, Any]) -> bool:
        connection = connections.pop()
        status = await connection.post("/", "token", body)
        connections.append(connection)
        return status == 200

    return await drive(say, 1000, 7, at_once, seconds)


def spent(services: list[Service]) -> float:
    """The processor time that the services have taken, in seconds."""
    found = 0.0
    for service in services:
        after = Path(f"/proc/{service.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        found += (int(after[11]) + int(after[12])) / os.sysconf("SC_CLK_TCK")
    return found


def memory(services: list[Service]) -> str:
    """What the processes hold, and held at most."""
    found = []
    for service in services:
        lines = Path(f"/proc/{service.pid}/status").read_text(encoding="ascii").splitlines()
        held = dict(line.split(":", 1) for line in lines)
        now, most = (int(held[name].split()[0]) // 1024 for name in ("VmRSS", "VmHWM"))
        found.append(f"{now} MiB (at most {most})")
    return ", ".join(found)


def run(kind: str, asked: argparse.Namespace) -> None:
    """Everything on one database."""
    with database(kind) as store, TemporaryDirectory() as folder:
        print(f"\n{kind}, {asked.tables} tables with {asked.patrons} patrons each", flush=True)
        commits = bare(store.url, asked.seconds / 4)
        print(f"  the bare database: {commits:,.0f} commits a second", flush=True)
        endpoint = trivial(asked.at_once, asked.seconds / 4)
        print(f"  a trivial endpoint: {endpoint}", flush=True)
        tokens = seed(store.url, asked.tables, asked.patrons)
        count = asked.processes if kind == "postgresql" else 1
        many = {"sockets": 10**6, "connections_by_address": 10**6}
        free = {"rate": 1e9, "burst": 10**9, **many, "log_level": "error"}
        services = [Service(Path(folder), store.url, **free) for _ in range(count)]
        began = time.perf_counter()
        for service in services:
            service.start()
        print(f"  {count} process(es) up after {time.perf_counter() - began:.1f} s; {memory(services)}", flush=True)
        try:
            _load(asked, services, tokens, commits, endpoint)
        finally:
            for service in services:
                service.kill()


def _load(
    asked: argparse.Namespace, services: list[Service], tokens: list[list[str]], commits: float, endpoint: Figures
) -> None:
    ways = {"http": by_http, "socket": by_socket}
    for way in asked.by:
        before = spent(services)
        figures = asyncio.run(ways[way](services, tokens, asked.at_once, asked.seconds))
        each = (spent(services) - before) / max(1, len(figures.delays)) * 1e6
        ratios = f"{figures.rate / commits:.2f} of bare commits, {figures.rate / endpoint.rate:.2f} of the endpoint"
        says = f"{figures}; {each:.0f} µs of processor each; {ratios}; {memory(services)}"
        print(f"  commands by {way}, {asked.at_once} at once: {says}", flush=True)
    if not asked.followers:
        return
    for by in asked.follow:
        few = partial(by_http, services, tokens[:BUSY], 2, asked.seconds)
        told, given = asyncio.run(follow(services, tokens, asked.followers, few, by))
        each = told.processor / max(1, len(told.delays)) * 1e6
        says = f"{told} from before the commit to arrival; {each:.0f} µs of processor each; commands {given}"
        print(f"  {asked.followers} followers by {by}: {says}", flush=True)
        many = partial(ways[asked.by[-1]], services, tokens, asked.at_once, asked.seconds)
        told, given = asyncio.run(follow(services, tokens, asked.followers, many, by))
        print(f"  both together: commands {given}; followers by {by} {told}; {memory(services)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--on", nargs="+", default=["sqlite", "postgresql"])
    parser.add_argument("--by", nargs="+", default=["http", "socket"])
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--patrons", type=int, default=7)
    parser.add_argument("--follow", nargs="+", default=FOLLOWING, choices=FOLLOWING)
    parser.add_argument("--followers", type=int, default=5000)
    parser.add_argument("--processes", type=int, default=1, help="service processes, on PostgreSQL")
    parser.add_argument("--at-once", type=int, default=100, help="commands under way at once")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--short", action="store_true")
    asked = parser.parse_args()
    if asked.short:
        asked.tables, asked.followers, asked.seconds = 100, 500, 4.0
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for kind in asked.on:
        run(kind, asked)


if __name__ == "__main__":
    main()
