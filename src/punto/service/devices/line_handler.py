"""What the lines of a card-reading shoe do at its table.

A card that is due is drawn; its face is shown at once where cards are dealt face up, and kept otherwise until
somebody opens the card. Whatever does not fit what the table expects is reported to it as a fact.
"""

import asyncio
import logging
from contextlib import suppress

import msgspec

from punto.coup import CARDS_IN_A_DECK, BadCards, card, check_decks
from punto.messages import say
from punto.rulebook import Refused
from punto.service.accounts.account import Account
from punto.service.accounts.at_table import given_by
from punto.service.accounts.registry import Accounts
from punto.service.devices.protocol import FOREIGN, FeedLine
from punto.service.hourly import HourlyLimit
from punto.service.limits import TooMany
from punto.service.runtime.faces import UNREAD, Faces
from punto.service.runtime.floor import Committed, Floor, NotDurable
from punto.service.runtime.keys import house_key
from punto.service.runtime.speakers import AccountSpeaker
from punto.table import Table, commands
from punto.table.events import CardDrawn
from punto.table.felt import due, points, unexposed
from punto.table.state import Round

log = logging.getLogger("punto")
_HEARD = "feed"
"""The kind of record in the store that keeps a device's last line."""


class Heard(msgspec.Struct, frozen=True):
    """The last line that a device has sent, and its answer; `of` is the number of the table's shoe at that time."""

    shoe: int = 0
    number: int = 0
    answer: str = "OK 0.0"
    of: int = 0


class _Handled(msgspec.Struct, frozen=True):
    """A line that is being handled: from which device, at which table, under which key."""

    device: Account
    name: str
    key: str
    line: FeedLine


