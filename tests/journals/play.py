"""Play into a new journal by the public API of a running service, and keep it: a sample of the journal's format.

    PYTHONPATH=src:tests python tests/journals/play.py tests/journals/NAME

writes NAME.db and NAME.key, the public key that signed its checkpoints. Run it with the sources of the release whose
format is to be kept; `xz -9` makes it small. A sample is never made again: it shows what that release really wrote.
"""

import shutil
import sqlite3
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from punto.coup import RANKS, SUITS
from service_process import People, Service, bearer, opening, until

RANKED = {
    "insured": "table-game-shift-manager",
    "counted": "gaming-shift-manager",
    "virtual": "table-game-shift-manager",
}
"""The tables, and the rank of whoever works there."""

CARDS = "4h 5d 2c 2s 9d 7h 3c Ks 6d Qh 8s Jc As 9c 5s Th 4d 2h 6s 7c Kd 3d 8h Ah"
IN_CHIPS = {"minimum": 2_000, "maximum": 1_000_000, "differential": 100_000_000, "unit": 100}
"""Limits with chips of 1.00."""

FULL = {rank + suit: 8 for rank in RANKS for suit in SUITS}


class Table:
    """One table of the service, and everybody who speaks to it."""

    def __init__(self, client: httpx.Client, name: str, people: People) -> None:
        self._client, self._name, tokens = client, name, people.tokens
        self._tokens = {"lee": tokens[f"lee-{name}"], "ann": tokens["ann"], "bob": tokens["bob"]}

    def give(self, who: str, do: str, **given: Any) -> bool:
        """Give a command; whether it was accepted."""
        path = f"/api/tables/{self._name}/commands"
        named = {name.replace("_", "-"): value for name, value in given.items()}
        answer = self._client.post(path, headers=bearer(self._tokens[who]), json={"do": do, **named})
        assert answer.status_code in (200, 409), answer.text
        return answer.status_code == 200

    def must(self, who: str, do: str, **given: Any) -> None:
        """Give a command that is accepted."""
        assert self.give(who, do, **given), (self._name, do, given)

    def view(self) -> dict[str, Any]:
        """The table as its staff see it."""
        answer = self._client.get(f"/api/tables/{self._name}", headers=bearer(self._tokens["lee"]))
        found: dict[str, Any] = answer.json()["view"]
        return found

    def rounds(self) -> int:
        """How many rounds of the shoe in use are over."""
        return len(self._client.get(f"/api/tables/{self._name}/rounds").json())

    def open(self, book: str, **more: Any) -> None:
        """Open the table and seat two patrons."""
        given = opening(book, **more)
        self.must("lee", str(given.pop("do")), **given)
        for box, name in enumerate(("ann", "bob"), start=1):
            self.must(name, "sit", patron=name, box=box)
            self.must(name, "buy-in", patron=name, amount=1_000_000)


def play_virtual(table: Table) -> None:
    """Rounds of a virtual shoe, that shoe ended and revealed, and the next one in use."""
    table.open("wu-song", shoe="virtual")
    play_rounds(table, 3)
    until(partial(table.give, "lee", "end-shoe"), "the shoe to end")
    until(lambda: not table.rounds(), "the next shoe")
    play_rounds(table, 2)


def play_rounds(table: Table, count: int) -> None:
    """Bet until so many rounds of the shoe are over."""
    while table.rounds() < count:
        if table.give("ann", "place", patron="ann", bet="player", stake=20_000):
            table.give("bob", "place", patron="bob", bet="tiger", stake=5_000)
            until(lambda: table.view()["round"]["phase"] != "betting", "bets to close")


