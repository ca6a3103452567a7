"""The whole suite of tests several times beside busy processes, to see that no test is red by chance.

python chaos/busy.py                      # five runs beside four busy processes
python chaos/busy.py --runs 2 --busy 8

Each run is `make test` of this tree as it stands. What it prints is kept in a file, and a line says how it ended. The
exit status is 1 if a run failed. Ctrl-C ends everything.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent.parent
COUNTED = re.compile(r"^.*\b(?:passed|failed|errors?)\b.* in [\d.]+s.*$", re.MULTILINE)
"""The line with which pytest ends: how many tests passed, failed, and so on. `make test` runs several side by side."""


@contextmanager
def busy(number: int) -> Iterator[None]:
    """So many processes that keep a processor busy each, for as long as this lasts."""
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for one in processes:
            one.kill()
            one.wait()


def run(log: Path) -> int:
    """Run all tests once; what they say is written to this file."""
    with log.open("wb") as file:
        process = subprocess.Popen(["make", "test"], cwd=HERE, stdout=file, stderr=file, start_new_session=True)
        try:
            return process.wait()
        except KeyboardInterrupt:
            os.killpg(process.pid, signal.SIGINT)
            process.wait()
            raise


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the suite as often as wanted; 1 if a run failed."""
    parser = argparse.ArgumentParser(description="The whole suite of tests several times beside busy processes.")
    parser.add_argument("--runs", type=int, default=5, help="how often the suite is run (default 5)")
    parser.add_argument("--busy", type=int, default=4, help="how many busy processes run beside it (default 4)")
    parser.add_argument("--to", type=Path, default=HERE / "busy-runs", help="the folder for what each run says")
    asked = parser.parse_args(arguments)
    asked.to.mkdir(parents=True, exist_ok=True)
    failed = 0
    with busy(asked.busy):
        for number in range(1, asked.runs + 1):
            log, began = asked.to / f"run-{number}.txt", time.monotonic()
            status = run(log)
            failed += status != 0
            minutes = (time.monotonic() - began) / 60
            ended = "green" if status == 0 else f"failed, exit status {status}"
            print(f"{number} of {asked.runs}: {ended}, {minutes:.0f} min; {log}", flush=True)
            for line in COUNTED.findall(log.read_text(encoding="utf-8", errors="replace")):
                print(f"    {line.strip('= ')}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
