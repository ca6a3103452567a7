"""A table has one book: its own. A later release ships another edition; the table goes on by the one it was opened by.

The earlier release is real: a copy of the package in which Player Pair pays 12 to 1, served by a process of its own.
"""

import shutil
from collections.abc import Iterator
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

import httpx
import pytest

import punto
from punto.rulebook import load
from service_process import People, Service, bearer, database, opening
from warm_start import warm_starts

BOOK, LAYOUT, BET = "wu-song", "A", "player-pair"
PAIRED = Fraction(31, 415)
"""The first two cards of a hand are a pair: of 415 cards that may follow the first in eight decks, 31 have its rank."""

TODAY, EARLIER = 11, 12
ROW = 'bet = "player-pair"\nwhen = { pairs = ["player", "both", "twin"] }\nodds = "%d:1"'


class House:
    """Two tables of a book, the older one opened under an earlier edition."""

    def __init__(self, address: str, lee: str, ann: str) -> None:
        self._tokens = {"lee": lee, "ann": ann}
        self.client = httpx.Client(base_url=address, timeout=600)

    def close(self) -> None:
        self.client.close()

    def get(self, path: str) -> httpx.Response:
        answer = self.client.get(path)
        assert answer.status_code == 200, answer.text
        return answer

    def do(self, table: str, who: str, **command: object) -> dict[str, Any]:
        head = bearer(self._tokens[who])
        answer = self.client.post(f"/api/tables/{table}/commands", headers=head, json=command)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found


def an_earlier_release(folder: Path) -> Path:
    """The package as it ships, but for one number in one book."""
    package = Path(punto.__file__).parent
    shutil.copytree(package, folder / "punto", ignore=shutil.ignore_patterns("__pycache__"))
    book = folder / "punto/rulebook/books" / f"{BOOK}.toml"
    text = book.read_text(encoding="utf-8")
    assert text.count(ROW % TODAY) == 1
    book.write_text(text.replace(ROW % TODAY, ROW % EARLIER), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("editions")
    earlier = an_earlier_release(folder / "earlier")
    with database("sqlite") as store:
        people = People(store.url)
        lee, ann = people.staff("lee", "table-game-shift-manager"), people.patron("ann")
        people.close()
        opened = opening(BOOK, layout=LAYOUT, auto=["announce", "deal"])
        with pytest.MonkeyPatch.context() as release:
            release.setenv("PYTHONPATH", str(earlier))
            before = Service(folder, store.url)
        with before.start(), closing(House(before.address, lee, ann)) as made:
            made.do("old", "lee", **opened)
            before.stop()
        with (
            Service(folder, store.url, warm_starts(), rate=1e6, burst=1_000_000).start() as now,
            closing(House(now.address, lee, ann)) as made,
        ):
            made.do("new", "lee", **opened)
            yield made


def odds_of(answer: httpx.Response) -> list[str]:
    return [row["odds"] for row in answer.json()[BET]["pays"]]


def test_the_felt_shows_the_bets_of_the_table_s_own_book(house: House) -> None:
    shipped = load(BOOK).digest
    digests = {}
    for name, pays in (("old", EARLIER), ("new", TODAY)):
        bets, book = house.get(f"/api/tables/{name}/bets"), house.get(f"/api/tables/{name}/book").json()
        assert odds_of(bets) == [f"{pays}:1"]
        digests[name] = book["digest"]
        assert bets.headers["book-digest"] == book["digest"]
        assert house.get(f"/api/tables/{name}").json()["view"]["digest"] == book["digest"]
        assert (book["id"], book["title"]) == (BOOK, load(BOOK).title)
    assert digests["new"] == shipped != digests["old"]


def test_where_only_an_id_is_known_it_is_today_s_edition_and_the_answer_says_so(house: House) -> None:
    shipped = load(BOOK).digest
    bets = house.get(f"/api/books/{BOOK}/bets?layout={LAYOUT}")
    assert (odds_of(bets), bets.headers["book-digest"]) == ([f"{TODAY}:1"], shipped)
    edges = house.get(f"/api/books/{BOOK}/odds?layout={LAYOUT}")
    assert Fraction(edges.json()[BET]["edge"]) == 1 - PAIRED * (TODAY + 1)
    assert edges.headers["book-digest"] == shipped
    assert house.get(f"/api/books/{BOOK}").json()["digest"] == shipped
    for told in ("terms", "clauses"):
        assert house.get(f"/api/books/{BOOK}/{told}").headers["book-digest"] == shipped
    for drill in ("payout", "irregularity"):
        assert house.get(f"/api/drills/{drill}?book={BOOK}&seed=1").json()["digest"] == shipped


def test_live_odds_are_those_of_the_table_s_own_book(house: House) -> None:
    for name, pays in (("old", EARLIER), ("new", TODAY)):
        found = house.get(f"/api/tables/{name}/odds").json()["bets"][BET]
        assert Fraction(found["edge"]) == 1 - PAIRED * (pays + 1)


def test_a_drill_about_a_table_is_made_from_its_book(house: House) -> None:
    """The same seed gives the same cards and wagers; a pair that is asked about is paid by each table's own book."""
    found = {}
    for seed in range(200):
        drill = house.get(f"/api/drills/payout?table=old&seed={seed}").json()
        at = next((at for at, each in enumerate(drill["wagers"]) if each["bet"] == BET), None)
        if at is not None and drill["player"][0][0] == drill["player"][1][0]:
            break
    assert at is not None
    for name, pays in (("old", EARLIER), ("new", TODAY)):
        drill = house.get(f"/api/drills/payout?table={name}&seed={seed}").json()
        assert drill["layout"] == LAYOUT
        assert drill["digest"] == house.get(f"/api/tables/{name}/book").json()["digest"]
        asked = {"book": BOOK, "seed": seed, "answers": [], "table": name}
        marked = house.client.post("/api/drills/payout", json=asked).json()["lines"][at]
        found[name] = marked["net"]
        assert (marked["odds"], marked["net"]) == (f"{pays}:1", pays * drill["wagers"][at]["stake"])
    assert found["old"] > found["new"]
    drill = house.get("/api/drills/irregularity?table=old&seed=3").json()
    assert drill["digest"] == house.get("/api/tables/old/book").json()["digest"]
    asked = {"book": BOOK, "seed": 3, "answer": 0, "table": "old"}
    assert house.client.post("/api/drills/irregularity", json=asked).status_code == 200
    assert house.client.get("/api/drills/payout?table=none").status_code == 404


def test_a_pair_is_paid_by_the_table_s_own_book(house: House) -> None:
    for name, pays in (("old", EARLIER), ("new", TODAY)):
        house.do(name, "lee", do="load-shoe")
        house.do(name, "ann", do="sit", patron="ann", box=1)
        house.do(name, "ann", do="buy-in", patron="ann", amount=1_000_000)
        house.do(name, "lee", do="open-bets")
        for bet in ("banker", BET):
            house.do(name, "ann", do="place", patron="ann", bet=bet, stake=10_000)
        house.do(name, "lee", do="close-bets")
        house.do(name, "lee", do="expose", faces=["9h", "2c", "9d", "5s"])
        settled = house.do(name, "lee", do="settle")["events"][-1]["event"]
        [line] = [each for each in settled["lines"]["ann"] if each["bet"] == BET]
        assert (line["odds"], line["net"]) == (f"{pays}:1", pays * 10_000)
        sequence = house.get(f"/api/tables/{name}/rounds").json()[-1]["last"]
        assert house.get(f"/api/tables/{name}/rounds/{sequence}").json()["winner"] == "player"
