"""The faces that the runtime alone knows: of a virtual shoe by its seed, of a read shoe by its reader.

A face enters a table only with the command that opens the card. Whoever gives that command need not know
the face, and cannot choose it: it is filled in here, just before the command is decided.

There are two reasons to look at a face, and `_faces_at` is the one place where that is done: an opening that the table
has found to be due, and a squeeze, for the patron who holds the card.
"""

import secrets
from collections.abc import Collection

import msgspec

from punto.audit import CardPositions, context, seed_name
from punto.coup import Card
from punto.messages import say
from punto.rulebook import Refused
from punto.service.runtime.floor import Floor
from punto.service.runtime.live import Live, Said
from punto.shoe import SEED_BYTES, VERSION, WITH_WORDS, commit, shuffle, with_words
from punto.table import Table, can, commands
from punto.table.authority import post_of
from punto.table.events import CardDrawn, ShoeLoaded
from punto.table.felt import unexposed
from punto.table.handlers.dealing import to_open
from punto.table.handlers.rights import may_squeeze
from punto.table.knowledge import NEXT_CARD
from punto.table.snapshot import Marks
from punto.table.turn import Turn

UNREAD = "?"
"""In the place of a face: the card went by, and the reader could not tell what it is."""

_READ = "faces"
_NOT_YET = "0" * 64
"""Stands for a commitment, to see whether a shoe may be loaded at all."""


class Read(msgspec.Struct):
    """What a reader has read of the shoe in use: faces by place in the shoe, `loose` those of no known place.

    `line` is what it said last, and `index` the card of the shoe that this was about.
    """

    shoe: int
    faces: dict[int, str] = {}
    loose: list[str] = []
    line: str = ""
    index: int | None = None

    def all(self) -> list[str]:
        """Every face that was read."""
        return [face for face in (*self.faces.values(), *self.loose) if face != UNREAD]


class _DealtCards:
    """Which card of the shoe lies where at one table."""

    def __init__(self) -> None:
        self.sequence = 0
        self.positions = CardPositions()
        self.drawn: dict[int, int] = {}
        """By the number of the event: which card of the shoe was drawn there."""

    @staticmethod
    def begins(marks: Marks) -> int:
        """The loading of the shoe in use."""
        return marks.shoe

    def take(self, said: Said) -> None:
        """Follow one event."""
        if isinstance(said.event, ShoeLoaded):
            self.drawn.clear()
        self.positions.take(said.event)
        if isinstance(said.event, CardDrawn):
            self.drawn[said.sequence] = self.positions.felt[-1]
        self.sequence = said.sequence


