"""A random viewer's whole traffic, searched for cards that are not open to them, and for the seed of a shoe in use.

Four tables of one house are played at once, and people of every kind look at them. Whatever they are sent is kept, and
held afterwards against the journal: an answer that names the entry it rests on against that entry, any other against
the entries between the look at the table before it and the one after it.
"""

import asyncio
import random
import re
from base64 import b64encode, urlsafe_b64encode
from contextlib import suppress
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect

from patching import Watcher
from punto.coup import RANKS, SUITS, card
from punto.journal import StoredEvent
from punto.odds import bet_odds, full_shoe, without
from punto.roads import roads, to_json
from punto.rulebook import menu
from punto.service.accounts.account import HeldPost
from punto.service.accounts.registry import Accounts
from punto.service.devices.simulated import Device
from punto.table import Table, decode_event, events, evolve
from punto.table.felt import unexposed
from seeds import seed_of
from service_process import HOST, PATIENCE, People, Service, bearer, database, free_port, open_house, opening
from warm_start import warm_starts

FACE = re.compile(rf"(?<![0-9A-Za-z])(?:{'|'.join(RANKS)})[{''.join(SUITS)}](?![0-9A-Za-z])")
DOWN = {"face-down": True, "auto": ["announce", "settle"]}
TABLES: dict[str, dict[str, object]] = {
    "face-up": opening("wu-song", shoe="virtual"),
    "method-a": opening("dragon-tiger-mbs", shoe="virtual", method="A", **DOWN),
    "squeezed": opening("dragon-tiger-hoiana", shoe="virtual", **DOWN),
    "read": opening("dragon-tiger-hoiana", shoe="read", **DOWN),
}
HANDS = ("player", "banker")
ROUNDS = 4
"""So many rounds of each shoe; then it ends, and the next begins."""

BUSY: dict[str, Any] = {"max_queue": None, "open_timeout": PATIENCE, "ping_interval": None}
"""How sockets are opened: with patience, also if the machine is."""

SEATED = {"ann": ("player", 9000), "bob": ("banker", 8000), "cat": ("player", 2000)}
"""Who bets on what. The highest wager is Ann's, and Bob's the highest on the Banker."""

TABLE_PATHS = (
    "/desk",
    "/roads",
    "/rounds",
    "/rounds/",
    "/events",
    "/odds",
    "/foresee",
    "/pass",
    "/held",
    "/shoes/last",
)
HOUSE_PATHS = ("/api/tables", "/api/who", "/api/me", "/metrics", "/health")


# People who keep what they are sent


class Kept(msgspec.Struct):
    """Something that was sent: what was asked, the last entry that was known before and after, status and bytes."""

    what: str
    since: int
    until: int | None
    status: int
    data: bytes


