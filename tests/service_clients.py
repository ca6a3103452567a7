"""People at the tables of a running service: they bet, deal, answer, and remember what they were told.

Every command has a key. What was not answered is sent again with the same key until it is, whatever
happens to the service in the meantime; what was answered is kept, to be compared with the journal.
"""

import asyncio
import random
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any
from uuid import UUID

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from punto.coup import RANKS, SUITS
from punto.table import Viewer, decode_event, visible
from service_process import PATIENCE, bearer

AGAIN = (429, 503)
_PAUSE = 0.1
_ONCE_MORE = 5.0
"""Seconds after which somebody who was told to go is told again."""
LOST = (httpx.TransportError, OSError, WebSocketException, TimeoutError, EOFError)


class Told(msgspec.Struct):
    """An entry as it is told: the bytes of its event are kept as they came."""

    sequence: int
    event: msgspec.Raw
    at: str = ""
    who: str = ""


class Answer(msgspec.Struct):
    """What the service answered to a command that it accepted."""

    first: int
    last: int
    repeated: bool = False
    events: list[Told] = []
    key: str = ""


def is_told(event: msgspec.Raw, body: bytes, viewer: Viewer) -> bool:
    """Whether somebody was told of an entry what they may see of it, and nothing else."""
    expected = visible(decode_event(body), viewer)
    if expected is None:
        return bytes(event) == b'{"event":"private"}'
    return decode_event(bytes(event)) == expected


