"""A dealer for a virtual shoe: shuffles, commits, deals at a human pace, and keeps every face to itself."""

import asyncio
import logging
import secrets
from contextlib import suppress
from uuid import uuid4

from punto.audit import Positions, context
from punto.coup import Card
from punto.rulebook import Refused
from punto.service.config import Settings
from punto.service.floor import Floor, Live
from punto.shoe import SEED_BYTES, commit, shuffle
from punto.table import Table, commands
from punto.table.events import Event
from punto.table.felt import due, unexposed, whole
from punto.table.view import next_steps

log = logging.getLogger("punto")
CUT = 16
"""With fewer cards left than this the shoe ends after the round."""

PACE = {"open-bets": 2.0, "draw": 0.5, "expose": 0.7, "settle": 1.0, "window": 6.0, "squeeze": 8.0}


class Dealer:
    """Deals at one table for as long as this process holds its lease."""

    def __init__(self, floor: Floor, name: str, settings: Settings) -> None:
        self._floor, self._name, self._settings = floor, name, settings
        self._positions = Positions()
        self._followed = 0
        self._cards: tuple[Card, ...] = ()
        self._shoe = 0

    async def deal(self) -> None:
        """Deal until the table is closed."""
        while True:
            try:
                live = await self._floor.live(self._name)
                table = live.table
                if table is None or not table.open:
                    return
                moved = live.moved
                waits = await self._step(live, table)
            except ValueError as error:  # refused, or the store does not answer
                log.info("the dealer waits", extra={"table": self._name, "why": str(error)})
                waits = 1.0
            if waits is None:
                with suppress(TimeoutError):
                    await asyncio.wait_for(moved.wait(), 5)
            else:
                await asyncio.sleep(waits)

    async def _step(self, live: Live, table: Table) -> float | None:
        """One thing that a dealer does; how long to wait then, None to wait until something happens."""
        if any(each.blocks for each in table.questions):
            return None
        step = next_steps(table)[0].do
        if step == "load-shoe":
            return await self._load(table)
        if step == "end-shoe":
            return await self._end(table)
        if step == "open-bets":
            return await self._open(table)
        if step == "close-bets":
            await asyncio.sleep(self._settings.betting_seconds)
            await self._do(commands.CloseBets())
            return self._pace("draw")
        if step in ("announce", "settle"):
            await self._do(commands.Announce("result") if step == "announce" else commands.Settle())
            return self._pace("settle")
        return await self._card(live, table)

    async def _open(self, table: Table) -> float:
        shoe = table.shoe
        assert shoe is not None
        if table.book.point("dealing", "burn") is not None and not shoe.burned and not shoe.rounds:
            await self._do(commands.Burn())
        if shoe.left < CUT and not shoe.carried:
            return await self._end(table)
        await asyncio.sleep(self._pace("open-bets"))
        await self._do(commands.OpenBets())
        return 0.0

    async def _card(self, live: Live, table: Table) -> float | None:
        round = table.running
        if round is None:
            return None
        if whole(round):
            return 0.0
        down, at = unexposed(round), due(round)
        if at is not None and (len(round.cards) < 4 or not down):
            if round.window is not None and not round.window.drawn:
                await asyncio.sleep(self._pace("window"))
            with suppress(Refused):
                await self._do(commands.OfferInsurance())
                return 0.0
            await self._do(commands.Draw())
            return self._pace("draw")
        if down:
            hand = round.cards[down[0]].area
            if hand in round.squeezers:
                await asyncio.sleep(self._pace("squeeze"))
                now = (await self._floor.table(self._name)).running
                if now is None or now.cards != round.cards:
                    return 0.0
            await self._do(commands.Expose((str(await self.face(live, down[0])),), at=down[0]))
            return self._pace("expose")
        return None

    # The shoe

    async def _load(self, table: Table) -> float:
        """Shuffle, keep the seed where nobody sees it, and commit to it before the first bet."""
        number, decks = table.shoes + 1, table.setup.decks
        journal, seed = self._floor.journal, secrets.token_bytes(SEED_BYTES)
        kept = await asyncio.to_thread(journal.secret, self._name, f"shoe {number}")
        if kept is None:
            await asyncio.to_thread(journal.keep_secret, self._name, f"shoe {number}", seed)
        promise = commit(kept or seed, decks, context(self._name, number))
        await self._do(commands.LoadShoe(commitment=promise))
        return 0.0

    async def _end(self, table: Table) -> float:
        """The shoe is over: now anybody may know its seed."""
        seed = await asyncio.to_thread(self._floor.journal.secret, self._name, f"shoe {table.shoes}")
        await self._do(commands.EndShoe(seed="" if seed is None else seed.hex()))
        return self._pace("open-bets")

    async def face(self, live: Live, at: int) -> Card:
        """The face of a card on the felt, which only this process knows."""
        await self._follow(live)
        table = live.table
        assert table is not None
        if self._shoe != table.shoes:
            seed = await asyncio.to_thread(self._floor.journal.secret, self._name, f"shoe {table.shoes}")
            if seed is None:
                raise Refused("The seed of this shoe is not here.")
            self._cards, self._shoe = shuffle(seed, table.setup.decks), table.shoes
        return self._cards[self._positions.felt[at]]

    async def _follow(self, live: Live) -> None:
        if self._followed < live.sequence:
            for said in await self._floor.past(self._name, self._followed):
                self._take(said.event)
                self._followed = said.sequence

    def _take(self, event: Event) -> None:
        self._positions.take(event)

    async def _do(self, command: commands.Command) -> None:
        await self._floor.submit(self._name, command, who="dealer", key=uuid4().hex)

    def _pace(self, what: str) -> float:
        return PACE[what] * self._settings.pace