class LineHandler:
    """Handles the lines of devices, each line once."""

    def __init__(self, floor: Floor, accounts: Accounts, faces: Faces, reports: HourlyLimit) -> None:
        """`reports` is how much a device may report: a line above it is heard, and leads to nothing."""
        self._floor, self._accounts, self._faces, self._reports = floor, accounts, faces, reports
        self._locks: dict[str, asyncio.Lock] = {}

    async def last(self, device: Account, name: str) -> Heard:
        """The last line that a device has sent about a table."""
        return (await self._last(device, name))[1]

    async def _last(self, device: Account, name: str) -> tuple[str | None, Heard]:
        body = await self._floor.ask_store(self._floor.journal.record, _HEARD, f"{name} {device.person}")
        return body, Heard() if body is None else msgspec.json.decode(body, type=Heard)

    async def hear(self, device: Account, name: str, line: FeedLine) -> str:
        """Handle a line and return its answer, with everything durable; a repeated line does nothing more."""
        async with self._locks.setdefault(name, asyncio.Lock()):
            body, last = await self._last(device, name)
            if (line.shoe, line.number) == (last.shoe, last.number):
                return last.answer
            if (line.shoe, line.number) < (last.shoe, last.number):
                return f"OK {line.name}"
            if line.number != (last.number + 1 if line.shoe == last.shoe else 1):
                return f"REFUSED {line.name} Lines are missing: the last one here was {last.shoe}.{last.number}."
            live = await self._floor.live(name)
            assert live.table is not None
            shoe, answer = live.table.shoes, f"OK {line.name}"
            try:
                said = _Handled(device, name, house_key("feed", device.person, line.name), line)
                await self._take(said, live.table, last)
            except Refused as refused:
                answer = f"REFUSED {line.name} {refused}"
            now = msgspec.json.encode(Heard(line.shoe, line.number, answer, shoe)).decode()
            change = self._floor.journal.change_record
            if not await self._floor.ask_store(change, _HEARD, f"{name} {device.person}", body, now):
                raise NotDurable(say("another-line-at-once", "Another line of this device came in at the same time."))
            return answer

    async def _take(self, said: _Handled, table: Table, last: Heard) -> None:
        line = said.line
        if not table.open:
            raise Refused(say("table-closed", "The table is closed."))
        if line.word == "ERROR":
            await self._report(said, [commands.Report("other", note=f"The shoe reports an error: {line.rest}")])
        elif line.word == "RESET":
            resets = any(row.fact == "device-reset" for row in table.book.irregularities)
            fact = "device-reset" if resets else "other"
            await self._report(said, [commands.Report(fact, note="The shoe was reset.")])
        elif table.shoe is None:
            raise Refused(say("no-cards-at-table", "No cards are in use at this table."))
        elif line.word == "EMPTY":
            await self._empty(said, table)
        elif last.of and (line.shoe == last.shoe) != (table.shoes == last.of):
            changed = "was not given the new cards of the table" if line.shoe == last.shoe else "was given other cards"
            await self._report(said, [commands.Report("other", note=f"The shoe {changed}: it counts another shoe.")])
        elif line.rest == FOREIGN:
            await self._report(said, [commands.Report("foreign-card", note="The shoe read no card of the house.")])
        else:
            await self._card(said, table, line.rest or UNREAD)

    # Cards

    async def _card(self, said: _Handled, table: Table, face: str) -> None:
        before = await self._floor.first_time(said.name, said.key, said.device.person)
        read = await self._faces.read(said.name, table)
        if read.line == said.key:  # handled before, but not answered
            await self._show(said, read.index)
            return
        index: int | None = None
        refused: Refused | None = None
        if before is None:
            waiting = await self._faces.unread(await self._floor.live(said.name))
            try:
                check_decks([card(each) for each in (*read.all(), face) if each != UNREAD], table.setup.decks)
                if waiting:
                    index = waiting[0]
                elif not _burning(table):
                    before = await self._draw(said, table, face)
            except BadCards as error:
                before = await self._report(said, [commands.Report("deck-count", note=str(error))])
            except Refused as error:
                refused = error
        if before is not None:
            index = await self._drawn(said, before)
        read = await self._faces.read(said.name, await self._floor.table(said.name))
        if index is None and len(read.loose) < table.setup.decks * CARDS_IN_A_DECK:
            read.loose.append(face)
        elif index is not None:
            read.faces[index] = face
        read.line, read.index = said.key, index
        await self._faces.keep(said.name, read)
        if refused is not None:
            raise refused
        await self._show(said, index)

    async def _draw(self, said: _Handled, table: Table, face: str) -> Committed:
        """Draw the card, or report it if the table expects none."""
        try:
            while table.shoe is not None and table.shoe.carried and _due(table) is not None:
                key = f"{said.key}/carried/{len(table.shoe.carried)}"  # it is out of the shoe already, so it goes first
                outcome = await self._submit(said, commands.Draw(), key)
                index = await self._drawn(said, outcome, carried=True)
                await self._show(said, index, f"carried/{len(table.shoe.carried)}/face")
                table = await self._floor.table(said.name)
            return await self._submit(said, commands.Draw(), said.key)
        except Refused:
            table = await self._floor.table(said.name)
            return await self._report(said, _unexpected(table, face))

    async def _drawn(self, said: _Handled, outcome: Committed, *, carried: bool = False) -> int | None:
        """The index in the shoe of the first card that a command drew."""
        live = await self._floor.live(said.name)
        for each in outcome.said:
            if isinstance(each.event, CardDrawn) and each.event.carried == carried and not each.event.reserve:
                return await self._faces.drawn_at(live, each.sequence)
        return None

    async def _show(self, said: _Handled, index: int | None, key: str = "face") -> None:
        """Open a card that was read, where cards are dealt face up; if it cannot be now, the dealer opens it later."""
        live = await self._floor.live(said.name)
        table = live.table
        if index is None or table is None or table.running is None or table.setup.face_down:
            return
        face = (await self._faces.read(said.name, table)).faces.get(index, UNREAD)
        at = await self._faces.place_of(live, index)
        if face == UNREAD or at is None or at not in unexposed(table.running):
            return
        try:
            await self._submit(said, commands.Expose((face,), at=at), f"{said.key}/{key}")
        except Refused as refused:
            log.info("a card that was read is not open yet", extra={"table": said.name, "why": str(refused)})

    async def _empty(self, said: _Handled, table: Table) -> None:
        assert table.shoe is not None
        running, left = table.running, table.shoe.left
        note = f"The shoe is empty, and by the table's count {left} cards are left."
        miscounted = commands.Report("deck-count", note=note)
        if running is not None and (running.phase == "betting" or due(running) is not None):
            await self._report(said, [commands.Report("too-few-cards", note="The shoe is empty."), miscounted])
        elif left:
            await self._report(said, [miscounted])

    # Commands

    async def _report(self, said: _Handled, facts: list[commands.Report]) -> Committed:
        """Report the first of these facts that the table accepts."""
        try:
            await self._floor.ask_store(self._reports.take, said.device.name)
        except TooMany:
            raise Refused(say("device-reports-too-much", "The shoe has reported too much: nothing is noted.")) from None
        for each in facts[:-1]:
            with suppress(Refused):
                return await self._submit(said, each, said.key)
        return await self._submit(said, facts[-1], said.key)

    async def _submit(self, said: _Handled, command: commands.Command, key: str) -> Committed:
        def given(device: Account, table: Table | None) -> list[commands.Command]:
            *_, spoken = given_by(device, command, table, said.name)
            controller = table.shoe.controller if table is not None and table.shoe is not None else None
            if controller is not None and isinstance(command, commands.Draw):
                spoken = msgspec.structs.replace(spoken, by=controller)  # the patron who controls the shoe has drawn
            return [spoken]

        return await self._floor.carry_out(said.name, AccountSpeaker(self._accounts, said.device, given), key)


def expected(table: Table) -> str:
    """Where the next card of the shoe belongs now: `player`, `banker`, or `none` while none is due."""
    if any(each.blocks for each in table.questions):
        return "none"
    return _due(table) or "none"


def _due(table: Table) -> str | None:
    running = table.running
    return None if running is None or running.phase != "closed" else due(running)


def _burning(table: Table) -> bool:
    """Whether a card that comes out now is to be burned: before the first round, where the book says so."""
    shoe = table.shoe
    return table.running is None and shoe is not None and not shoe.rounds and bool(table.book.point("dealing", "burn"))


def _unexpected(table: Table, face: str) -> list[commands.Report]:
    """What a card that is not due may be, the likeliest first; without its face where nobody has seen that."""
    running = table.running
    faces = () if table.setup.face_down or face == UNREAD else (face,)
    says = "A card came out of the shoe that was not due."
    facts = []
    if running is not None and running.phase == "closed" and running.cards:
        facts.append(commands.Report("excess-card", hand=_hand(running), faces=faces, note=says))
    if faces:
        facts.append(commands.Report("exposed-card", faces=faces, note=says))
    elif running is not None and running.phase == "closed":
        facts.append(commands.Report("dealing-error", note=says))
    return [*facts, commands.Report("other", note=says)]


def _hand(round: Round) -> str:
    """The hand that a surplus card was most likely drawn for: the Player's, unless it has three or stands."""
    player = round.hand("player")
    return "player" if len(player) < 3 and points(player[:2]) < 6 else "banker"
