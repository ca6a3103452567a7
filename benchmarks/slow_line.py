"""How soon a patron's table is there on a slow line: the first content, and the first field on which a bet can be laid.

python benchmarks/slow_line.py [TIMES]

The system's Chromium with an empty cache and its own emulation of a line with 400 ms a round trip and 50 kB a second.
A table of each book in turn, with bets open and the patron seated.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from browsing import WITH_WINDOWS, Door, House, Somebody, browsing

ROUND_TRIP = 400  # milliseconds
BYTES = 50_000  # a second, each way
BOOKS = ("wu-song", "commission-insurance", "dragon-tiger-mbs")
FIRST_CONTENT = """() => performance.getEntriesByName("first-contentful-paint")[0].startTime"""
PLAYABLE = """() => new Promise((done) => {
  const look = () =>
    document.querySelector(".spot-box.open") ? done(performance.now()) : requestAnimationFrame(look);
  look();
})"""


def measured(door: Door, patron: Somebody, table: str) -> tuple[float, float]:
    """Milliseconds until the first content, and until a bet can be laid."""
    page = door.open("about:blank", patron)
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": ROUND_TRIP, "downloadThroughput": BYTES, "uploadThroughput": BYTES},
    )
    page.goto(f"/table/{table}", wait_until="commit")
    playable = float(page.evaluate(PLAYABLE))
    first = float(page.evaluate(FIRST_CONTENT))
    page.context.close()
    return first, playable


def main(times: int) -> None:
    with tempfile.TemporaryDirectory() as folder, browsing(WITH_WINDOWS) as browser:
        house = House(Path(folder))
        door = Door(browser, house)
        try:
            for book in BOOKS:
                patron, table = house.patron(f"slow-{book}"), house.table(f"slow-{book}", book)
                patron.sit(table, 3)
                house.manager.do(table, "open-bets")
                figures = [measured(door, patron, table) for _ in range(times)]
                for what, seen in zip(("first content", "playable"), zip(*figures, strict=True), strict=True):
                    low, middle, high = (each / 1000 for each in (min(seen), median(seen), max(seen)))
                    print(f"{book:22} {what:14} {middle:.2f} s, from {low:.2f} to {high:.2f}")
        finally:
            door.close()
            house.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
