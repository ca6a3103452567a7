"""Corrections at two processes at once: misread cards, before and after payment, from everybody and under used keys.

Whatever is sent to both, every acknowledged command is in the chain once, the chain is decided again to the same end,
and everybody has what the cards on record pay, counted by the second implementation.
"""

from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

import httpx
import pytest

from punto.audit import verify
from punto.service.days import start_of_days
from punto.service.money.count import Counter
from punto.table import Table, decode_event, events, evolve
from random_commands import DECK, Chance
from service_process import PATIENCE, Database, People, Service, bearer, database, open_house, opening

from second import MENUS, Drawn

PIPS = {"A": 1, **{str(number): number for number in range(2, 10)}}
PATRONS = ("ann", "bob", "cat")
DEALERS = ("max", "kim")
MANAGER = "table-game-shift-manager"
BOOKS = ("wu-song", "commission-insurance")
BETS = ("player", "banker", "tie")
ROUNDS, AT_ONCE = 5, 16
UNIT = 2000
"""Stakes go by this, so that commission and half odds are whole."""


class Floor:
    """A table at two processes, and whoever plays and deals at either."""

    def __init__(self, store: Database, services: tuple[Service, Service], book: str, seed: int) -> None:
        self.store, self.services, self.name, self.book = store, services, f"{book}-{seed}", book
        self.luck = Chance(f"{book} {seed}")
        self.answered: dict[str, tuple[int, int]] = {}
        """By whom and key: the numbers of the events that a command was answered with."""
        people = People(store.url)
        tail = f"-{self.name}"
        self.who = {name: f"{name}{tail}" for name in (*PATRONS, *DEALERS, "lee")}
        self.tokens = {name: people.patron(self.who[name]) for name in PATRONS}
        self.tokens |= {name: people.staff(self.who[name], "dealer", self.name) for name in DEALERS}
        self.tokens["lee"] = people.staff(self.who["lee"], MANAGER, self.name)
        people.close()
        self.must("lee", **dict[str, Any](opening(book, auto=["deal", "settle"])))
        self.must("max", do="load-shoe")
        for box, name in enumerate(PATRONS, 1):
            self.must(name, do="sit", patron=self.who[name], box=box, **{"accepts-notice": True})
            self.must(name, do="buy-in", patron=self.who[name], amount=500 * UNIT)

    def give(self, name: str, command: dict[str, Any], key: str, at: int) -> int:
        """Give a command at one of the processes, until it is answered; the status."""
        head = bearer(self.tokens[name]) | {"Idempotency-Key": key}
        path = f"{self.services[at].address}/api/tables/{self.name}/commands"
        while True:
            answer = httpx.post(path, json=command, headers=head, timeout=PATIENCE)
            if answer.status_code != 503:
                break
        assert answer.status_code in (200, 400, 403, 409), answer.text
        if answer.status_code == 200:
            found = answer.json()
            said = self.answered.setdefault(f"{self.who[name]} {key}", (found["first"], found["last"]))
            assert said == (found["first"], found["last"]), "one key has one answer at both"
        return answer.status_code

    def must(self, name: str, /, **command: Any) -> None:
        status = self.give(name, command, self.key(), self.luck.randrange(2))
        assert status == 200, command

    def key(self) -> str:
        return f"{self.luck.getrandbits(64):x}"

    def view(self) -> dict[str, Any]:
        path = f"{self.services[self.luck.randrange(2)].address}/api/tables/{self.name}"
        found: dict[str, Any] = httpx.get(path, headers=bearer(self.tokens["lee"]), timeout=PATIENCE).json()["view"]
        return found

    def face(self) -> str:
        return self.luck.one(DECK)

    # What is done

    def round(self) -> None:
        """A round, with corrections from all sides before it is paid, or after it, or both."""
        self.until_bets()
        for name in PATRONS:
            for bet in self.luck.some(BETS):
                stake = UNIT * self.luck.randint(1, 10)
                self.give(name, {"do": "place", "patron": self.who[name], "bet": bet, "stake": stake}, self.key(), 0)
        for _ in range(40):
            view = self.view()
            step = view["next"][0]["do"]
            if step in ("open-bets", "load-shoe", "end-shoe"):
                break
            if any(None not in view["round"][hand]["cards"] for hand in ("player", "banker")) and self.luck.often(0.3):
                self.storm(4)
            self.step(view)
        self.storm(AT_ONCE)

    def until_bets(self) -> None:
        """Go on until bets are open."""
        for _ in range(60):
            view = self.view()
            if view["next"][0]["do"] == "close-bets":
                return
            self.step(view)
        raise AssertionError(f"bets are never open: {self.view()['next']}")

    def step(self, view: dict[str, Any]) -> None:
        """What is next at the table."""
        do = view["next"][0]["do"]
        command: dict[str, Any] = {"do": do}
        if do == "expose":
            hands = view["round"]["player"]["cards"] + view["round"]["banker"]["cards"]
            command["faces"] = [self.face() for card in hands if card is None]
        elif do == "announce":
            command["what"] = "result"
        elif do == "answer":
            command |= self.an_answer(view)
        elif do == "open-bets" and view["cards_left"] < 20:
            command = {"do": "end-shoe"}
        self.give("lee" if do == "answer" else self.luck.one(DEALERS), command, self.key(), self.luck.randrange(2))

    def an_answer(self, view: dict[str, Any]) -> dict[str, Any]:
        asked = [each for each in view["questions"] if each["blocks"]][-1]
        choice = self.luck.one([each for each in asked["choices"] if each != "rule"])
        given = {"question": asked["id"], "choice": choice, "reason": "As seen."}
        return given | ({"patron": asked["waiting"][0]} if asked["waiting"] else {})

    def storm(self, number: int) -> None:
        """So many commands at the same moment, each at either process, some of them at both under one key."""
        sent: list[tuple[str, dict[str, Any], str, int]] = []
        while len(sent) < number:
            name, command = self.anything()
            key, at = self.key(), self.luck.randrange(2)
            sent.append((name, command, key, at))
            if self.luck.often(0.4):
                sent.append((name, command, key, 1 - at))
        with ThreadPoolExecutor(len(sent)) as pool:
            statuses = list(pool.map(lambda each: self.give(*each), sent))
        for (name, command, _, _), status in zip(sent, statuses, strict=True):
            assert status != 200 or command["do"] != "report" or name not in PATRONS, "patrons correct nothing"

    def anything(self) -> tuple[str, dict[str, Any]]:
        """A correction, for the most part; else money that comes and goes, or the next step."""
        luck = self.luck
        who = luck.one(PATRONS)
        if luck.often(0.6):
            cards = luck.sample(range(6), luck.randint(1, 2))
            report: dict[str, Any] = {
                "do": "report",
                "fact": luck.one(("wrong-call", "wrong-call", "wrong-display")),
                "cards": cards,
            }
            report["faces"] = [self.face() for _ in cards] if luck.often(0.8) else []
            if luck.often(0.15):
                report["earlier"] = True
            return luck.one((*DEALERS, *DEALERS, "lee", who)), report
        if luck.often(0.3):
            return luck.one(DEALERS), luck.one(({"do": "settle"}, {"do": "announce", "what": "result"}))
        amount = UNIT * luck.randint(1, 50)
        do = luck.one(("buy-in", "cash-out", "pay-owed"))
        return who, {"do": do, "patron": self.who[who], "amount": amount}