def play_insured(table: Table) -> None:
    """Rounds with cover from a hand-dealt shoe, other limits, and a round that is still open."""
    table.open("commission-insurance", limits=IN_CHIPS)
    table.must("lee", "load-shoe")
    cards = iter(
        [
            "4h",
            "5d",
            "2c",
            "2s",
            "9d",
            "7h",
            "3c",
            "Ks",
            "6d",
            "Qh",
            "8s",
            "Jc",
            "As",
            "9c",
            "5s",
            "Th",
            "4d",
            "2h",
            "6s",
            "7c",
            "Kd",
            "3d",
            "8h",
            "Ah",
        ]
        * 4
    )
    for _ in range(3):
        table.must("lee", "open-bets")
        table.must("ann", "place", patron="ann", bet="player", stake=60_000)
        table.must("bob", "place", patron="bob", bet="banker", stake=60_000)
        table.give("bob", "place", patron="bob", bet="banker", stake=1_000)  # until engine 4: it wins 9.50
        table.must("lee", "close-bets")
        while (view := table.view())["round"]["phase"] == "closed":
            step = view["next"][0]["do"]
            table.give("ann", "insure", patron="ann", hand="player", stake=6_000)
            if step == "expose":
                hands = view["round"]["player"]["cards"] + view["round"]["banker"]["cards"]
                table.must("lee", "expose", faces=[next(cards) for card in hands if card is None])
            else:
                table.must("lee", step)
    table.must("lee", "post-limits", limits={"minimum": 500, "maximum": 500_000, "differential": 1_000_000})
    table.must("bob", "cash-out", patron="bob", amount=100_000)
    table.must("lee", "open-bets")
    table.must("ann", "place", patron="ann", bet="tie", stake=5_000)


def play_counted(table: Table) -> None:
    """A patron leaves with a card: what it was is deduced from a count, and two cards are read under seal."""
    table.open("dragon-tiger-mbs", method="A", **{"face-down": True, "auto": []})
    table.must("lee", "load-shoe")
    table.must("lee", "open-bets")
    table.must("ann", "place", patron="ann", bet="player", stake=50_000)
    table.must("bob", "place", patron="bob", bet="small-dragon", stake=5_000)
    table.must("lee", "close-bets")
    for _ in range(4):
        table.must("lee", "draw")
    table.must("lee", "expose", faces=["Kd"], at=2)
    table.must("lee", "expose", faces=["2c"], at=1)
    table.must("lee", "expose", faces=["3s"], at=3)
    table.must("ann", "leave", patron="ann")
    table.must("lee", "report", fact="cards-carried-off", cards=[0], patron="ann")
    table.must("lee", "answer", question=table.view()["questions"][-1]["id"], choice="present")
    count = dict(FULL)
    for face in ("2c", "3s", "Kd", "7h", "9c", "4d"):
        count[face] -= 1
    question = table.view()["questions"][-1]["id"]
    table.must("lee", "answer", question=question, choice="counted", count=count, sealed=["9c", "4d"])
    table.must("lee", "draw")
    table.must("lee", "expose", faces=["9c"])
    table.must("lee", "settle")
    table.must("lee", "end-shoe")


def make(kept: Path) -> None:
    """Play, stop the service in good order, and keep the database as one file."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        url = f"sqlite:///{folder}/punto.db"
        people = People(url)
        for patron in ("ann", "bob"):
            people.patron(patron)
        for table, rank in RANKED.items():
            people.staff(f"lee-{table}", rank, table)
        people.close()
        quick = {"betting_seconds": 0.3, "pace": 0.01, "checkpoint_every": 20, "rate": 10_000, "burst": 10_000}
        with Service(folder, url, **quick).start() as service, httpx.Client(base_url=service.address) as client:
            play_insured(Table(client, "insured", people))
            play_counted(Table(client, "counted", people))
            play_virtual(Table(client, "virtual", people))
            service.stop()
        with sqlite3.connect(folder / "punto.db") as database:
            database.execute("PRAGMA journal_mode = DELETE")
        database.execute("VACUUM")
        [(key,)] = database.execute("SELECT DISTINCT key FROM checkpoints").fetchall()
        database.close()
        shutil.copy(folder / "punto.db", kept.with_suffix(".db"))
        kept.with_suffix(".key").write_text(f"{key}\n")


if __name__ == "__main__":
    make(Path(sys.argv[1]))
