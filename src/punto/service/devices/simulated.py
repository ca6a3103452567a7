"""A simulated card-reading shoe: it speaks the protocol of the feed, and makes mistakes if asked to."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from punto.coup import CARDS_IN_A_DECK, RANKS, SUITS

MISTAKES = {
    "surplus": "a card comes out while none is due",
    "unread": "a card goes by and is not read",
    "foreign": "a card that is none of the house",
    "repeat": "a line is sent twice",
    "drop": "the line breaks before the answer, and the device says the same again",
    "reset": "the device is reset",
    "error": "the device reports an error",
}
"""What a simulated device can do wrong, by name."""

_WAIT = 5.0
_TRIES = 5

Opened = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Unheard(ValueError):
    """The service turned the device away, or does not answer. The message is a sentence."""


class Device:
    """A shoe with cards in it, and a hand that pulls them when the table wants one.

    The card of a line is told by the seed, the shoe and the number of the line alone: a device that is
    switched off and on goes on where it was.
    """

    def __init__(
        self, connect: Callable[[], Awaitable[Opened]], table: str, token: str, *, seed: int = 0, decks: int = 8
    ) -> None:
        self._connect, self._table, self._token = connect, table, token
        self._seed, self._decks = seed, decks
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._hearing: asyncio.Task[None] | None = None
        self._answers: asyncio.Queue[str] = asyncio.Queue()
        self.moved, self._greeted = asyncio.Event(), asyncio.Event()
        self.shoe = self.line = self.of = 0
        self.due = "none"
        self.log: list[str] = []
        """Every line in both directions: `> 1.1 CARD 6h`, `< OK 1.1`."""

    # The line

    async def log_in(self) -> None:
        """Connect, log in, and go on after the last line that the service has."""
        await self.close()
        self._reader, self._writer = await self._connect()
        self._answers = asyncio.Queue()
        self._greeted.clear()
        self._hearing = asyncio.create_task(self._hear(self._reader))
        answer = await self._ask(f"PUNTO 1 {self._table} {self._token}")
        if not answer.startswith("OK "):
            raise Unheard(answer.removeprefix("REFUSED "))
        shoe, _, line = answer[3:].partition(".")
        if int(shoe) >= self.shoe:
            self.shoe, self.line = int(shoe), int(line)
        await asyncio.wait_for(self._greeted.wait(), _WAIT)

    async def say(self, word: str, rest: str = "") -> str:
        """Send the next line until it is answered, and return the answer."""
        number = self.line + 1
        text = f"{self.shoe}.{number} {word} {rest}".rstrip()
        for _ in range(_TRIES):
            with suppress(OSError, TimeoutError):
                answer = await self._ask(text)
                self.line = number
                return answer
            with suppress(OSError, TimeoutError):
                await self.log_in()
        raise Unheard("The service does not answer.")

    async def break_off(self, word: str, rest: str = "") -> str:
        """Send the next line, disconnect before the answer, come back and send it again."""
        number = self.line + 1
        text = f"{self.shoe}.{number} {word} {rest}".rstrip()
        self._send(text)
        await self.log_in()
        answer = await self._ask(text)
        self.line = max(self.line, number)
        return answer

    async def again(self) -> str:
        """Send the number of the last line again, though it was answered, this time with a drawn card."""
        return await self._ask(f"{self.shoe}.{self.line} DRAW")

    async def close(self) -> None:
        """Disconnect."""
        if self._hearing is not None:
            self._hearing.cancel()
            self._hearing = None
        if self._writer is not None:
            self._writer.close()
            with suppress(OSError):
                await self._writer.wait_closed()
            self._writer = None

    async def _ask(self, text: str) -> str:
        self._send(text)
        answer = await asyncio.wait_for(self._answers.get(), _WAIT)
        if not answer:
            self._answers.put_nowait("")
            raise ConnectionError("the line broke")
        return answer

    def _send(self, text: str) -> None:
        if self._writer is None:
            raise ConnectionError("there is no line")
        shown = text if not text.startswith("PUNTO ") else f"PUNTO 1 {self._table} …"
        self.log.append(f"> {shown}")
        self._writer.write(f"{text}\n".encode())

    async def _hear(self, reader: asyncio.StreamReader) -> None:
        with suppress(OSError, ValueError):
            while data := await reader.readline():
                text = data.decode().strip()
                self.log.append(f"< {text}")
                word, _, rest = text.partition(" ")
                if word == "DUE":
                    self.due = rest
                    self._greeted.set()
                elif word == "SHOE":
                    self._new_cards(int(rest))
                else:
                    self._answers.put_nowait(text)
                self.moved.set()
        self._answers.put_nowait("")
        self.moved.set()

    def _new_cards(self, of: int) -> None:
        """Take new cards, after the table has put some into use."""
        if of and of != self.of:
            if self.of or not self.shoe:
                self.shoe, self.line = self.shoe + 1, 0
            self.of = of

    # The hand

    def card(self, number: int) -> str | None:
        """The card that line `number` of this shoe is about; None if there is none left."""
        deck = [rank + suit for suit in SUITS for rank in RANKS] * self._decks
        random.Random(f"{self._seed} {self.shoe}").shuffle(deck)
        return deck[number - 1] if number <= CARDS_IN_A_DECK * self._decks else None

    async def pull(self) -> str:
        """Pull a card, or report that the shoe is empty; return the answer."""
        face = self.card(self.line + 1)
        return await self.say("EMPTY") if face is None else await self.say("CARD", face)

    async def play(
        self,
        cards: int | None = None,
        pace: float = 1.0,
        mistakes: Sequence[str] = (),
        chance: float = 0.05,
        told: Callable[[str], None] = lambda _: None,
    ) -> int:
        """Pull a card whenever the table wants one, up to so many; return how many."""
        luck, pulled, shown = random.Random(f"{self._seed} mistakes"), 0, 0
        await self.log_in()
        while cards is None or pulled < cards:
            for each in self.log[shown:]:
                told(each)
            shown = len(self.log)
            wrong = luck.choice(mistakes) if mistakes and luck.random() < chance else None
            if self.due == "none" and wrong != "surplus":
                self.moved.clear()
                if self._answers.qsize():  # the line broke
                    await self.log_in()
                elif self.due == "none":
                    with suppress(TimeoutError):
                        await asyncio.wait_for(self.moved.wait(), 1)
                continue
            await asyncio.sleep(pace * (0.5 + luck.random()))
            empty = self.card(self.line + 1) is None
            await (self._err(wrong) if wrong is not None else self.pull())
            pulled += 1
            if empty:
                self.due = "none"
        for each in self.log[shown:]:
            told(each)
        return pulled

    async def _err(self, wrong: str) -> str:
        face = self.card(self.line + 1) or "6h"
        if wrong == "unread":
            return await self.say("DRAW")
        if wrong == "foreign":
            return await self.say("CARD", "??")
        if wrong == "drop":
            return await self.break_off("CARD", face)
        if wrong == "reset":
            return await self.say("RESET")
        if wrong == "error":
            return await self.say("ERROR", "the lid is open")
        answer = await self.pull()
        return await self.again() if wrong == "repeat" else answer