class Viewer:
    """Somebody who looks at a table, asks for whatever there is to ask for, and keeps all of it."""

    def __init__(
        self, address: str, table: str, kind: str, name: str, token: str, chance: random.Random, holders: set[str]
    ) -> None:
        self.address, self.table, self.kind, self.name, self.chance = address, table, kind, name, chance
        self.holders = holders
        """Who at this table has looked at cards in hand; all who are at it share this set."""
        self.kept: list[Kept] = []
        self.known = 0
        self.over = asyncio.Event()
        self._waiting: list[Kept] = []
        self._head = bearer(token) if token else {}
        self._client = httpx.AsyncClient(base_url=address, headers=self._head, timeout=PATIENCE)
        self._socket: ClientConnection | None = None
        self._given = 0
        self._past = 0
        self._to_ask: list[str] = []
        self._rounds = 0
        self._news: asyncio.Queue[str] = asyncio.Queue()
        self._settled: list[int] = []

    # What comes in

    async def follow(self) -> None:
        """Everything that comes by WebSocket, until the second shoe has been played from."""
        address = f"{self.address.replace('http', 'ws', 1)}/api/tables/{self.table}/stream"
        ended = False
        async with connect(address, additional_headers=self._head, **BUSY) as self._socket:
            await self._give(do="expose", faces=["?"], at=0)  # so that a socket's answers do not hang on chance
            async for message in self._socket:
                data = message if isinstance(message, bytes) else message.encode()
                found = msgspec.json.decode(data)
                if "sequence" not in found:
                    self._wait("socket answer", 200 if "first" in found else 409, data)
                    continue
                self._keep("entry", found["sequence"], data)
                event = found["event"]["event"]
                self._news.put_nowait(event)
                ended = ended or event == "shoe-ended"
                if event == "round-settled":
                    self._settled.append(found["sequence"])
                    if ended:
                        self.over.set()
                        return

    async def watch(self) -> None:
        """Everything that is pushed to a screen, and the table as it is then shown there, for as long."""
        desk = "?desk=true" if self.kind in ("manager", "dealer") else ""
        address = f"{self.address.replace('http', 'ws', 1)}/api/tables/{self.table}/screen{desk}"
        screen = Watcher()
        async with connect(address, additional_headers=self._head, **BUSY) as socket:
            over = asyncio.create_task(self._close_when_over(socket))
            async for message in socket:
                data = message if isinstance(message, bytes) else message.encode()
                since = screen.sequence
                screen.take(data)
                self.kept.append(Kept("screen", since, screen.sequence, 200, data))
                self._keep("snapshot", screen.sequence, msgspec.json.encode(screen.snapshot))
                if desk:
                    self._keep("/desk", screen.sequence, msgspec.json.encode(screen.desk))
            await over

    async def _close_when_over(self, socket: ClientConnection) -> None:
        """Where nothing happens any more nothing is pushed."""
        await self.over.wait()
        await socket.close()

    def _keep(self, what: str, sequence: int, data: bytes) -> None:
        self.kept.append(Kept(what, sequence, sequence, 200, data))

    def _wait(self, what: str, status: int, data: bytes, since: int | None = None) -> None:
        """What names no entry rests on one between what was known when it was asked and the next look at the table."""
        self._waiting.append(Kept(what, self.known if since is None else since, None, status, data))

    async def look(self) -> dict[str, Any]:
        """The table as one sees it."""
        asked = self._waiting
        self._waiting = []
        answer = await self._client.get(f"/api/tables/{self.table}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        self._keep("snapshot", found["sequence"], _all_of(answer))
        for each in asked:
            each.until = found["sequence"]
            self.kept.append(each)
        self.known = found["sequence"]
        return found

    async def ask(self, path: str) -> None:
        """One of the things that there are to ask for."""
        since = self.known
        if path in HOUSE_PATHS:
            answer = await self._client.get(path)
            self._wait(path, answer.status_code, _all_of(answer), since)
            return
        what = path
        if path == "/events":
            path = f"/events?after={self._past}"
        elif path == "/rounds/":
            known = self._settled and self.chance.random() < 0.8
            path = f"/rounds/{self.chance.choice(self._settled) if known else self.chance.randint(1, self.known + 3)}"
        if path in ("/foresee", "/pass"):
            faces = self.chance.choice(([], ["?"]))
            body = {"do": "report", "fact": "exposed-card", "faces": faces} if path == "/foresee" else None
            answer = await self._client.post(f"/api/tables/{self.table}{path}", json=body)
        else:
            answer = await self._client.get(f"/api/tables/{self.table}{path}")
        found: Any = answer.json() if answer.content else None
        if answer.is_success and what == "/events":
            self._wait(what, answer.status_code, _all_of(answer), since)
            for entry in found["entries"]:
                self._past = entry["sequence"]
                self._keep("entry", entry["sequence"], msgspec.json.encode(entry))
        elif answer.is_success and what in ("/desk", "/odds"):
            self._keep(what, found["sequence"], _all_of(answer))
        else:
            if what == "/held" and answer.is_success and found:
                self.holders.add(self.name)
            self._wait(what, answer.status_code, _all_of(answer), since)

    async def say(self, *, surely: bool = False, **command: object) -> bool:
        """Give a command, by HTTP or perhaps by the socket; whether it was accepted, where that is known at once."""
        if self._socket is not None and not surely and self.chance.random() < 0.3:
            with suppress(Exception):  # it may be closed by now
                await self._give(**command)
            return False
        answer = await self._client.post(f"/api/tables/{self.table}/commands", json=command)
        self._wait("command" if answer.is_success else "refusal", answer.status_code, _all_of(answer))
        if answer.is_success:
            for entry in answer.json()["events"]:
                self._keep("entry", entry["sequence"], msgspec.json.encode(entry))
        return answer.is_success

    async def _give(self, **command: object) -> None:
        """Give a command by the socket, where its answer comes, too."""
        assert self._socket is not None
        self._given += 1
        given = {"key": f"by socket {self._given}", "command": command}
        await self._socket.send(msgspec.json.encode(given).decode())

    # What they do

    async def live(self) -> None:
        """Do what one is there for as long as it goes on; then ask for everything once more."""
        async with asyncio.TaskGroup() as together:
            if self.kind == "seated":
                together.create_task(self._bet())
            together.create_task(self._take_part())
        for path in (*TABLE_PATHS, *HOUSE_PATHS):  # so that what is asked for does not hang on who was quick
            await self.ask(path)
        await self.look()
        await self._client.aclose()

    async def _take_part(self) -> None:
        """Look, ask for something, do what one is there for, and look again."""
        while self._rounds < 2 or not self.over.is_set():
            view = (await self.look())["view"]
            await self.ask(self._next())
            if self.kind == "seated":
                await self._play(view["round"])
            elif self.kind == "manager":
                await self._manage(view)
            elif self.kind == "dealer" and self.table == "read":
                await self._deal(view)
            elif self.kind == "stranger":
                await self.say(do="expose", faces=["?"], at=self.chance.randrange(6))

    def _next(self) -> str:
        """What to ask for next: everything once in any order, then all of it again; most often for cards."""
        if not self._to_ask:
            self._rounds += 1
            self._to_ask = [*TABLE_PATHS, *HOUSE_PATHS]
            self.chance.shuffle(self._to_ask)
        return "/held" if self.chance.random() < 0.3 else self._to_ask.pop()

    async def _bet(self) -> None:
        """Sit down; bet as soon as bets are open, and ask for the cards as soon as they are closed."""
        who = self.name.partition("-")[0]
        bet, stake = SEATED[who]
        await self.say(surely=True, do="sit", patron=self.name, box=list(SEATED).index(who) + 1)
        await self.say(surely=True, do="buy-in", patron=self.name, amount=100_000_000)
        while not self.over.is_set():
            with suppress(TimeoutError):
                news = await asyncio.wait_for(self._news.get(), 0.5)
                if news == "bets-opened":
                    await self.say(surely=True, do="place", patron=self.name, bet=bet, stake=stake)
                elif news == "bets-closed":
                    await self.say(do="ask-squeeze", patron=self.name, hand=self.chance.choice(HANDS))
                elif news == "delivered":
                    await self.ask("/held")

    async def _play(self, round: dict[str, Any] | None) -> None:
        """Look at the cards that one holds, and open them; and be nosy about others."""
        if round is None or round["phase"] != "closed":
            return
        mine = [hand for hand in HANDS if round[hand]["squeezer"] == self.name and None in round[hand]["cards"]]
        if mine:
            await self.ask("/held")
        if mine and self.chance.random() < 0.5:
            down = round[mine[0]]["cards"].count(None)
            await self.say(do="expose", faces=["?"] * self.chance.randint(1, down))
        elif self.chance.random() < 0.2:
            await self.say(do="expose", faces=["?"], at=self.chance.randrange(6))
            await self.say(do="report", fact="exposed-card", cards=[0], faces=["?"])

    async def _manage(self, view: dict[str, Any]) -> None:
        """Let the first shoe end when somebody has seen the cards in hand, and answer what is asked."""
        for each in view["questions"]:
            choice = "yes" if "yes" in each["choices"] else each["choices"][-1]
            await self.say(do="answer", question=each["id"], choice=choice, reason="So be it.")
        looked = self.table == "face-up" or self.holders
        if looked and len(view["results"]) >= ROUNDS and view["last_round"] is None:
            await self.say(surely=True, do="last-hand")

    async def _deal(self, view: dict[str, Any]) -> None:
        """Do what is next at a table that has no dealer of its own; the cards come from the device."""
        step = view["next"][0]
        if step["do"] == "close-bets":
            await asyncio.sleep(0.3)
        if step["do"] == "expose":
            if step["by"] == "dealer":
                await self.say(do="expose", faces=["?"])
        elif step["do"] in ("load-shoe", "burn", "open-bets", "close-bets", "settle", "end-shoe"):
            await self.say(do=step["do"])


def _all_of(answer: httpx.Response) -> bytes:
    """An answer with its head."""
    head = b"\n".join(name + b": " + value for name, value in answer.headers.raw)
    return answer.content + b"\n\n" + head


# What was open when, by the journal alone


class Record:
    """A table's journal, replayed: at every entry what lay open, who held what, and what had been paid."""

    def __init__(self, entries: list[StoredEvent]) -> None:
        self.tables: list[Table | None] = [None]
        self.open: list[frozenset[str]] = [frozenset()]
        self.last: list[frozenset[str]] = [frozenset()]
        """What lay open in the last round, when bets were opened for this one."""
        self.seen: list[tuple[str, ...]] = [()]
        self.settled: dict[int, tuple[list[str], list[str]]] = {}
        self.ended: dict[int, int] = {}
        self.delivered: set[str] = set()
        self.faces: dict[tuple[int, int, int], str] = {}
        """By shoe, round and place on the felt: what the card was found to be when it was opened."""
        for entry in entries:
            self._take(entry.sequence, decode_event(entry.body))

    def _take(self, sequence: int, event: events.Event) -> None:
        table = evolve(self.tables[-1], event)
        shown, last, seen = self.open[-1], self.last[-1], self.seen[-1]
        if isinstance(event, events.ShoeLoaded):
            seen = ()
        elif isinstance(event, events.BetsOpened):
            shown, last = frozenset(), shown
        elif isinstance(event, events.CardsExposed):
            shown, seen = shown | set(event.faces), (*seen, *event.faces)
            assert table.round is not None
            for at, face in zip(event.at, event.faces, strict=True):
                self.faces[table.shoes, table.round.number, at] = face
        elif isinstance(event, events.RoundSettled):
            self.settled[sequence] = list(event.cards[0]), list(event.cards[1])
        elif isinstance(event, events.ShoeEnded):
            self.ended[table.shoes] = sequence
        elif isinstance(event, events.Delivered) and event.patron:
            self.delivered.add(event.patron)
        self.tables.append(table)
        self.open.append(shown)
        self.last.append(last)
        self.seen.append(seen)

    def held(self, sequence: int, name: str) -> dict[str, str] | None:
        """The faces of the cards that somebody held closed; None where they were never opened."""
        table = self.tables[sequence]
        if table is None or table.running is None:
            return {}
        round, found = table.running, {}
        for at in unexposed(round):
            if round.squeezers.get(round.cards[at].area) == name:
                face = self.faces.get((table.shoes, round.number, at))
                if face is None:
                    return None
                found[str(at)] = face
        return found

    def rounds(self, sequence: int) -> list[tuple[list[str], list[str]]]:
        """The cards of the rounds of the shoe in use that were settled."""
        table = self.tables[sequence]
        number = 0 if table is None else table.shoes
        return [cards for at, cards in self.settled.items() if at <= sequence and self.shoe_of(at) == number]

    def shoe_of(self, sequence: int) -> int:
        """The number of the shoe in use."""
        table = self.tables[sequence]
        return 0 if table is None else table.shoes


# The search


class Search:
    """Looks through what somebody was sent."""

    def __init__(self, viewer: Viewer, record: Record, seeds: dict[int, bytes]) -> None:
        self.viewer, self.record, self.seeds = viewer, record, seeds
        self.faces = self.held = self.odds = self.shoes = 0

    def all(self) -> None:
        """Everything: no face before it is open to them, no seed before its shoe has ended."""
        for each in self.viewer.kept:
            assert each.until is not None
            try:
                self._one(each, each.until, each.data.partition(b"\n\n")[0])
            except AssertionError as error:
                raise AssertionError(f"{self.viewer.kind} {self.viewer.name}: {each}") from error

    def _one(self, each: Kept, until: int, body: bytes) -> None:
        for number, seed in self.seeds.items():
            if until < self.record.ended.get(number, until + 1):
                assert not any(form in each.data for form in encodings(seed))
        faces = set(FACE.findall(each.data.decode()))
        found: Any = msgspec.json.decode(body) if body and each.what != "/metrics" else None
        if each.status >= 400:
            assert not faces
        elif each.what in ("entry", "snapshot", "/desk"):
            before = found.pop("past_cards", []) if each.what == "/desk" else []
            assert {one["face"] for one in before if one["face"]} <= self.record.last[until]
            assert set(FACE.findall(repr(found))) <= self.record.open[until]
            self.faces += len(faces)
            if each.what == "snapshot":
                self._snapshot(until, found["view"]["round"])
            elif each.what == "/desk":
                self._desk(until, found)
        elif each.what in ("/events", "command"):  # whose entries are looked at one by one
            rest = {name: value for name, value in found.items() if name not in ("entries", "events")}
            assert not FACE.search(repr(rest))
        elif each.what in ("/foresee", "screen"):
            assert faces <= frozenset().union(*self.record.open[each.since : until + 1])
        elif each.what == "/held":
            self._held(each.since, until, found)
        elif each.what == "/rounds":
            told = [(one["player"], one["banker"]) for one in found]
            assert any(told == self.record.rounds(at) for at in range(each.since, until + 1))
        elif each.what == "/rounds/":
            assert found["sequence"] <= until
            assert (found["player"], found["banker"]) == self.record.settled[found["sequence"]]
        elif each.what == "/shoes/last":
            self._shoe(until, found)
        else:
            assert not faces
            if each.what == "/roads":
                assert any(found == self._roads(at) for at in range(each.since, until + 1))
            elif each.what == "/odds":
                self._odds(until, found)

    def _shoe(self, until: int, told: dict[str, Any] | None) -> None:
        """A shoe that has ended, its seed, and no face that was not opened."""
        if told is None:
            return
        number, seen = told["number"], [face for face in told["cards"] if face != "?"]
        assert self.record.ended[number] <= until
        assert told["seed"] == (self.seeds[number].hex() if self.seeds else "")
        opened = [face for (shoe, _, _), face in self.record.faces.items() if shoe == number and self.seeds]
        assert sorted(seen) == sorted(opened)
        self.shoes += 1

    def _snapshot(self, at: int, told: dict[str, Any] | None) -> None:
        table = self.record.tables[at]
        assert table is not None
        if told is None:
            assert table.round is None
            return
        assert table.round is not None
        for hand in HANDS:
            cards = table.round.hand(hand)
            shown = [None if each.face is None else str(each.face) for each in cards]
            assert told[hand]["cards"] == shown
            assert told[hand]["points"] == sum(card(face).value for face in shown if face) % 10

    def _desk(self, at: int, told: dict[str, Any]) -> None:
        table = self.record.tables[at]
        cards = () if table is None or table.round is None else table.round.cards
        shown = [(number, one.area, None if one.face is None else str(one.face)) for number, one in enumerate(cards)]
        assert [(one["at"], one["area"], one["face"]) for one in told["cards"]] == shown

    def _held(self, since: int, until: int, told: dict[str, str]) -> None:
        """Exactly the closed cards of the hands that one holds; of a read shoe, those that its reader has told."""
        could = [self.record.held(at, self.viewer.name) for at in range(since, until + 1)]
        if self.viewer.table == "read":
            assert any(each is None or told.items() <= each.items() for each in could)
        else:
            assert any(each is None or told == each for each in could)
        self.held += len(told)

    def _roads(self, at: int) -> dict[str, Any]:
        table = self.record.tables[at]
        return to_json(roads(table.shoe.results if table is not None and table.shoe else ()))

    def _odds(self, at: int, told: dict[str, Any]) -> None:
        """They rest on the cards that are open, and on no others."""
        table, seen = self.record.tables[at], self.record.seen[at]
        assert table is not None
        assert told["seen"] == len(seen)
        if self.odds < 2 and seen:
            self.odds += 1
            left = without(full_shoe(table.setup.decks), [card(face) for face in seen])
            expected = bet_odds(menu(table.book, table.setup.layout), left)
            assert {bet: one["edge"] for bet, one in told["bets"].items()} == {
                bet: str(each.edge) for bet, each in expected.items()
            }


def encodings(seed: bytes) -> list[bytes]:
    """The ways in which a seed, or half of it, could be written down."""
    half = len(seed) // 2
    forms = [seed, seed[:half], seed[half:]]
    texts = [each.hex() for each in forms] + [each.hex().upper() for each in forms]
    texts += [turn(seed).decode().rstrip("=") for turn in (b64encode, urlsafe_b64encode)]
    texts += [str(int.from_bytes(seed, "big")), str(int.from_bytes(seed, "little"))]
    return [*forms, *(each.encode() for each in texts)]


# The evening


class Evening:
    """What was sent to everybody, what is on record, and the seeds."""

    def __init__(self, viewers: list[Viewer], log: str, told: list[str]) -> None:
        self.viewers, self.log, self.told = viewers, log, told
        self.records: dict[str, Record] = {}
        self.seeds: dict[str, dict[int, bytes]] = {}


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """Four tables, played until each has begun its second shoe."""
    with database("sqlite") as store:
        tokens = _people(store.url)
        port = free_port()
        rush = {"betting_seconds": 0.3, "pace": 0.08, "rate": 1e6, "burst": 1_000_000, "feed_port": port}
        with Service(tmp_path_factory.mktemp("leaks"), store.url, warm_starts(), **rush) as service:
            service.start()
            viewers, told = asyncio.run(_play(service, tokens, port))
            found = Evening(viewers, service.said(), told)
        journal = open_house(store.url)
        for table in TABLES:
            found.records[table] = Record(journal.read(table))
            loaded = range(1, found.records[table].shoe_of(-1) + 1)
            kept = {number: journal.secret(table, f"shoe {number}") for number in loaded}
            found.seeds[table] = {number: seed for number, seed in kept.items() if seed is not None}
        journal.close()
    return found


def _people(url: str) -> dict[str, str]:
    people = People(url)
    people.staff("lee", "pit-manager")
    people.patron("eve")
    for table in TABLES:
        people.staff(f"max-{table}", "dealer", table)
        for name in SEATED:
            people.patron(f"{name}-{table}")
    people.close()
    journal = open_house(url)
    accounts = Accounts(journal)
    accounts.make("shoe-1", "device", None, {"read": HeldPost("dealer")}, person="shoe-1")
    device = accounts.device_token("shoe-1")
    journal.close()
    return {**people.tokens, "shoe-1": device, "": ""}


async def _play(service: Service, tokens: dict[str, str], port: int) -> tuple[list[Viewer], list[str]]:
    seed = seed_of("What the viewers do")
    viewers = []
    others = dict(zip(TABLES, [*list(TABLES)[1:], next(iter(TABLES))], strict=True))
    async with httpx.AsyncClient(base_url=service.address, headers=bearer(tokens["lee"]), timeout=PATIENCE) as staff:
        for table, command in TABLES.items():
            answer = await staff.post(f"/api/tables/{table}/commands", json=command)
            assert answer.status_code == 200, answer.text
            kinds = [("nobody", ""), ("stranger", "eve"), ("manager", "lee"), ("dealer", f"max-{table}")]
            kinds += [("outsider", f"max-{others[table]}"), *(("seated", f"{name}-{table}") for name in SEATED)]
            kinds += [("device", "shoe-1")] if table == "read" else []
            holders: set[str] = set()
            for kind, name in kinds:
                chance = random.Random(f"{seed} {table} {name}")
                viewers.append(Viewer(service.address, table, kind, name, tokens[name], chance, holders))
    device = Device(lambda: asyncio.open_connection(HOST, port), "read", tokens["shoe-1"], seed=seed)
    pulling = asyncio.create_task(device.play(pace=0.02))
    async with asyncio.timeout(PATIENCE):
        jobs = [job for viewer in viewers for job in (viewer.follow(), viewer.watch(), viewer.live())]
        await asyncio.gather(*jobs)
    pulling.cancel()
    await device.close()
    return viewers, [line for line in device.log if line.startswith("<")]


@pytest.mark.parametrize("table", TABLES)
def test_nobody_is_sent_what_is_not_open_to_them(table: str, evening: Evening) -> None:
    record, seeds = evening.records[table], evening.seeds[table]
    loaded = set(range(1, record.shoe_of(-1) + 1))
    assert set(seeds) == (set() if table == "read" else loaded)
    assert len(loaded) > 1
    assert set(record.ended) >= loaded - {max(loaded)}, "only the last shoe may be in use"
    held = shoes = 0
    for viewer in (each for each in evening.viewers if each.table == table):
        search = Search(viewer, record, seeds)
        search.all()
        assert search.faces > 50
        held += search.held
        shoes += search.shoes
        if seeds:
            told = any(seeds[1].hex().encode() in each.data for each in viewer.kept)
            assert told, "the seed is told in the end"
    assert bool(held) == bool(record.delivered), "who holds cards sees them"
    assert shoes, "a shoe that has ended is told"


def test_all_of_it_was_asked_for_by_all_kinds(evening: Evening) -> None:
    """A search that has nothing to search finds nothing."""
    for table in TABLES:
        viewers = [each for each in evening.viewers if each.table == table]
        good = {(each.what, viewer.kind) for viewer in viewers for each in viewer.kept if each.status < 300}
        asked = {(each.what, viewer.kind) for viewer in viewers for each in viewer.kept}
        assert {what for what, _ in asked} >= {"socket answer", "command", "refusal", *TABLE_PATHS, *HOUSE_PATHS}
        assert {viewer.kind for viewer in viewers} == {kind for what, kind in good if what == "screen"}
        assert {("/desk", "dealer"), ("/desk", "manager"), ("/held", "seated"), ("/odds", "nobody")} <= good
        assert {"/rounds/", "/rounds", "/roads", "/shoes/last"} <= {what for what, _ in good}
        assert not {("/desk", kind) for kind in ("nobody", "stranger", "outsider", "seated")} & good
        assert bool(evening.records[table].delivered) == (table != "face-up")


def test_no_secret_is_in_the_log_and_no_card_is_told_to_a_device(evening: Evening) -> None:
    for seeds in evening.seeds.values():
        for seed in seeds.values():
            assert not any(form in evening.log.encode() for form in encodings(seed))
    assert any("DUE" in line for line in evening.told)
    assert not FACE.search("\n".join(evening.told))
