"""How long a newcomer waits: from `git clone` to a round played in the browser, with what is told meanwhile.

python benchmarks/newcomer.py

Clones this repository into a folder of its own, calls `make run` there, comes in as a guest, sits down at a table,
bets on Banker and waits until the bet is won, lost or back. Packages come from wherever pip finds them: on a warm
cache nothing is fetched. Every line that `make run` prints is printed with its second, and so is every step.
"""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from playwright.sync_api import Page, expect

from browsing import browsing, tap

ROOT = Path(__file__).parent.parent
GAME = "Wu Song"
PATIENCE = 120_000  # milliseconds


class Clock:
    """Tells what happens with its second, and remembers the longest silence."""

    def __init__(self) -> None:
        self.began = self.last = time.monotonic()
        self.silence = 0.0

    def tell(self, what: str) -> None:
        """Print it."""
        now = time.monotonic()
        self.silence = max(self.silence, now - self.last)
        self.last = now
        print(f"{now - self.began:6.1f} s  {what}", flush=True)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def opened(running: subprocess.Popen[str], clock: Clock) -> str:
    """Read what make says until the house is open; its address."""
    assert running.stdout is not None
    for line in running.stdout:
        clock.tell(line.rstrip()[:100])
        if found := re.search(r"Punto is open at (\S+)", line):
            threading.Thread(target=running.stdout.read, daemon=True).start()  # or the house would wait for a reader
            return found.group(1)
    raise SystemExit("make run ended before the house was open.")


def play(page: Page, address: str, clock: Clock) -> None:
    """Come in as a guest, sit down, bet on Banker, and wait until the round is paid."""
    page.goto(address)
    page.get_by_role("button", name="Play as a guest").click()
    expect(page.locator(".who")).to_have_text(re.compile("^guest-"), timeout=PATIENCE)
    clock.tell("in as a guest")
    page.get_by_role("link", name=f"Sit down: {GAME}").click()
    page.get_by_role("region", name="How much in chips?").get_by_role("button").first.click()
    page.locator('.spot-box[data-bet="banker"].open').wait_for()
    clock.tell("seated, and bets are open")
    tap(page, "banker")
    page.locator('.spot-box[data-bet="banker"] .amount').wait_for()
    clock.tell("a bet lies on Banker")
    page.locator(".result-panel").wait_for()
    clock.tell(f"the round is played: {' '.join(page.locator('.result-panel').inner_text().split())}")


if __name__ == "__main__":
    clock = Clock()
    with tempfile.TemporaryDirectory() as name, browsing() as browser:
        subprocess.run(["git", "clone", "--quiet", str(ROOT), f"{name}/punto"], check=True)
        clock.tell("cloned")
        running = subprocess.Popen(
            ["make", "run"],
            cwd=f"{name}/punto",
            env=os.environ | {"PUNTO_PORT": str(free_port())},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            address = opened(running, clock)
            print(f"         (the longest time without a word was {clock.silence:.1f} s)")
            context = browser.new_context(viewport={"width": 1440, "height": 810}, locale="en-GB")
            context.set_default_timeout(PATIENCE)
            play(context.new_page(), address, clock)
        finally:
            os.killpg(running.pid, signal.SIGINT)
            running.wait()
