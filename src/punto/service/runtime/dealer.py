"""The dealer of a virtual table: shuffles, commits, deals at a human pace, and waits for people for a limited time.

The table says what is to be done next. The dealer knows no face: it is filled in when the command that opens a card is
decided.
"""

import asyncio
import logging
import time
from contextlib import suppress
from uuid import uuid4

from punto.journal import JournalError
from punto.rulebook import Refused
from punto.service.runtime.faces import UNREAD
from punto.service.runtime.floor import Floor, Live, NotDurable
from punto.service.runtime.keys import house_key
from punto.service.runtime.passed_offers import insurable, may_ask, passed
from punto.service.runtime.timing import OFFERED, OPENED, PACE, Wanted, last, milliseconds, of, told_at, touches
from punto.service.settings import Settings
from punto.table import Table, can, commands
from punto.table.events import Answered, Asked, BetsClosed
from punto.table.felt import unexposed
from punto.table.next_steps import next_steps
from punto.table.state import Question, Round

log = logging.getLogger("punto")
CUT = 16
"""With fewer cards left than this the shoe ends after the round."""

ABSENT = "absent-handler"
_BETTING_STEP = 0.5
"""Seconds between two looks at the clock while bets are open."""

_IDLE = 5.0
"""Seconds until the next look at a table where others have to act."""

_SOME_FACE = "As"
"""Stands for any face: whether a card may be opened does not depend on what it is."""


class Dealer:
    """Deals at one table for as long as this process holds its lease."""

    def __init__(self, floor: Floor, name: str, settings: Settings) -> None:
        self._floor, self._name, self._settings = floor, name, settings
        self._began = 0
        """The number of the event that the present waiting time began with."""
        self._until = 0.0
        """When the present waiting time ends, by the monotonic clock."""
        self._stale = settings.fresh_shoes
        """Whether the shoe in use has to be ended before the next round."""
        self._slow: set[tuple[int, str]] = set()
        """Round and patron, where the patron did not open the cards in time."""

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
            except (Refused, NotDurable, JournalError) as error:
                log.info("the dealer waits", extra={"table": self._name, "why": str(error)})
                await asyncio.sleep(1)
                continue
            if waits > 0:
                with suppress(TimeoutError):
                    async with asyncio.timeout(waits):  # `wait_for` may swallow that it is cancelled
                        await moved.wait()

    async def _step(self, live: Live, table: Table) -> float:
        """Do one thing; the seconds to wait then, unless something happens before."""
        blocking = [each for each in table.questions if each.blocks]
        if blocking:
            return await self._ask(live, blocking[-1])
        steps = next_steps(table)
        step = steps[0].do if steps else ""
        round = table.running
        if step == "load-shoe":
            await self._do(commands.LoadShoe())
        elif step == "end-shoe":
            await self._do(commands.EndShoe(), "open-bets")
        elif step == "burn":
            await self._do(commands.Burn())
        elif step == "open-bets":
            await self._open(table)
        elif step == "close-bets":
            await self._close(live)
        elif step == "announce":
            await self._do(commands.Announce("result"), "settle")
        elif step == "settle":
            await self._do(commands.Settle(), "settle")
        elif step == "offer-insurance":
            await self._do(commands.OfferInsurance())
        elif step == "draw" and round is not None and steps[0].by == "dealer":
            return await self._draw(live, table, round)
        elif step == "expose" and round is not None:
            return await self._expose(live, table, round)
        else:
            return _IDLE  # it is for others to do
        return 0.0

    # A round

    async def _open(self, table: Table) -> None:
        shoe = table.shoe
        assert shoe is not None
        self._slow.clear()
        if self._stale:
            self._stale = False
            await self._do(commands.EndShoe(), "open-bets")
            return
        if shoe.left < CUT and not shoe.carried:
            await self._do(commands.EndShoe(), "open-bets")
        else:
            await asyncio.sleep(self._pace("open-bets"))
            await self._do(commands.OpenBets())

    async def _close(self, live: Live) -> None:
        """Bets close when it was said that they would, also if another process has said it."""
        left = await self._left(live, self._settings.betting_seconds, OPENED)
        if left > 0:
            await asyncio.sleep(min(left, _BETTING_STEP))  # without looking up at every chip
        else:
            await self._do(commands.CloseBets(), "draw")

    async def _draw(self, live: Live, table: Table, round: Round) -> float:
        """The next card, once everybody has answered who is offered something, or their time is over."""
        left = 0.0
        if insurable(table) - passed(live):
            left = await self._left(live, self._pace("window"), OFFERED)
        elif not round.cards and (may_ask(table) - passed(live) or _asked(table, "squeeze")):
            left = await self._left(live, self._pace("ask"), of(BetsClosed))
        if left > 0:
            return left
        await self._do(commands.Draw(), "draw")
        return 0.0

    async def _expose(self, live: Live, table: Table, round: Round) -> float:
        """Open what nobody holds; what somebody holds only if they are away or do not open it in time."""
        down = sorted(unexposed(round), reverse=round.banker_first)
        if round.squeezers:
            down.sort(key=lambda at: round.cards[at].area in round.squeezers)
            down = [at for at in down if can(table, commands.Expose((_SOME_FACE,), at=at))]
        if not down:
            return _IDLE
        at = down[0]
        hand = round.cards[at].area
        holder = round.squeezers.get(hand)
        if holder is not None:
            patron = table.patrons.get(holder)
            if patron is not None and not patron.away and (round.number, holder) not in self._slow:
                left = await self._left(live, self._pace("squeeze"), touches(round, hand))
                if left > 0:
                    return left
                self._slow.add((round.number, holder))
            await self._take_from(table, holder)
        await self._do(commands.Expose((UNREAD,), at=at), "expose")
        return 0.0

    async def _take_from(self, table: Table, holder: str) -> None:
        """Where the book says what happens if whoever holds the cards is absent, that is reported first."""
        report = commands.Report(ABSENT, patron=holder, note=f"{holder} did not open the cards.")
        if any(row.fact == ABSENT for row in table.book.irregularities) and can(table, report):
            await self._do(report)

    async def _ask(self, live: Live, question: Question) -> float:
        """Silence of patrons means what the question says that it means, when their time is over."""
        if not question.waiting or question.default is None:
            return _IDLE
        left = await self._left(live, self._pace("answer"), of(Asked, Answered))
        if left > 0:
            return left
        for patron in question.waiting:
            await self._do(commands.Answer(question.id, question.default, "No answer in time.", patron))
        return 0.0

    # Time

    async def _left(self, live: Live, seconds: float, since: Wanted) -> float:
        """The seconds left of a waiting time that began with the last event of some kind, by the time on record.

        They are computed once: if the clock is set afterwards, nobody waits longer, and never longer than `seconds`.
        """
        began = last(live.last, since)
        if began is None and not self._began:  # it is too long ago to be in memory
            began = last(await self._floor.past(self._name, 0), since)
        if began is not None and began.sequence != self._began:
            gone = (milliseconds(self._floor.clock()) - told_at(began)) / 1000
            self._began, self._until = began.sequence, time.monotonic() + min(max(seconds - gone, 0), seconds)
        return self._until - time.monotonic()

    async def _do(self, command: commands.Command, then: str | None = None) -> None:
        """Give a command, and take the time for it that a person would."""
        await self._floor.submit(self._name, command, who="dealer", key=house_key(uuid4().hex))
        if then is not None:
            await asyncio.sleep(self._pace(then))

    def _pace(self, what: str) -> float:
        return PACE[what] * self._settings.pace


def _asked(table: Table, topic: str) -> bool:
    return any(each.topic == topic for each in table.questions)
