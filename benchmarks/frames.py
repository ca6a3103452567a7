"""How smoothly a table moves in the browser, and how soon a page is there.

python benchmarks/frames.py [ROUNDS]

A patron's table in the system's Chromium, without a GPU, while rounds are dealt at a dealer's pace with all motion on.
The page notes when its frames were due; then the same again under Chromium's own trace, which tells what the page's
main thread did for each. The display refreshes sixty times a second. Beside it, on the same page: an empty animation,
which is what this machine can do at best.
"""

import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from playwright.sync_api import CDPSession, Page

from browsing import WITH_WINDOWS, Door, House, Somebody, browsing, drawn

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
        f"99% within {gaps[int(len(gaps) * 0.99)]:.1f} ms; {late} late ({late / len(gaps):.1%})"
    )


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with tempfile.TemporaryDirectory() as folder, browsing(WITH_WINDOWS) as browser:
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
    page.evaluate(WATCH)
    _play(house, page, patron, table, rounds)
    told(f"{rounds} rounds dealt", page.evaluate(STOP))
    trace = Trace(page.context.new_cdp_session(page))
    _play(house, page, patron, table, rounds)
    trace.end(page)
    busy = trace.busy()
    most = busy[int(len(busy) * 0.99)]
    print(f"the main thread worked {busy[len(busy) // 2]:.1f} ms a frame, 99% of frames within {most:.1f} ms")


def _play(house: House, page: Page, patron: Somebody, table: str, rounds: int) -> None:
    """Rounds at the pace at which a dealer deals, with cards and chips moving most of the time."""
    for number in range(rounds):
        suits = "cdhs"[number // len(COUPS) % 4 :] + "cdhs"[: number // len(COUPS) % 4]  # no card comes too often
        faces = COUPS[number % len(COUPS)].translate(str.maketrans("cdhs", suits)).split()
        house.manager.do(table, "open-bets")
        patron.bet(table, "banker", 10_00)
        page.wait_for_timeout(500)
        house.manager.do(table, "close-bets")
        while (step := (view := house.manager.view(table))["next"][0]["do"]) != "open-bets":
            if step == "expose":
                down = sum(each is None for each in drawn(view))
                house.manager.do(table, "expose", faces=faces[:down])
                faces = faces[down:]
            else:
                house.manager.do(table, step)
            page.wait_for_timeout(500)
        page.wait_for_timeout(1000)


if __name__ == "__main__":
    main()