class Faces:
    """The faces of all tables whose shoe is virtual or read."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._shoes: dict[str, tuple[int, tuple[Card, ...]]] = {}
        """By table: the number of its virtual shoe in use, and all cards of it."""
        floor.preparations.append(self._fill_in)

    async def _fill_in(self, live: Live, command: commands.Command) -> commands.Command:
        """A command that opens cards, with their true faces; one about a virtual shoe, with what it is bound to."""
        table = live.table
        if table is None or table.setup.shoe == "hand":
            return command
        if isinstance(command, commands.Expose):
            return await self._expose(live, table, command)
        if table.setup.shoe == "read":
            return command
        if isinstance(command, commands.LoadShoe | commands.InviteWords) and _is_due(table, command):
            asked = table.words is not None or isinstance(command, commands.InviteWords)
            scheme = WITH_WORDS if asked else VERSION
            return _committed(command, await self._commitment(live.name, table, scheme))
        if isinstance(command, commands.EndShoe) and can(table, command):
            seed = await self._seed(live.name, table.shoes)
            return msgspec.structs.replace(command, seed="" if seed is None else seed.hex())
        return command

    async def _expose(self, live: Live, table: Table, command: commands.Expose) -> commands.Expose:
        """The command with the true faces of what it opens; refused before any is looked at if that is not due."""
        asked = msgspec.structs.replace(command, faces=_as_many(table, command))
        places = to_open(Turn(table, command.by), asked)
        staff = post_of(table, command.by) is not None
        known = await self._faces_at(live, places)
        faces = []
        for number, at in enumerate(places):
            said = command.faces[number] if number < len(command.faces) and staff else UNREAD
            face = known.get(at, UNREAD)
            if face == UNREAD and said in ("", UNREAD):
                raise Refused(
                    say("card-not-read", "Card {place:nth} was not read: the dealer says what it is.", place=at)
                )
            faces.append(said if face == UNREAD else face)
        return msgspec.structs.replace(command, faces=tuple(faces))

    # What is known

    async def _faces_at(self, live: Live, wanted: Collection[int]) -> dict[int, str]:
        """The faces at these places on the felt, as far as they are known."""
        table = live.table
        assert table is not None
        places = [(at, index) for at, index in enumerate((await self._dealt(live)).positions.felt) if at in wanted]
        if not places:
            return {}
        if table.setup.shoe == "virtual":
            cards = await self._shuffled(live.name, table)
            return {at: str(cards[index]) for at, index in places}
        read = await self.read(live.name, table)
        return {at: read.faces[index] for at, index in places if index in read.faces}

    async def held_by(self, live: Live, patron: str) -> dict[int, str]:
        """The faces that a patron may see alone: of the cards that they hold and have not opened."""
        table = live.table
        if table is None or table.setup.shoe == "hand":
            return {}
        known = await self._faces_at(live, squeezed_by(table, patron))
        if live.table is None:
            return {}
        still = squeezed_by(live.table, patron)
        return {at: face for at, face in known.items() if at in still and face != UNREAD}

    async def unread(self, live: Live) -> list[int]:
        """The cards of the shoe that the table has counted out, that lie closed, and that no reader has seen yet."""
        table = live.table
        assert table is not None
        positions, read = (await self._dealt(live)).positions, await self.read(live.name, table)
        closed = [] if table.running is None else [positions.felt[at] for at in unexposed(table.running)]
        return [index for index in (*closed, *positions.reserved) if index not in read.faces]

    async def place_of(self, live: Live, index: int) -> int | None:
        """Where on the felt a card of the shoe lies."""
        felt = (await self._dealt(live)).positions.felt
        return felt.index(index) if index in felt else None

    async def drawn_at(self, live: Live, sequence: int) -> int | None:
        """Which card of the shoe in use an entry of the chain drew."""
        return (await self._dealt(live)).drawn.get(sequence)

    async def read(self, name: str, table: Table) -> Read:
        """What was read of the shoe in use."""
        body = await self._floor.ask_store(self._floor.journal.secret, name, _READ)
        found = None if body is None else msgspec.json.decode(body, type=Read)
        return found if found is not None and found.shoe == table.shoes else Read(table.shoes)

    async def keep(self, name: str, read: Read) -> None:
        """Keep what was read where no one sees it; it is durable when this returns."""
        await self._floor.ask_store(self._floor.journal.put_secret, name, _READ, msgspec.json.encode(read))

    async def _commitment(self, name: str, table: Table, scheme: str) -> str:
        """Shuffle the next shoe: its seed is kept where nobody sees it, and committed to before the first bet."""
        number = table.shoes + 1
        new = secrets.token_bytes(SEED_BYTES)
        seed = await self._floor.ask_store(self._floor.journal.secret_or, name, seed_name(number), new)
        return commit(seed, table.setup.decks, context(name, number), scheme)

    async def _seed(self, name: str, number: int) -> bytes | None:
        return await self._floor.ask_store(self._floor.journal.secret, name, seed_name(number))

    async def _shuffled(self, name: str, table: Table) -> tuple[Card, ...]:
        """All cards of the virtual shoe in use; shuffled once."""
        number, cards = self._shoes.get(name, (0, ()))
        if number != table.shoes:
            seed = await self._seed(name, table.shoes)
            if seed is None:
                raise Refused(say("seed-not-here", "The seed of this shoe is not here."))
            words = None if table.shoe is None else table.shoe.words
            if words is not None:
                seed = with_words(seed, table.setup.decks, [bytes.fromhex(word) for _, word in words])
            cards = shuffle(seed, table.setup.decks)
            self._shoes[name] = table.shoes, cards
        return cards

    async def _dealt(self, live: Live) -> _DealtCards:
        """The positions of cards as of the table's last event."""
        return await self._floor.followed(live, _DealtCards)


def squeezed_by(table: Table, patron: str) -> frozenset[int]:
    """The places of the closed cards that a patron squeezes, and may look at.

    They may not while insurance can still be struck on a card: who declared that they will insure lays the chips first.
    """
    round = table.running
    if round is None:
        return frozenset()
    window = round.window
    least = len(round.cards) if window is None else NEXT_CARD[window.stage]
    return frozenset(
        at
        for at in unexposed(round)
        if at < least
        and round.squeezers.get(round.cards[at].area) == patron
        and may_squeeze(table, round.cards[at].area)
    )


def _as_many(table: Table, command: commands.Expose) -> tuple[str, ...]:
    """The faces that a command names; where it names none, one for each card that is meant: those one holds, or all."""
    round = table.running
    if command.faces or round is None:
        return command.faces
    if command.at is not None:
        return (UNREAD,)
    down = unexposed(round)
    own = [at for at in down if round.squeezers.get(round.cards[at].area) == command.by]
    return (UNREAD,) * len(own or down)


def _is_due(table: Table, command: commands.LoadShoe | commands.InviteWords) -> bool:
    """Whether a shoe may be committed to now; words that were given belong to the commitment that asked for them."""
    loads = isinstance(command, commands.LoadShoe)
    return can(table, _committed(command, table.words.commitment if loads and table.words is not None else _NOT_YET))


def _committed(command: commands.LoadShoe | commands.InviteWords, commitment: str) -> commands.Command:
    return msgspec.structs.replace(command, commitment=commitment)
