"""Rounds a second that `punto settle` gets through on one core, three wagers each.

The known thing beside it, measured in the same run: how fast this machine decodes and encodes
the same JSON without settling anything.
"""

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from punto.coup import BadCards, deal
from punto.rulebook import ids, load, menu
from punto.settlement.rounds import settle_lines

ROUNDS = 100_000
DECK = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"] * 8


def rounds(count: int) -> Iterator[bytes]:
    chance = random.Random(8)
    menus = [menu(load(book), layout) for book in ids() for layout in load(book).layouts]
    for _ in range(count):
        drawn = chance.sample(DECK, 6)
        for used in (4, 5, 6):
            try:
                deal(" ".join(drawn[:used]))
                break
            except BadCards:
                continue
        carried = chance.choice(menus)
        wagers = [
            {"bet": bet, "stake": str(chance.randrange(1, 400) * 25)} for bet in chance.sample(list(carried.bets), 3)
        ]
        yield json.dumps(
            {
                "rulebook": carried.book.id,
                "layout": carried.layout.id,
                "cards": " ".join(drawn[:used]),
                "wagers": wagers,
            }
        ).encode()


def command(lines: list[bytes]) -> float:
    """Seconds that the command itself takes, start and all."""
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(b"\n".join(lines) + b"\n")
        file.flush()
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "punto", "settle", file.name], stdout=subprocess.DEVNULL, check=True)
        return time.perf_counter() - start


def main() -> None:
    lines = list(rounds(ROUNDS))
    for _ in settle_lines(lines[:2000]):
        pass
    inside = plain = whole = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        answers = [answer for answer, ok in settle_lines(lines) if ok]
        inside = min(inside, time.perf_counter() - start)
        start = time.perf_counter()
        for line in lines:
            json.loads(line)
        for answer in answers:
            json.dumps(json.loads(answer))
        plain = min(plain, time.perf_counter() - start)
        whole = min(whole, command(lines))
    assert len(answers) == ROUNDS
    print(f"punto settle FILE: {ROUNDS / whole:,.0f} rounds a second, start and all (three wagers each, goal 30,000)")
    print(f"  without the start, in Python: {ROUNDS / inside:,.0f}")
    print(f"  beside it, the standard library's json reading and writing the same text: {ROUNDS / plain:,.0f}")
    print(f"  ratio {plain / inside:.2f}")


if __name__ == "__main__":
    main()
