"""How smoothly a table moves in the browser, and how soon a page is there.

python benchmarks/frames.py [ROUNDS]

A patron's table in the system's Chromium, without a GPU, while rounds are dealt with all motion on. Chromium's own
trace tells when frames were drawn and what the page's main thread did for each; the display refreshes sixty times a
second. Beside it, on the same page: an empty animation for as long, which is what this machine can do at best.
"""

import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from playwright.sync_api import CDPSession, Page

from browsing import Door, House, browsing

FRAME = 1000 / 60
COUPS = ("Kh 2c 9d 4s", "6h 2c Kd As 5h", "2c 3d 4h 2s 9d 5c", "9h 8c Kd Ks", "5h 7c Kd Ks 7h")
WATCH = """() => {
  window.seen = [];
  const look = (at) => { window.seen.push(at); window.watching = requestAnimationFrame(look); };
  window.watching = requestAnimationFrame(look);
}"""
STOP = "() => { cancelAnimationFrame(window.watching); return window.seen; }"
EMPTY = """(seconds) => new Promise((done) => {
  const dot = document.createElement("i");
  Object.assign(dot.style, { position: "fixed", width: "9px", height: "9px", background: "red", top: 0, left: 0 });
  document.body.append(dot);
  dot.animate([{ transform: "none" }, { transform: "translateX(300px)" }], { duration: seconds * 1000 })
    .finished.then(() => { dot.remove(); done(); });
})"""


class Trace:
    """What Chromium writes down of its own work."""

    def __init__(self, session: CDPSession) -> None:
        self._session = session
        self.events: list[dict[str, Any]] = []
        self._done = False
        session.on("Tracing.dataCollected", lambda piece: self.events.extend(piece["value"]))
        session.on("Tracing.tracingComplete", lambda _: setattr(self, "_done", True))
        wanted = {"includedCategories": ["devtools.timeline", "toplevel"]}
        session.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": wanted})

    def end(self, page: Page) -> None:
        """Stop, and wait for what was written."""
        self._session.send("Tracing.end")
        while not self._done:
            page.wait_for_timeout(50)

    def busy(self) -> list[float]:
        """How long the page's main thread was at work for each frame, in milliseconds."""
        threads = {
            (each["pid"], each["tid"])
            for each in self.events
            if each.get("name") == "thread_name" and each["args"]["name"] == "CrRendererMain"
        }
        tasks = [
            each
            for each in self.events
            if each.get("name") in ("RunTask", "ThreadControllerImpl::RunTask")
            and (each["pid"], each["tid"]) in threads
            and "dur" in each
        ]
        start = min(each["ts"] for each in tasks)
        frames: dict[int, float] = {}
        for each in tasks:
            at = int((each["ts"] - start) / 1000 // FRAME)
            frames[at] = frames.get(at, 0) + each["dur"] / 1000
        return sorted(frames.values())


def told(what: str, stamps: list[float]) -> None:
    """How far apart frames were."""
    gaps = sorted(later - earlier for earlier, later in pairwise(stamps))
    late = sum(gap > 1.5 * FRAME for gap in gaps)
    rate = 1000 * len(gaps) / (stamps[-1] - stamps[0])
    print(
        f"{what}: {rate:.1f} frames a second, {len(gaps)} frames; half within {gaps[len(gaps) // 2]:.1f} ms, "
        f"99 % within {gaps[int(len(gaps) * 0.99)]:.1f} ms; {late} late ({late / len(gaps):.1%})"
    )


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with tempfile.TemporaryDirectory() as folder, browsing() as browser:
        house = House(Path(folder))
        door = Door(browser, house)
        try:
            _measure(house, door, rounds)
        finally:
            door.close()
            house.close()


def _measure(house: House, door: Door, rounds: int) -> None:
    patron, table = house.patron("ann"), house.table("t1", "wu-song")
    patron.sit(table, 1)
    page = door.open(f"/table/{table}", patron, motion=True)
    page.locator("[data-bet]").first.wait_for()
    paint = page.evaluate("() => performance.getEntriesByType('paint').map((each) => [each.name, each.startTime])")
    print("; ".join(f"{name} after {at:.0f} ms" for name, at in paint))
    page.evaluate(WATCH)
    page.evaluate(EMPTY, 5)
    told("an empty animation", page.evaluate(STOP))
    trace = Trace(page.context.new_cdp_session(page))
    page.evaluate(WATCH)
    for number in range(rounds):
        house.manager.do(table, "open-bets")
        patron.bet(table, "banker", 10_00)
        page.wait_for_timeout(400)
        house.manager.do(table, "close-bets")
        house.deal(table, COUPS[number % len(COUPS)])
        page.wait_for_timeout(1200)
    told(f"{rounds} rounds dealt", page.evaluate(STOP))
    trace.end(page)
    busy = trace.busy()
    most = busy[int(len(busy) * 0.99)]
    print(f"the main thread worked {busy[len(busy) // 2]:.1f} ms a frame, 99 % of frames within {most:.1f} ms")


if __name__ == "__main__":
    main()