class Known:
    """What the people at one table know: the answers that they got, by key, and what they asked for."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.answers: dict[str, Answer] = {}
        self.asked: dict[str, dict[str, Any]] = {}
        self.refused = self.sent_again = 0

    def accepted(self, who: str, key: str, command: dict[str, Any], answer: Answer) -> None:
        """A command was accepted."""
        answer.key = f"{who} {key}"
        self.asked[answer.key] = command
        self.answers[answer.key] = answer


class Person:
    """Somebody with a token who speaks to one table by HTTP."""

    def __init__(self, known: Known, address: str, name: str, token: str, seed: int) -> None:
        self.known, self.name, self.token = known, name, token
        self.table, self.address = known.name, address
        self.chance = random.Random(f"{seed} {known.name} {name}")
        self.stopping = asyncio.Event()
        self._client = httpx.AsyncClient(base_url=address, headers=bearer(token), timeout=10)

    def key(self) -> str:
        """A new key for a command."""
        return UUID(int=self.chance.getrandbits(128)).hex

    async def close(self) -> None:
        """Go away."""
        await self._client.aclose()

    async def give(self, command: dict[str, Any]) -> Answer | None:
        """Give a command until it is answered; None if it was refused."""
        key = self.key()
        while True:
            try:
                status, found = await self.send(key, command)
            except LOST:
                status, found = 503, None
            if status not in AGAIN:
                break
            self.known.sent_again += 1
            await asyncio.sleep(_PAUSE)
        assert status < 500, (status, found)
        if status != 200 or found is None:
            self.known.refused += 1
            return None
        self.known.accepted(self.name, key, command, found)
        return found

    async def send(self, key: str, command: dict[str, Any]) -> tuple[int, Answer | None]:
        """Send a command once."""
        path, head = f"/api/tables/{self.table}/commands", {"Idempotency-Key": key}
        answer = await self._client.post(path, json=command, headers=head)
        return answer.status_code, msgspec.json.decode(answer.content, type=Answer) if answer.is_success else None

    async def look(self) -> dict[str, Any]:
        """The table as one sees it, asked for until there is an answer."""
        while True:
            with suppress(*LOST):
                answer = await self._client.get(f"/api/tables/{self.table}")
                assert answer.status_code in (200, *AGAIN), answer.text
                if answer.status_code == 200:
                    found: dict[str, Any] = answer.json()["view"]
                    return found
            await asyncio.sleep(_PAUSE)


class Follower(Person):
    """Somebody who follows a table by WebSocket and speaks to it there; comes back where it was left off."""

    def __init__(self, known: Known, address: str, name: str, token: str, seed: int) -> None:
        super().__init__(known, address, name, token, seed)
        self.followed: list[Told] = []
        self.came_back = 0
        self._socket: ClientConnection | None = None
        self._waiting: dict[str, asyncio.Future[tuple[int, Answer | None]]] = {}

    async def follow(self) -> None:
        """Follow, and come back whenever the connection is lost."""
        while True:
            with suppress(*LOST):
                await self._hear()
            self._socket = None
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(EOFError())
            await asyncio.sleep(_PAUSE)

    async def _hear(self) -> None:
        address = f"{self.address.replace('http', 'ws', 1)}/api/tables/{self.table}/stream?after={len(self.followed)}"
        async with connect(address, additional_headers=bearer(self.token), open_timeout=10) as socket:
            self._socket = socket
            self.came_back += 1
            async for message in socket:
                self._heard(message if isinstance(message, bytes) else message.encode())

    def _heard(self, message: bytes) -> None:
        found = msgspec.json.decode(message)
        if "sequence" in found:
            told = msgspec.json.decode(message, type=Told)
            assert told.sequence == len(self.followed) + 1, "a follower misses nothing and gets nothing twice"
            self.followed.append(told)
            return
        waiting = self._waiting.get(found["key"])
        if waiting is not None and not waiting.done():
            again = found.get("kind") in ("NotDurable", "TooMany", "JournalError")
            status = 200 if "first" in found else 503 if again else 409
            waiting.set_result((status, msgspec.convert(found, Answer) if status == 200 else None))

    async def send(self, key: str, command: dict[str, Any]) -> tuple[int, Answer | None]:
        """Send a command once, by the socket."""
        if self._socket is None:
            raise EOFError
        waiting: asyncio.Future[tuple[int, Answer | None]] = asyncio.get_running_loop().create_future()
        self._waiting[key] = waiting
        try:
            await self._socket.send(msgspec.json.encode({"key": key, "command": command}).decode())
            return await asyncio.wait_for(waiting, 10)
        finally:
            del self._waiting[key]


def has_heard(follower: Follower, sequence: int) -> bool:
    """Whether a follower was told of everything up to an entry."""
    return len(follower.followed) >= sequence


async def meanwhile(tasks: Collection["asyncio.Task[None]"], holds: Callable[[], bool], what: str) -> None:
    """Wait until something holds while tasks go on; where one of them ends before, it is told why."""
    end = asyncio.get_running_loop().time() + PATIENCE
    while not holds():
        done, _ = await asyncio.wait(tasks, timeout=0.01, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
            raise AssertionError(f"somebody went home before {what}")
        assert asyncio.get_running_loop().time() < end, f"waited for {what}"


async def gone(tasks: Collection["asyncio.Task[None]"]) -> None:
    """Let tasks go, and wait until they have gone.

    Somebody who is let go at the moment at which an answer comes hears the answer alone: until Python 3.12
    `asyncio.wait_for` forgets that it was cancelled. So whoever stays is let go again.
    """
    staying = set(tasks)
    while staying:
        for task in staying:
            task.cancel()
        _, staying = await asyncio.wait(staying, timeout=_ONCE_MORE)
    await asyncio.gather(*tasks, return_exceptions=True)


async def bet(person: Person, box: int) -> None:
    """Sit down, buy in, and bet whenever bets are open, until told to stop."""
    await person.give({"do": "sit", "patron": person.name, "box": box, "accepts-notice": True})
    await person.give({"do": "buy-in", "patron": person.name, "amount": 10_000_000})
    while not person.stopping.is_set():
        chance = person.chance
        what = chance.choices(("place", "withdraw", "buy-in", "cash-out", "insure"), (20, 3, 2, 2, 2))[0]
        on = chance.choice(("player", "banker", "tie"))
        given: dict[str, Any] = {"do": what, "patron": person.name}
        if what == "place":
            given |= {"bet": on, "stake": 1000 * chance.randint(1, 20)}
        elif what == "withdraw":
            given["bet"] = on
        elif what == "insure":
            given |= {"hand": chance.choice(("player", "banker")), "stake": 1000}
        else:
            given["amount"] = 1000 * chance.randint(1, 5)
        await person.give(given)
        await asyncio.sleep(chance.random() * 0.03)


async def deal(person: Person) -> None:
    """Do whatever is next at a table with a shoe in the hand, until told to stop."""
    cards: list[str] = []
    while not person.stopping.is_set():
        view, chance = await person.look(), person.chance
        step = view["next"][0]["do"]
        if step == "load-shoe":
            cards = [rank + suit for rank in RANKS for suit in SUITS] * 8
            chance.shuffle(cards)
            await person.give({"do": "load-shoe"})
        elif step == "burn":
            await person.give({"do": "burn"})
        elif step == "open-bets" and view["cards_left"] < 20:
            await person.give({"do": "end-shoe"})
        elif step == "close-bets":
            await asyncio.sleep(0.05 + chance.random() * 0.15)
            await person.give({"do": "close-bets"})
        elif step == "expose":
            hands = view["round"]["player"]["cards"] + view["round"]["banker"]["cards"]
            faces = [cards.pop() for card in hands if card is None]
            if await person.give({"do": "expose", "faces": faces}) is None:
                cards += faces  # the round was over before they were turned
        elif step == "answer":
            await answer(person, view["questions"])
        elif step == "announce":
            await person.give({"do": "announce", "what": "result"})
        else:
            await person.give({"do": step})
        await asyncio.sleep(0.01)


async def answer(person: Person, questions: list[dict[str, Any]]) -> None:
    """Answer the last question that has to be answered, in one of the ways that need no more words."""
    asked = [each for each in questions if each["blocks"]][-1]
    choice = person.chance.choice([each for each in asked["choices"] if each != "rule"])
    given = {"do": "answer", "question": asked["id"], "choice": choice, "reason": "As seen."}
    if asked["waiting"]:
        given["patron"] = asked["waiting"][0]
    await person.give(given)
