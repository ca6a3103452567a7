"""How long things take to start: the command, and the service with a long history behind its tables.

python benchmarks/start.py                              # `punto --help` and `import punto`
python benchmarks/start.py --houses                     # the service on large journals; many minutes, several GB
python benchmarks/start.py --houses --short --on postgresql
python benchmarks/start.py --houses empty young --on postgresql
python benchmarks/start.py --houses --folder FOLDER     # keeps the SQLite journals there, and uses those that are there

Beside it: a bare Python and one that imports Typer; the service on an empty journal, and reading the same bytes once.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

HOUSES = {"empty": (0, 0), "a year of one table": (1, 500_000), "a hundred tables": (100, 2_000), "young": (1000, 0)}
"""Tables, and rounds behind each."""

SHORTER = 50
"""With --short so many times fewer rounds."""


def best(*command: str) -> float:
    times = []
    for _ in range(7):
        start = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True)
        times.append(time.perf_counter() - start)
    return min(times)


def command_line() -> None:
    answer = best(sys.executable, "-m", "punto", "--help")
    bare = best(sys.executable, "-c", "pass")
    typer = best(sys.executable, "-c", "import typer")
    library = best(sys.executable, "-c", "import punto")
    print(f"import punto: {1000 * (library - bare):.0f} ms more than a bare python (goal 60)")
    print(f"punto --help: {answer:.2f} s (goal 0.15)")
    print(f"  beside it, a bare python {bare:.2f} s, importing Typer {typer:.2f} s; ratio {answer / typer:.1f}")


@contextmanager
def stored(kind: str, name: str, folder: Path | None) -> Iterator[str]:
    """A database: a file that is kept, or a new one."""
    from service_process import database

    if kind == "sqlite" and folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        yield f"sqlite:///{folder / name.replace(' ', '-')}.db"
    else:
        with database(kind) as found:
            yield found.url


def make(url: str, tables: int, rounds: int) -> int:
    """Make a journal, unless it is there; how many bytes its entries hold."""
    import sqlalchemy

    from bulk import append_history
    from punto.journal import Journal
    from punto.journal.leases import mark_released

    journal = Journal(url)
    journal.upgrade()
    names = [f"t{number}" for number in range(tables)]
    if not journal.tables():
        for name in names:
            append_history(journal, name, rounds)
        if names:
            mark_released(journal, names)
    with journal.transaction(reading=True) as connection:
        if not journal.sqlite:
            connection.execute(sqlalchemy.text("SET LOCAL statement_timeout = 0"))
        asked = sqlalchemy.text("SELECT coalesce(sum(length(body)), 0) FROM entries")
        size = int(connection.execute(asked).scalar_one())
    journal.close()
    return size


def read(url: str) -> float:
    """Seconds to read every event of a journal once, without looking at it."""
    from punto.audit.entries import chain
    from punto.journal import Journal

    journal = Journal(url)
    began = time.perf_counter()
    for name in journal.tables():
        for _ in chain(journal, name):
            pass
    taken = time.perf_counter() - began
    journal.close()
    return taken


def start(url: str, folder: Path) -> tuple[float, float, float]:
    """Seconds until the service answers, those of the processor, and the most memory it took, in MiB."""
    from service_process import Service

    with Service(folder, url, master_key_file=folder / "master.key") as service:
        began = time.perf_counter()
        service.start(wait=False)
        service.wait(seconds=3600)
        taken = time.perf_counter() - began
        times = Path(f"/proc/{service.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
        worked = sum(map(int, times)) / os.sysconf("SC_CLK_TCK")
        status = Path(f"/proc/{service.pid}/status").read_text(encoding="utf-8")
        [most] = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")]
        service.stop()
    return taken, worked, int(most) / 1024


def house(kind: str, name: str, shorter: int, folder: Path | None) -> None:
    tables, rounds = HOUSES[name]
    with stored(kind, name, folder) as url, TemporaryDirectory() as other:
        keys = (folder or Path(other)) / f"keys of {name}"  # a journal that is kept is opened by its own keys
        keys.mkdir(exist_ok=True)
        began = time.perf_counter()
        size = make(url, tables, rounds // shorter)
        made = time.perf_counter() - began
        print(f"{kind}, {name}: {tables} x {rounds // shorter} rounds, {size / 1e6:.0f} MB of events ({made:.0f} s)")
        print(f"  beside it, reading these once: {read(url):.1f} s")
        for which in ("the first start", "the next start"):
            taken, worked, memory = start(url, keys)
            print(f"  {which}: {taken:.1f} s, {worked:.1f} s of the processor; {memory:.0f} MiB at most", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--houses", nargs="*", choices=HOUSES, help="all of them, or those that are named")
    parser.add_argument("--on", nargs="+", default=["sqlite", "postgresql"])
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    if given.houses is None:
        command_line()
        return
    for kind in given.on:
        for name in given.houses or HOUSES:
            house(kind, name, SHORTER if given.short else 1, given.folder)


if __name__ == "__main__":
    main()
