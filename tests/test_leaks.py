"""What people are sent holds no card that is not open to them, and no seed before its shoe has ended."""

import asyncio
import re
from base64 import b64encode, urlsafe_b64encode
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect

from punto.coup import RANKS, SUITS
from punto.journal import Entry, Journal
from punto.table import decode_event, events, evolve
from service_process import People, Service, bearer, database, opening

FACE = re.compile(rf"(?<![0-9A-Za-z])(?:{'|'.join(RANKS)})[{''.join(SUITS)}](?![0-9A-Za-z])")
TABLE = "closed"


class Viewer:
    """Somebody who keeps everything that they are sent, with the number of the entry that it rests on."""

    def __init__(self, address: str, name: str, token: str) -> None:
        self.name, self.address = name, address
        self.sent: list[tuple[int, str]] = []
        self.held: list[str] = []
        self.over = asyncio.Event()
        self._head = bearer(token) if token else {}
        self._client = httpx.AsyncClient(base_url=address, headers=self._head, timeout=30)

    async def follow(self) -> None:
        """Everything that comes by WebSocket, until the first shoe has ended and another has begun."""
        address = f"{self.address.replace('http', 'ws', 1)}/api/tables/{TABLE}/stream"
        ended = False
        async with connect(address, additional_headers=self._head, max_queue=None) as socket:
            async for message in socket:
                text = message if isinstance(message, str) else message.decode()
                found = msgspec.json.decode(text)
                self.sent.append((found["sequence"], text))
                ended = ended or found["event"]["event"] == "shoe-ended"
                if ended and found["event"]["event"] == "round-settled":
                    self.over.set()
                    return

    async def poll(self) -> None:
        """Ask for everything that there is to ask for."""
        last = 0
        while not self.over.is_set():
            for path in ("", "/held", "/roads", "/rounds", f"/events?after={last}"):
                answer = await self._client.get(f"/api/tables/{TABLE}{path}")
                if path == "":
                    self.sent.append((answer.json()["sequence"], answer.text))
                elif path == "/held":
                    self.held.append(answer.text)
                elif path.startswith("/events"):
                    for entry in answer.json()["entries"]:
                        last = entry["sequence"]
                        self.sent.append((entry["sequence"], msgspec.json.encode(entry).decode()))

    async def close(self) -> None:
        """Go away."""
        await self._client.aclose()

    async def say(self, **command: object) -> None:
        """Give a command, and keep the answer: what was refused may rest on anything so far."""
        answer = await self._client.post(f"/api/tables/{TABLE}/commands", json=command)
        if answer.is_success:
            for entry in answer.json()["events"]:
                self.sent.append((entry["sequence"], msgspec.json.encode(entry).decode()))
        else:
            assert not FACE.search(answer.text), answer.text

    async def play(self) -> None:
        """Bet, and be nosy: say what one does not know, and hope to be corrected."""
        await self.say(do="sit", patron=self.name, box=1 if self.name == "eve" else 2)
        await self.say(do="buy-in", patron=self.name, amount=100_000_000)
        while not self.over.is_set():
            if self.name == "eve":
                await self.say(do="place", patron=self.name, bet="player", stake=5000)
                continue
            await self.say(do="report", fact="exposed-card", faces=["?"])
            await self.say(do="report", fact="exposed-card", cards=[0], faces=["?"])
            await self.say(do="expose", faces=["?"], at=0)


class Open:
    """Which faces were open in the round at each entry, by the journal alone."""

    def __init__(self, entries: list[Entry]) -> None:
        self.at: dict[int, frozenset[str]] = {0: frozenset()}
        self.ended: dict[int, int] = {}
        table, shown = None, frozenset[str]()
        for entry in entries:
            event = decode_event(entry.body)
            table = evolve(table, event)
            if isinstance(event, events.BetsOpened):
                shown = frozenset()
            elif isinstance(event, events.CardsExposed):
                shown |= set(event.faces)
            elif isinstance(event, events.ShoeEnded):
                self.ended[table.shoes] = entry.sequence
            self.at[entry.sequence] = shown
        self.table = table


def encodings(seed: bytes) -> list[str]:
    """The ways in which a seed could be written down."""
    tail = "="
    return [
        seed.hex(),
        seed.hex().upper(),
        b64encode(seed).decode().rstrip(tail),
        urlsafe_b64encode(seed).decode().rstrip(tail),
        str(int.from_bytes(seed, "big")),
        str(int.from_bytes(seed, "little")),
    ]


def check(viewer: Viewer, opened: Open, seeds: dict[int, bytes]) -> int:
    """No face before it is open, no seed before its shoe has ended; how many faces there were."""
    count = 0
    for sequence, text in viewer.sent:
        faces = set(FACE.findall(text))
        count += len(faces)
        assert faces <= opened.at[sequence], (viewer.name, text)
        for number, seed in seeds.items():
            early = sequence < opened.ended.get(number, sequence + 1)
            assert not (early and any(form in text for form in encodings(seed))), (viewer.name, text)
    return count


@pytest.mark.parametrize("book", ["wu-song", "dragon-tiger-mbs"])
def test_nobody_is_sent_what_is_not_open_to_them(book: str, tmp_path: Path) -> None:
    with database("sqlite") as store:
        people = People(store.url)
        lee = people.staff("lee", "pit-manager")
        tokens = {"eve": people.patron("eve"), "max": people.patron("max"), "nobody": ""}
        people.close()
        rush = {"betting_seconds": 0.01, "pace": 0, "rate": 1e6, "burst": 1_000_000}
        with Service(tmp_path, store.url, **rush) as service:
            service.start()
            viewers = asyncio.run(_watch(service, book, lee, tokens))
            said = service.said()
        journal = Journal(store.url)
        entries = journal.read(TABLE)
        shoes = {number: journal.secret(TABLE, f"shoe {number}") for number in (1, 2)}
        journal.close()
    seeds = {number: seed for number, seed in shoes.items() if seed is not None}
    assert set(seeds) == {1, 2}
    opened = Open(entries)
    assert set(opened.ended) == {1}
    for viewer in viewers:
        assert check(viewer, opened, seeds) > 100
        assert any(seeds[1].hex() in text for _, text in viewer.sent), "the seed is told in the end"
        assert not any(form in said for seed in seeds.values() for form in encodings(seed)), "no secret in the log"
        if viewer.name != "eve":
            assert not any(FACE.search(text) for text in viewer.held)
    reports = [event for entry in entries if isinstance(event := decode_event(entry.body), events.Reported)]
    assert not any(event.faces for event in reports)


async def _watch(service: Service, book: str, lee: str, tokens: dict[str, str]) -> list[Viewer]:
    command: dict[str, Any] = opening(book, shoe="virtual", decks=4, **{"face-down": True})
    async with httpx.AsyncClient(base_url=service.address, headers=bearer(lee)) as staff:
        answer = await staff.post(f"/api/tables/{TABLE}/commands", json=command)
        assert answer.status_code == 200, answer.text
    viewers = [Viewer(service.address, name, token) for name, token in tokens.items()]
    jobs = [job for viewer in viewers for job in (viewer.follow(), viewer.poll())]
    await asyncio.gather(*jobs, *(viewer.play() for viewer in viewers if viewer.name != "nobody"))
    for viewer in viewers:
        await viewer.close()
    return viewers
