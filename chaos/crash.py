"""Kills the service many times under people who play, on each database, and says what was seen.

python chaos/crash.py [--kills 500] [--seed 1] [sqlite] [postgresql]
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from service_process import database
from test_crash import crash


def main() -> None:
    """Run it, one database after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("on", nargs="*", default=["sqlite", "postgresql"])
    asked = parser.parse_args()
    for kind in asked.on:
        began = time.monotonic()
        with database(kind) as store, tempfile.TemporaryDirectory() as folder:
            played = crash(Path(folder), store, asked.kills, asked.seed)
        print(f"{kind}: {played}; nothing lost, nothing twice, {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