@pytest.fixture(scope="module")
def processes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, tuple[Service, Service]]]:
    folder: Path = tmp_path_factory.mktemp("corrections")
    many = {"rate": 100_000, "burst": 100_000, "texts_an_hour": 10**6}
    with (
        database("postgresql") as store,
        Service(folder, store.url, **many) as one,
        Service(folder, store.url, **many) as other,
    ):
        one.start()
        other.start()
        yield store, (one, other)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("book", BOOKS)
def test_corrections_at_both_pay_by_the_cards_on_record(
    processes: tuple[Database, tuple[Service, Service]], book: str, seed: int
) -> None:
    floor = Floor(*processes, book, seed)
    for _ in range(ROUNDS):
        floor.round()
    with closing(open_house(floor.store.url)) as journal:
        found = journal.read(floor.name)
        assert [each.wrong for each in verify(journal) if each.table == floor.name] == [None]
        assert Counter(journal, start_of_days("00:00+00:00")).count().zero
    made: dict[str, list[int]] = defaultdict(list)
    for entry in found:
        made[entry.key].append(entry.sequence)
    for key, (first, last) in floor.answered.items():
        if last >= first:
            assert made[key] == list(range(first, last + 1)), "what was answered is there, once"
    paid = Paid([decode_event(each.body) for each in found])
    assert paid.rounds
    assert paid.corrected, "some cards were put right"
    for name, patron in paid.table.patrons.items():
        assert patron.balance + patron.held - patron.owed == paid.expected[name], name


class Paid:
    """What everybody should have by the money that came and went, and by the last cards of every round."""

    def __init__(self, told: list[events.Event]) -> None:
        tables: list[Table | None] = [None]
        for event in told:
            tables.append(evolve(tables[-1], event))
        assert tables[-1] is not None
        self.table = tables[-1]
        self.expected: dict[str, int] = defaultdict(int)
        self.rounds = 0
        self.corrected = sum(isinstance(each, events.FacesCorrected) for each in told)
        nets: dict[str, int] = {}
        for event, before in zip(told, tables, strict=False):
            match event:
                case events.BoughtIn(patron=patron, amount=amount) | events.OwedPaid(patron=patron, amount=amount):
                    self.expected[patron] += amount
                case events.CashedOut(patron=patron, amount=amount):
                    self.expected[patron] -= amount
                case events.RoundSettled():
                    assert before is not None
                    nets = self.by_the_cards(before, event)
                    self.rounds += not event.again
                case events.RoundEnded(how="void"):
                    nets = {}
                case events.BetsOpened():
                    self.take(nets)
                    nets = {}
                case _:
                    pass
        self.take(nets)

    def take(self, nets: dict[str, int]) -> None:
        for patron, net in nets.items():
            self.expected[patron] += net

    def by_the_cards(self, table: Table, settled: events.RoundSettled) -> dict[str, int]:
        """What a round pays for its cards, by the second implementation."""
        player, banker = settled.cards
        ranks = [[PIPS.get(face[:-1], 0) for face in hand] for hand in (player, banker)]
        coup = Drawn(0, sum(ranks[0]) % 10, sum(ranks[1]) % 10, len(player), len(banker), 0, 0)
        assert coup.winner == settled.winner
        prices = MENUS[table.book.id][table.setup.layout]
        nets: dict[str, int] = defaultdict(int)
        assert table.round is not None
        for (patron, _, bet), wager in table.round.wagers.items():
            earns = prices[bet](coup)
            net = Fraction(-wager.stake) if earns is None else earns * wager.stake
            assert net.denominator == 1
            nets[patron] += int(net)
        return nets
